package dev.leeway.routing.it;

import dev.leeway.gate.Health;
import dev.leeway.gate.MonitorSettings;
import dev.leeway.gate.ServerState;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.LeewayBuilder;
import dev.leeway.testkit.MySqlCluster;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.TestSchema;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The servers that the integration tests of this module share, and how a Leeway over them is made.
 */
final class Servers {
  /** A primary and two replicas, started once for all tests of this JVM. */
  static final MySqlCluster CLUSTER = MySqlCluster.shared(2);

  private static final Duration BOUND = Duration.ofSeconds(20);

  private Servers() {}

  /**
   * The tables of the cases: {@code orders} and {@code idem} replicate, {@code whoami} says on each
   * server which one it is.
   */
  static TestSchema newSchema() throws Exception {
    TestSchema schema = CLUSTER.newSchema();
    schema.execute(
        "CREATE TABLE orders (id BIGINT PRIMARY KEY AUTO_INCREMENT, status VARCHAR(20) NOT NULL,"
            + " note VARCHAR(200) NULL)",
        "INSERT INTO orders(id, status) VALUES (1, 'new'), (2, 'new'), (3, 'new')",
        "CREATE TABLE idem (k VARCHAR(40) PRIMARY KEY, order_id BIGINT NOT NULL)",
        "CREATE TABLE whoami (name VARCHAR(20) NOT NULL)");
    schema.awaitReplicated();
    for (MySqlServer server : CLUSTER.servers()) {
      server.executeHereOnly(
          "INSERT INTO " + schema.name() + ".whoami VALUES ('" + server.name() + "')");
    }
    return schema;
  }

  static LeewayBuilder builder(String name, TestSchema schema) {
    return builderWith(name, schema, "");
  }

  /** With parameters added to every URL. */
  static LeewayBuilder builderWith(String name, TestSchema schema, String parameters) {
    LeewayBuilder builder = Leeway.builder(name).monitoring(monitoring().build());
    MySqlServer primary = CLUSTER.server("primary");
    builder.primary(
        primary.name(), url(primary, schema, parameters), primary.user(), primary.password());
    for (MySqlServer server : CLUSTER.servers()) {
      if (server != primary) {
        builder.replica(
            server.name(), url(server, schema, parameters), server.user(), server.password());
      }
    }
    return builder;
  }

  private static String url(MySqlServer server, TestSchema schema, String parameters) {
    String url = server.jdbcUrl(schema.name());
    return parameters.isEmpty() ? url : url + (url.contains("?") ? "&" : "?") + parameters;
  }

  /** Replicas stay eligible while they are frozen, as in the cases. */
  static MonitorSettings.Builder monitoring() {
    return MonitorSettings.builder().createHeartbeatTable(true).ejectAbove(Duration.ofHours(1));
  }

  /** Waits until every replica serves. */
  static Leeway ready(Leeway leeway) {
    await(
        "all replicas serve: " + leeway.clusterState(),
        () ->
            leeway.clusterState().servers().stream()
                .filter(server -> server.index() != leeway.clusterState().primaryIndex())
                .allMatch(Servers::serves));
    return leeway;
  }

  private static boolean serves(ServerState server) {
    return server.health() == Health.FRESH && server.mayServe();
  }

  static void await(String what, BooleanSupplier condition) {
    await(what, BOUND, condition);
  }

  /** Waits for a condition, looking every few milliseconds. */
  static void await(String what, Duration bound, BooleanSupplier condition) {
    long deadline = System.nanoTime() + bound.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not within " + bound + ": " + what);
      }
      java.util.concurrent.locks.LockSupport.parkNanos(2_000_000);
    }
  }

  /** What a server answers its administrator. */
  static String ask(MySqlServer server, String sql) {
    try {
      return String.valueOf(server.queryString(sql));
    } catch (java.sql.SQLException e) {
      throw new AssertionError(server.name() + " did not answer: " + sql, e);
    }
  }
}
