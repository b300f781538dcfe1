package dev.leeway.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

@MySqlTopology(replicas = 1)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MySqlTopologyIT {
  private static final Set<String> SEEN = new HashSet<>();

  @BeforeEach
  void createTable(TestSchema schema) throws SQLException {
    schema.execute("CREATE TABLE t (id INT PRIMARY KEY)");
    assertThat(SEEN.add(schema.name())).as("a schema of its own for each test").isTrue();
  }

  @Test
  @Order(1)
  void parametersAreInjected(
      MySqlCluster cluster,
      @Server("primary") MySqlServer primary,
      @Server("replica-1") MySqlServer replica) {
    assertThat(cluster.primary()).isSameAs(primary);
    assertThat(cluster.replicas()).containsExactly(replica);
  }

  @Test
  @Order(2)
  void aTestMayLeaveItsFaultsBehind(
      @Server("primary") MySqlServer primary, @Server("replica-1") MySqlServer replica)
      throws SQLException {
    replica.pauseApplier();
    replica.kill();
    primary.startLogging();
    primary.execute("CREATE TABLE " + Replication.SCHEMA + ".left_behind (id INT)");
  }

  @Test
  @Order(3)
  void theNextTestFindsTheClusterHealthyAndCaughtUp(
      MySqlCluster cluster,
      @Server("primary") MySqlServer primary,
      @Server("replica-1") MySqlServer replica)
      throws SQLException {
    assertThat(cluster.faults()).isEmpty();
    assertThat(
            replica.queryString(
                "SELECT COUNT(*) FROM information_schema.tables WHERE table_name='left_behind'"))
        .isEqualTo("1");
    assertThat(primary.queryString("SELECT @@global.general_log")).isEqualTo("0");
    primary.execute("DROP TABLE " + Replication.SCHEMA + ".left_behind");
  }

  @Test
  @Order(4)
  @MySqlTopology(replicas = 1, delay = "10m")
  void aDelayLetsEarlierWritesThroughAndHoldsBackThoseOfTheTest(
      TestSchema schema, @Server("replica-1") MySqlServer replica) throws SQLException {
    schema.execute("CREATE TABLE late (id INT PRIMARY KEY)");

    assertThat(tables(replica, schema)).isEqualTo("0");
    assertThat(tables(replica, SEEN)).as("what @BeforeEach created").isNotEqualTo("0");
  }

  @Test
  @Order(5)
  void schemasOfEarlierTestsAreGone(MySqlCluster cluster, TestSchema schema) throws SQLException {
    cluster.awaitCaughtUp(Duration.ofSeconds(10));

    for (MySqlServer server : cluster.servers()) {
      assertThat(
              server.queryString(
                  "SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name LIKE 'lw\\_test%'"))
          .as(server.name())
          .isEqualTo("2");
    }
  }

  @Nested
  class Inside {
    @Test
    void aNestedClassHasTheTopologyOfTheClassAroundIt(MySqlCluster cluster) {
      assertThat(cluster.replicas()).hasSize(1);
    }
  }

  private static String tables(MySqlServer server, TestSchema schema) throws SQLException {
    return String.valueOf(
        server.queryString(
            "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema='"
                + schema.name()
                + "'"));
  }

  private static String tables(MySqlServer server, Set<String> schemas) throws SQLException {
    return String.valueOf(
        server.queryString(
            "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema IN ('"
                + String.join("','", schemas)
                + "')"));
  }
}
