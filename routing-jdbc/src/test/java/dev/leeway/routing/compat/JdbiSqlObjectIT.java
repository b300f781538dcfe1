package dev.leeway.routing.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.annotation.ReadPrimary;
import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.Write;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.Reason;
import dev.leeway.routing.RequestScope;
import dev.leeway.routing.jdbi.LeewayPlugin;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jdbi.v3.sqlobject.statement.GetGeneratedKeys;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jdbi.v3.sqlobject.transaction.Transaction;
import org.jdbi.v3.sqlobject.transaction.Transactional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Jdbi's SqlObject interfaces, routed by the annotations on them. */
// A scope and a fault are there to be in force, not to be called.
@SuppressWarnings("try")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JdbiSqlObjectIT {
  // tag::jdbi-sqlobject[]
  /** Each method says what its statement means. */
  public interface Orders extends Transactional<Orders> {
    @ReadReplica(maxStaleness = "1h")
    @SqlQuery("SELECT status FROM orders WHERE id = :id")
    String listedStatus(long id);

    @ReadPrimary(because = "shown for editing")
    @SqlQuery("SELECT status FROM orders WHERE id = :id")
    String currentStatus(long id);

    @Write
    @SqlUpdate("UPDATE orders SET status = :status WHERE id = :id")
    void setStatus(long id, String status);

    /** Reads and writes through the methods above, each with its own intent. */
    @Write
    @Transaction
    default String pay(long id) {
      setStatus(id, "paid");
      return listedStatus(id);
    }
  }

  // end::jdbi-sqlobject[]

  /** What only the tests ask. */
  public interface TestedOrders extends Orders {
    @Write
    @Transaction
    default String payAndTellWhere(long id) {
      return pay(id) + " on " + server();
    }

    @ReadReplica
    @SqlQuery("SELECT name FROM whoami")
    String server();

    @SqlQuery("SELECT name FROM whoami")
    String serverOfAnUndeclaredMethod();

    @Write
    @SqlUpdate("INSERT INTO orders (status) VALUES (:status)")
    @GetGeneratedKeys
    long insert(String status);

    @ReadReplica
    @SqlQuery("SELECT name FROM whoami UNION ALL SELECT name FROM whoami")
    Stream<String> streamedServers();

    @ReadReplica
    @Transaction(readOnly = true)
    default List<String> report() {
      return List.of(server(), listedStatus(1), server());
    }

    @ReadReplica
    default List<String> overview() {
      return List.of(server(), currentStatus(1), serverOfAnUndeclaredMethod(), server());
    }
  }

  private Shop shop;
  private RequestScope request;
  private Jdbi jdbi;
  private TestedOrders orders;

  @BeforeAll
  void open() throws SQLException {
    shop = Shop.open();
    jdbi = jdbi(shop.leeway());
    orders = jdbi.onDemand(TestedOrders.class);
  }

  private static Jdbi jdbi(Leeway leeway) {
    // tag::jdbi[]
    Jdbi jdbi =
        Jdbi.create(leeway.dataSource())
            .installPlugin(new SqlObjectPlugin())
            .installPlugin(new LeewayPlugin(leeway));
    // end::jdbi[]
    return jdbi;
  }

  @AfterAll
  void close() {
    shop.close();
  }

  @BeforeEach
  void asAtFirst() throws SQLException {
    shop.onPrimary("UPDATE orders SET status = 'new' WHERE id IN (1, 2, 3)");
    shop.schema().awaitReplicated();
    // Whatever other tests wrote without a scope is no business of a new request.
    request = shop.leeway().openScope();
  }

  @AfterEach
  void endRequest() {
    request.close();
  }

  private Reason lastReason() {
    return shop.leeway().lastDecision().orElseThrow().reason();
  }

  @Test
  void aReplicaMethodIsServedByAReplicaAndAPrimaryMethodByThePrimary() {
    assertThat(orders.server()).startsWith("replica-");
    assertThat(orders.currentStatus(1)).isEqualTo("new");
    assertThat(lastReason()).isEqualTo(Reason.PRIMARY_REQUESTED);
  }

  @Test
  void aMethodThatDeclaresNothingReadsThePrimary() {
    assertThat(orders.serverOfAnUndeclaredMethod()).isEqualTo("primary");
    assertThat(lastReason()).isEqualTo(Reason.UNDECLARED);
  }

  @Test
  void anObjectAttachedToAHandleIsRoutedToo() {
    List<String> seen =
        jdbi.withHandle(
            handle -> {
              TestedOrders attached = handle.attach(TestedOrders.class);
              return List.of(
                  attached.server(), attached.serverOfAnUndeclaredMethod(), attached.server());
            });

    assertThat(seen.get(0)).startsWith("replica-");
    assertThat(seen.get(1)).isEqualTo("primary");
  }

  @Test
  void aScopeReadsItsOwnWriteWhileTheReplicasStandStill() {
    try (Shop.StandStill still = shop.replicasStandStill();
        RequestScope scope = shop.leeway().openScope()) {
      orders.setStatus(1, "paid");

      assertThat(orders.listedStatus(1)).isEqualTo("paid");
      assertThat(lastReason()).isEqualTo(Reason.NO_REPLICA_REACHED_POSITION);
    }
  }

  @Test
  void aDefaultMethodInATransactionStaysOnThePrimaryWhateverItCalls() {
    try (Shop.StandStill still = shop.replicasStandStill()) {
      assertThat(orders.payAndTellWhere(1)).isEqualTo("paid on primary");
    }
  }

  @Test
  void aDefaultMethodOutsideTransactionsGivesEachCallItsOwnIntent() {
    List<String> seen = orders.overview();

    assertThat(seen.get(0)).startsWith("replica-");
    assertThat(seen.get(2)).isEqualTo("primary");
  }

  @Test
  void aReadOnlyTransactionOfAReplicaMethodLivesOnOneReplica() {
    List<String> seen = orders.report();

    assertThat(seen.get(0)).startsWith("replica-").isEqualTo(seen.get(2));
    assertThat(seen.get(1)).isEqualTo("new");
  }

  @Test
  void aTransactionOfTheMixinStaysOnThePrimary() {
    List<String> seen =
        orders.inTransaction(
            transaction -> {
              transaction.setStatus(1, "paid");
              return List.of(transaction.listedStatus(1), ((TestedOrders) transaction).server());
            });

    assertThat(seen).containsExactly("paid", "primary");
  }

  @Test
  void aStreamIsReadFromOneReplicaThoughItIsConsumedAfterItsMethodReturned() {
    List<String> names =
        jdbi.withHandle(
            handle -> {
              try (Stream<String> stream = handle.attach(TestedOrders.class).streamedServers()) {
                return stream.toList();
              }
            });

    assertThat(names).hasSize(2).allMatch(name -> name.startsWith("replica-"));
  }

  @Test
  void aGeneratedKeyIsTheRowsKey() throws SQLException {
    assertThat(shop.statusOnPrimary(orders.insert("made"))).isEqualTo("made");
  }
}
