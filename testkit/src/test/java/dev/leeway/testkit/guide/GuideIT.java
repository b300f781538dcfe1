package dev.leeway.testkit.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.testkit.Await;
import dev.leeway.testkit.DroppedReply;
import dev.leeway.testkit.Fault;
import dev.leeway.testkit.MySqlCluster;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.MySqlTopology;
import dev.leeway.testkit.Server;
import dev.leeway.testkit.TestSchema;
import dev.leeway.testkit.drill.DrillResult;
import dev.leeway.testkit.drill.DrillTopology;
import dev.leeway.testkit.drill.ReadAfterWriteDrill;
import dev.leeway.testkit.drill.Seen;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The pieces of code that the guide shows, as tests that run. */
@MySqlTopology(replicas = 2)
class GuideIT {
  private TestSchema schema;
  private MySqlServer primary;
  private MySqlServer replica;

  @BeforeEach
  void createTables(
      TestSchema schema,
      @Server("primary") MySqlServer primary,
      @Server("replica-1") MySqlServer replica)
      throws SQLException {
    this.primary = primary;
    this.replica = replica;
    this.schema = schema.execute("CREATE TABLE orders (id INT PRIMARY KEY)").awaitReplicated();
  }

  @Test
  void aClusterByHand() throws SQLException {
    // tag::cluster[]
    try (MySqlCluster cluster =
        MySqlCluster.builder().replicas(1).option("--max-connections=800").start()) {
      cluster.primary().execute("CREATE SCHEMA shop");
      cluster.awaitCaughtUp(Duration.ofSeconds(10));

      MySqlServer replica = cluster.replica("replica-1");
      assertThat(replica.queryString("SHOW SCHEMAS LIKE 'shop'")).isEqualTo("shop");
    }
    // end::cluster[]
  }

  @Test
  void faultsAreUndone(MySqlCluster cluster) throws SQLException {
    // tag::faults[]
    try (Fault paused = replica.pauseApplier()) {
      schema.execute("INSERT INTO orders VALUES (1)");
      assertThat(paused.description()).isEqualTo("replica-1: applier stopped");
      assertThat(orders(replica)).isEqualTo("0");
    }
    cluster.awaitCaughtUp(Duration.ofSeconds(10));
    assertThat(orders(replica)).isEqualTo("1");

    replica.kill(); // undone after the test, with all that is still open
    // end::faults[]
    assertThat(cluster.faults()).hasSize(1);
  }

  @Test
  void aReplyIsLost() throws SQLException {
    // tag::dropped[]
    DroppedReply dropped = primary.dropReplyAfter("INSERT INTO orders");
    try (Connection connection = open(primary)) {
      assertThatThrownBy(
              () -> connection.createStatement().executeUpdate("INSERT INTO orders VALUES (1)"))
          .isInstanceOf(SQLException.class);
    }
    assertThat(dropped.hasHappened()).isTrue();
    assertThat(orders(primary)).as("the write was done").isEqualTo("1");
    // end::dropped[]
  }

  @Test
  void aFailover(MySqlCluster cluster) throws SQLException {
    // tag::failover[]
    cluster.promote(replica);

    assertThat(cluster.primary()).isSameAs(replica);
    try (Connection connection = open(primary)) {
      assertThatThrownBy(
              () -> connection.createStatement().executeUpdate("INSERT INTO orders VALUES (1)"))
          .hasMessageContaining("read-only");
    }
    // end::failover[]
  }

  @Test
  void statementsAreCounted() throws SQLException {
    try (Connection connection = open(replica)) {
      // tag::counts[]
      Map<String, Long> before = replica.statementCounts();
      Instant start = replica.startLogging();

      connection.createStatement().executeQuery("SELECT COUNT(*) FROM orders").close();

      assertThat(replica.statementsSince(before)).containsEntry("Com_select", 1L);
      assertThat(replica.loggedStatements(start))
          .extracting(statement -> statement.text())
          .containsExactly("SELECT COUNT(*) FROM orders");
      // end::counts[]
    }
  }

  @Test
  void somethingIsAwaited() throws SQLException {
    schema.execute("INSERT INTO orders VALUES (1)");
    // tag::await[]
    Await.until(
        "the order is on the replica", Duration.ofSeconds(10), () -> "1".equals(orders(replica)));
    // end::await[]
    assertThat(orders(replica)).isEqualTo("1");
  }

  @Test
  @MySqlTopology(replicas = 2, delay = "10s")
  void aDrill(MySqlCluster cluster) throws Exception {
    // tag::drill[]
    DrillResult naive =
        ReadAfterWriteDrill.of(
                this::placeOrder,
                id -> {
                  try (Connection connection = open(replica)) {
                    return Seen.ifExists(connection, "SELECT 1 FROM orders WHERE id = ?", id);
                  }
                })
            .topology(DrillTopology.of(cluster))
            .iterations(20)
            .run();

    assertThat(naive.stale()).isEqualTo(20);
    assertThat(naive.servedByReplica()).isEqualTo(20);
    assertThatThrownBy(naive::requireNoStaleReads)
        .hasMessageContaining("20 of 20 reads were stale");
    // end::drill[]
  }

  private int placeOrder(int iteration) throws SQLException {
    try (Connection connection = open(primary)) {
      connection.createStatement().executeUpdate("INSERT INTO orders VALUES (" + iteration + ")");
      return iteration;
    }
  }

  private String orders(MySqlServer server) throws SQLException {
    return String.valueOf(server.queryString("SELECT COUNT(*) FROM " + schema.name() + ".orders"));
  }

  private Connection open(MySqlServer server) throws SQLException {
    return DriverManager.getConnection(
        server.jdbcUrl(schema.name()), server.user(), server.password());
  }
}
