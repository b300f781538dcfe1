package dev.leeway.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.annotation.ReadPrimary;
import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.RoutedRepository;
import dev.leeway.annotation.Write;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.RequestScope;
import dev.leeway.routing.jdbi.LeewayPlugin;
import dev.leeway.testkit.MySqlCluster;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.MySqlTopology;
import dev.leeway.testkit.TestSchema;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jdbi.v3.sqlobject.statement.GetGeneratedKeys;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the README shows, run as it stands there. */
@MySqlTopology(replicas = 2, delay = "10s")
class ReadmeIT {
  // tag::repository[]
  @RoutedRepository
  public interface OrderRepository {
    @Write
    @SqlUpdate("INSERT INTO orders (customer) VALUES (:customer)")
    @GetGeneratedKeys
    long place(long customer);

    @ReadReplica(maxStaleness = "5s")
    @SqlQuery("SELECT id FROM orders WHERE customer = :customer")
    List<Long> listForCustomer(long customer);

    @ReadPrimary(because = "a retried payment must find the order of its first attempt")
    @SqlQuery("SELECT id FROM orders WHERE customer = :customer AND id = :order")
    Optional<Long> findForPayment(long customer, long order);
  }

  // end::repository[]

  private TestSchema schema;

  /** Here, because what this writes is on the replicas before they begin to lag. */
  @BeforeEach
  void createTable(TestSchema fresh) throws SQLException {
    schema = fresh;
    schema.execute("CREATE TABLE orders (id BIGINT PRIMARY KEY AUTO_INCREMENT, customer BIGINT)");
  }

  @Test
  void aCheckoutIsSeenByTheNextRequestThoughTheReplicasAreTenSecondsBehind(MySqlCluster cluster) {
    MySqlServer db1 = cluster.primary();
    MySqlServer db2 = cluster.replica("replica-1");
    MySqlServer db3 = cluster.replica("replica-2");
    String db1Url = db1.jdbcUrl(schema.name());
    String db2Url = db2.jdbcUrl(schema.name());
    String db3Url = db3.jdbcUrl(schema.name());
    String user = db1.user();
    String password = db1.password();
    long customer = 7;

    // tag::use[]
    try (Leeway shop =
        Leeway.builder("shop")
            .primary("db-1", db1Url, user, password)
            .replica("db-2", db2Url, user, password)
            .replica("db-3", db3Url, user, password)
            .start()) {
      OrderRepository orders =
          Jdbi.create(shop.dataSource())
              .installPlugin(new SqlObjectPlugin())
              .installPlugin(new LeewayPlugin(shop))
              .onDemand(OrderRepository.class);

      String token;
      try (RequestScope request = shop.openScope()) {
        orders.place(customer);
        token = request.toToken(); // for the response: a cookie, a header
      }
      try (RequestScope nextRequest = shop.openScope(token)) {
        List<Long> found = orders.listForCustomer(customer);
        System.out.println(found + " " + shop.lastDecision());
        // end::use[]
        assertThat(found).hasSize(1);
        assertThat(shop.lastDecision()).isPresent();
        // tag::use[]
      }
    }
    // end::use[]
  }
}
