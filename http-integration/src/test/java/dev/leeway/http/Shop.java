package dev.leeway.http;

import dev.leeway.gate.MonitorSettings;
import dev.leeway.gate.PositionTokens;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.LeewayBuilder;
import dev.leeway.routing.ReadIntent;
import dev.leeway.testkit.MySqlCluster;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.TestSchema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Orders in a database, and the Leeways that read and write them. */
final class Shop {
  static final MySqlCluster CLUSTER = MySqlCluster.shared(2);
  static final ReadIntent LISTING = ReadIntent.replica().named("listing");

  private Shop() {}

  static TestSchema newSchema() throws Exception {
    TestSchema schema = CLUSTER.newSchema();
    schema.execute("CREATE TABLE orders (id BIGINT PRIMARY KEY)");
    schema.awaitReplicated();
    return schema;
  }

  /** An instance of the application; all sign with the same key. */
  static Leeway leeway(String name, TestSchema schema) {
    LeewayBuilder builder =
        Leeway.builder(name)
            .monitoring(
                MonitorSettings.builder()
                    .createHeartbeatTable(true)
                    .ejectAbove(Duration.ofHours(1))
                    .build())
            .tokens(PositionTokens.builder().key("k1", new byte[32]).build());
    MySqlServer primary = CLUSTER.server("primary");
    builder.primary(
        primary.name(), primary.jdbcUrl(schema.name()), primary.user(), primary.password());
    for (MySqlServer replica : CLUSTER.replicas()) {
      builder.replica(
          replica.name(), replica.jdbcUrl(schema.name()), replica.user(), replica.password());
    }
    Leeway leeway = builder.start();
    await(
        "all replicas serve",
        () ->
            leeway.clusterState().servers().stream()
                .allMatch(server -> server.index() == 0 || server.mayServe()));
    return leeway;
  }

  static void place(Leeway leeway, long order) throws SQLException {
    leeway.write(
        () -> {
          try (Connection connection = leeway.dataSource().getConnection();
              Statement statement = connection.createStatement()) {
            return statement.executeUpdate("INSERT INTO orders VALUES (" + order + ")");
          }
        });
  }

  /** Whether the order is found, and by which server. */
  static String find(Leeway leeway, long order) throws SQLException {
    String found =
        leeway.read(
            LISTING,
            () -> {
              try (Connection connection = leeway.dataSource().getConnection();
                  Statement statement = connection.createStatement();
                  ResultSet rows =
                      statement.executeQuery("SELECT COUNT(*) FROM orders WHERE id = " + order)) {
                rows.next();
                return rows.getInt(1) == 1 ? "found" : "missing";
              }
            });
    return found + " by " + leeway.lastDecision().orElseThrow().role();
  }

  static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not within 20 s: " + what);
      }
      LockSupport.parkNanos(2_000_000);
    }
  }
}
