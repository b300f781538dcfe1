package dev.leeway.testkit.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.testkit.MySqlCluster;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.MySqlTopology;
import dev.leeway.testkit.Server;
import dev.leeway.testkit.TestSchema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@MySqlTopology(replicas = 2)
class ReadAfterWriteDrillIT {
  private final MySqlCluster cluster;
  private final MySqlServer primary;
  private final MySqlServer replica;
  private TestSchema schema;

  ReadAfterWriteDrillIT(
      MySqlCluster cluster,
      @Server("primary") MySqlServer primary,
      @Server("replica-1") MySqlServer replica,
      TestSchema schema) {
    this.cluster = cluster;
    this.primary = primary;
    this.replica = replica;
    this.schema = schema;
  }

  @BeforeEach
  void createTable() throws SQLException {
    schema.execute("CREATE TABLE orders (id INT PRIMARY KEY)").awaitReplicated();
  }

  @Test
  @MySqlTopology(replicas = 2, delay = "10m")
  void aNaiveSplitterMissesEveryWriteOnADelayedReplica() throws Exception {
    DrillResult result = drill(replica).iterations(20).run();

    assertThat(result.iterations()).isEqualTo(20);
    assertThat(result.stale()).isEqualTo(20);
    assertThat(result.servedByReplica()).isEqualTo(20);
    assertThat(result.servedByPrimary()).isZero();
    assertThat(result.servedByServer()).isEqualTo(Map.of("replica-1", 20));
    assertThat(result.staleReads()).hasSize(10).contains("iteration 0 on replica-1");
    assertThatThrownBy(result::requireNoStaleReads).isInstanceOf(AssertionError.class);
  }

  @Test
  @MySqlTopology(replicas = 2, delay = "10m")
  void readsFromThePrimaryMissNothing() throws Exception {
    DrillResult result = drill(primary).iterations(20).run();

    assertThat(result.requireNoStaleReads().servedByPrimary()).isEqualTo(20);
    assertThat(result.servedByReplica()).isZero();
    assertThat(result.primaryShare()).isEqualTo(1.0);
    assertThat(result.reads().p50()).isPositive().isLessThanOrEqualTo(result.reads().p99());
  }

  @Test
  void whoAnsweredIsWhatTheServerSaysAndNotWhatWasMeant() throws Exception {
    try (Connection connection = connect(primary)) {
      DrillResult result =
          ReadAfterWriteDrill.of(
                  this::write,
                  // Meant for the replica, but somebody pointed it elsewhere.
                  id -> Seen.ifExists(connection, "SELECT 1 FROM orders WHERE id = ?", id))
              .topology(DrillTopology.of(cluster))
              .iterations(5)
              .run();

      assertThat(result.servedByServer()).isEqualTo(Map.of("primary", 5));
    }
  }

  @Test
  void aTopologyWithoutReplicaIsRefused() {
    assertThatThrownBy(() -> DrillTopology.of(() -> primary.connect(""), Map.of()))
        .isInstanceOf(DrillRefusedException.class)
        .hasMessage(
            "drill - no replica is configured, so no read could be stale (expected: at least one)");
  }

  @Test
  void oneServerInBothRolesIsRefused() {
    assertThatThrownBy(
            () ->
                DrillTopology.of(
                    () -> primary.connect(""), Map.of("reader", () -> primary.connect(""))))
        .isInstanceOf(DrillRefusedException.class)
        .hasMessageContaining("reader and the primary are the same server")
        .hasMessageContaining("a connection for each role");
  }

  @Test
  void oneReplicaUnderTwoNamesIsRefused() {
    assertThatThrownBy(
            () ->
                DrillTopology.of(
                    () -> primary.connect(""),
                    Map.of("a", () -> replica.connect(""), "b", () -> replica.connect(""))))
        .isInstanceOf(DrillRefusedException.class)
        .hasMessageContaining("are the same server");
  }

  @Test
  void aDrillWithoutTopologyIsRefused() {
    assertThatThrownBy(() -> ReadAfterWriteDrill.of(this::write, id -> Seen.stale("")).run())
        .isInstanceOf(DrillRefusedException.class)
        .hasMessageContaining("no topology was given");
  }

  @Test
  void aTransactionAroundTheDrillIsRefused() throws Exception {
    try (Connection connection = connect(primary)) {
      connection.setAutoCommit(false);
      DrillTopology topology = DrillTopology.of(cluster);

      assertThatThrownBy(
              () ->
                  ReadAfterWriteDrill.of(
                          i -> insert(connection, i),
                          id -> Seen.ifExists(connection, "SELECT 1 FROM orders WHERE id = ?", id))
                      .topology(topology)
                      .run())
          .isInstanceOf(DrillRefusedException.class)
          .hasMessageContaining("of the primary has changes it has not committed")
          .hasMessageContaining("a transaction surrounds the drill");
      connection.rollback();
    }
  }

  @Test
  void aWriteThatWritesNothingIsRefused() throws Exception {
    DrillTopology topology = DrillTopology.of(cluster);

    assertThatThrownBy(
            () -> ReadAfterWriteDrill.of(i -> i, id -> Seen.stale("")).topology(topology).run())
        .isInstanceOf(DrillRefusedException.class)
        .hasMessageContaining("the primary has committed nothing");
  }

  @Test
  void aForeignTransactionThatWasOpenBeforeDoesNotDisturb() throws Exception {
    try (Connection stranger = connect(primary)) {
      stranger.setAutoCommit(false);
      insert(stranger, 1_000_000);

      assertThat(drill(primary).iterations(3).run().iterations()).isEqualTo(3);
      stranger.rollback();
    }
  }

  @Test
  void progressIsToldAfterEachIteration() throws Exception {
    StringBuilder told = new StringBuilder();

    drill(primary)
        .iterations(3)
        .onProgress((done, stale) -> told.append(done).append('/').append(stale).append(' '))
        .run();

    assertThat(told).hasToString("1/0 2/0 3/0 ");
  }

  @Test
  void iterationsOutOfRangeAreRefused() {
    assertThatThrownBy(() -> ReadAfterWriteDrill.of(i -> i, id -> Seen.stale("")).iterations(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("drill - iterations: 0 (expected: 1 to 1000000)");
  }

  private ReadAfterWriteDrill<Integer> drill(MySqlServer reader) throws SQLException {
    return ReadAfterWriteDrill.of(
            this::write,
            id -> {
              try (Connection connection = connect(reader)) {
                return Seen.ifExists(connection, "SELECT 1 FROM orders WHERE id = ?", id);
              }
            })
        .topology(DrillTopology.of(cluster));
  }

  private int write(int iteration) throws SQLException {
    try (Connection connection = connect(primary)) {
      return insert(connection, iteration);
    }
  }

  private static int insert(Connection connection, int id) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("REPLACE INTO orders VALUES (" + id + ")");
    }
    return id;
  }

  private Connection connect(MySqlServer server) throws SQLException {
    return DriverManager.getConnection(
        server.jdbcUrl(schema.name()), server.user(), server.password());
  }
}
