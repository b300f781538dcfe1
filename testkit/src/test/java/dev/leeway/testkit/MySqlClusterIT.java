package dev.leeway.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class MySqlClusterIT {
  private static final Duration SOON = Duration.ofSeconds(10);

  private static MySqlCluster cluster;

  @BeforeAll
  static void start() {
    cluster = MySqlCluster.builder().replicas(2).start();
  }

  @AfterAll
  static void close() {
    cluster.close();
  }

  @Test
  void whatThePrimaryCommitsArrivesOnEveryReplica() throws SQLException {
    try (TestSchema schema = cluster.newSchema()) {
      schema.execute("CREATE TABLE t (id INT PRIMARY KEY)", "INSERT INTO t VALUES (7)");

      cluster.awaitCaughtUp(SOON);

      for (MySqlServer replica : cluster.replicas()) {
        assertThat(replica.queryString("SELECT id FROM " + schema.name() + ".t")).isEqualTo("7");
      }
    }
  }

  @Test
  void theApplicationsAccountCannotWriteOnAReplica() throws SQLException {
    MySqlServer replica = cluster.replica("replica-1");
    try (Connection connection =
        DriverManager.getConnection(
            replica.jdbcUrl(Replication.SCHEMA), replica.user(), replica.password())) {
      assertThatThrownBy(() -> Jdbc.execute(connection, "INSERT INTO probe VALUES (DEFAULT)"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1290));
    }
  }
}
