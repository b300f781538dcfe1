package dev.leeway.samples.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.samples.shop.naive.NaiveSplitter;
import dev.leeway.testkit.MySqlCluster;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.MySqlTopology;
import dev.leeway.testkit.TestSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The same shop with a naive splitter: each of the six reads goes wrong, so that the tests of
 * {@link ShopIT} are worth something.
 */
@MySqlTopology(replicas = 2, delay = "10s")
class ShopWithoutLeewayIT {
  private final Visitor visitor = Visitor.of(1);
  private NaiveSplitter splitter;
  private Shop shop;
  private String primaryUuid;

  @BeforeEach
  void openTheShop(TestSchema schema) throws SQLException {
    MySqlCluster cluster = schema.cluster();
    try (Connection connection = cluster.primary().connect(schema.name())) {
      ShopSchema.create(connection, OpenShop.CUSTOMERS, OpenShop.CUSTOMERS);
    }
    primaryUuid = cluster.primary().serverUuid();
    schema.awaitReplicated();
    splitter =
        NaiveSplitter.over(
            server(cluster.primary(), schema),
            cluster.replicas().stream().map(replica -> server(replica, schema)).toList());
    shop = Shop.without(splitter);
  }

  private static NaiveSplitter.Server server(MySqlServer server, TestSchema schema) {
    return new NaiveSplitter.Server(
        server.jdbcUrl(schema.name()), server.user(), server.password());
  }

  @AfterEach
  void closeTheShop() {
    shop.close();
    splitter.close();
  }

  @Test
  void theConfirmationPageDoesNotFindTheOrder() {
    long order = shop.checkout(visitor, "attempt-1", 3, 2);

    assertThat(shop.confirmationPage(visitor, order)).isEmpty();
  }

  @Test
  void theSettingsPageShowsTheOldSettings() {
    shop.saveLanguage(visitor, "Lojban");

    assertThat(shop.settingsPage(visitor)).map(Settings::language).contains("unset");
  }

  @Test
  void aRepeatedPostIsCarriedOutAgain() {
    shop.checkout(visitor, "attempt-1", 3, 1);

    assertThat(shop.earlierCheckout(visitor, "attempt-1")).isEmpty();
    // Only the table's key prevents the second order, and the customer gets an error for it.
    assertThatThrownBy(() -> shop.checkout(visitor, "attempt-1", 3, 1))
        .isInstanceOf(UnableToExecuteStatementException.class)
        .hasMessageContaining("Duplicate entry 'attempt-1'");
  }

  @Test
  void aJobDoesNotFindWhatItsDispatcherWrote() throws Exception {
    assertThat(shop.requestInvoice(visitor, 7, "1 Main Street").get(30, TimeUnit.SECONDS))
        .isEmpty();
  }

  @Test
  void aSecondCustomerIsPromisedThePieceThatIsGone() {
    shop.reserve(visitor, 5, 1);

    assertThat(shop.reserve(Visitor.of(2), 5, 1)).isEqualTo(new Reservation(1, true, false));
  }

  @Test
  void anAdministratorDoesNotFindTheDraftHeHasJustCreated() {
    assertThat(shop.publishDiscount(visitor, "SUMMER", 15)).isEmpty();
  }

  /** The comparison is fair: what good splitters get right, this one does too. */
  @Test
  void aTransactionAndALockingReadStayOnThePrimary() throws SQLException {
    try (Connection connection = splitter.getConnection()) {
      assertThat(serverOf(connection, "SELECT @@server_uuid")).isNotEqualTo(primaryUuid);
      assertThat(serverOf(connection, "SELECT @@server_uuid FROM settings LIMIT 1 FOR UPDATE"))
          .isEqualTo(primaryUuid);
      connection.setAutoCommit(false);
      assertThat(serverOf(connection, "SELECT @@server_uuid")).isEqualTo(primaryUuid);
      connection.commit();
      connection.setAutoCommit(true);
      assertThat(serverOf(connection, "SELECT @@server_uuid")).isNotEqualTo(primaryUuid);
    }
  }

  private static String serverOf(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      assertThat(row.next()).isTrue();
      return row.getString(1);
    }
  }
}
