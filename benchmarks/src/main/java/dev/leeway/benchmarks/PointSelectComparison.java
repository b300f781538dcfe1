package dev.leeway.benchmarks;

import dev.leeway.benchmarks.fork.ForkedComparison;
import dev.leeway.testkit.MySqlCluster;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.TestSchema;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The throughput of point selects on a real replica, through Leeway and through plain HikariCP. */
public final class PointSelectComparison {
  private static final int PAIRS = 7;
  private static final int WARM_UP_OPERATIONS = 60_000;
  private static final int OPERATIONS = 20_000;

  private PointSelectComparison() {}

  /** Starts the servers and runs the comparison. */
  public static void main(String[] args) throws Exception {
    try (MySqlCluster cluster = MySqlCluster.builder().replicas(1).start();
        TestSchema schema = cluster.newSchema()) {
      String rows =
          IntStream.rangeClosed(1, PointSelect.ROWS)
              .mapToObj(id -> "(" + id + ", 1)")
              .collect(Collectors.joining(","));
      schema.execute(
          "CREATE TABLE stock (id INT PRIMARY KEY, quantity INT NOT NULL)",
          "INSERT INTO stock VALUES " + rows);
      schema.awaitReplicated();
      MySqlServer primary = cluster.primary();
      MySqlServer replica = cluster.replica("replica-1");
      // Not through the testkit's relay, which would cost both sides more than what is compared.
      new ForkedComparison(
              DirectPointSelect.class,
              RoutedPointSelect.class,
              PAIRS,
              WARM_UP_OPERATIONS,
              OPERATIONS)
          .property("primary.url", primary.directJdbcUrl(schema.name()))
          .property("replica.url", replica.directJdbcUrl(schema.name()))
          .property("user", primary.user())
          .property("password", primary.password())
          .run();
    }
  }
}
