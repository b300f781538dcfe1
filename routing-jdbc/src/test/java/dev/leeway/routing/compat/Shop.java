package dev.leeway.routing.compat;

import dev.leeway.gate.MonitorSettings;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.LeewayBuilder;
import dev.leeway.testkit.Await;
import dev.leeway.testkit.Fault;
import dev.leeway.testkit.MySqlCluster;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.TestSchema;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A primary, two replicas, a few orders, and a Leeway over them. {@code whoami} has on each server
 * that server's name, so that the server itself says who answered.
 */
final class Shop implements AutoCloseable {
  private static final Duration BOUND = Duration.ofSeconds(20);
  private static final MySqlCluster CLUSTER = MySqlCluster.shared(2);

  private final TestSchema schema;
  private final Leeway leeway;

  private Shop(TestSchema schema, Leeway leeway) {
    this.schema = schema;
    this.leeway = leeway;
  }

  static Shop open() throws SQLException {
    return open(builder -> builder);
  }

  static Shop open(UnaryOperator<LeewayBuilder> settings) throws SQLException {
    TestSchema schema = CLUSTER.newSchema();
    try {
      schema.execute(
          "CREATE TABLE orders (id BIGINT PRIMARY KEY AUTO_INCREMENT, status VARCHAR(60) NOT NULL)",
          "INSERT INTO orders(id, status) VALUES (1, 'new'), (2, 'new'), (3, 'new')",
          "CREATE TABLE whoami (name VARCHAR(20) PRIMARY KEY)");
      schema.awaitReplicated();
      for (MySqlServer server : CLUSTER.servers()) {
        server.executeHereOnly(
            "INSERT INTO " + schema.name() + ".whoami VALUES ('" + server.name() + "')");
      }
      Leeway leeway = settings.apply(builder(schema)).start();
      Await.until(
          "all servers serve",
          BOUND,
          () ->
              leeway.clusterState().servers().stream()
                  .filter(server -> server.index() != leeway.clusterState().primaryIndex())
                  .allMatch(server -> server.mayServe()));
      return new Shop(schema, leeway);
    } catch (SQLException | RuntimeException e) {
      schema.close();
      throw e;
    }
  }

  private static LeewayBuilder builder(TestSchema schema) {
    // Replicas that were made to stand still must stay eligible, or nothing could go wrong.
    LeewayBuilder builder =
        Leeway.builder("shop")
            .monitoring(
                MonitorSettings.builder()
                    .createHeartbeatTable(true)
                    .ejectAbove(Duration.ofHours(1))
                    .build());
    for (MySqlServer server : CLUSTER.servers()) {
      String url = server.jdbcUrl(schema.name());
      if (server.name().equals("primary")) {
        builder.primary(server.name(), url, server.user(), server.password());
      } else {
        builder.replica(server.name(), url, server.user(), server.password());
      }
    }
    return builder;
  }

  Leeway leeway() {
    return leeway;
  }

  TestSchema schema() {
    return schema;
  }

  /** Behind Leeway's back, on the primary. */
  void onPrimary(String sql) throws SQLException {
    schema.execute(sql);
  }

  /** What the primary holds. */
  String statusOnPrimary(long id) throws SQLException {
    return String.valueOf(
        CLUSTER
            .primary()
            .queryString("SELECT status FROM " + schema.name() + ".orders WHERE id = " + id));
  }

  /** No replica applies anything until this is closed. */
  StandStill replicasStandStill() {
    List<Fault> faults = new ArrayList<>();
    CLUSTER.replicas().forEach(replica -> faults.add(replica.pauseApplier()));
    return () -> {
      faults.forEach(Fault::close);
      schema.awaitReplicated();
    };
  }

  /** Replicas that apply nothing. */
  interface StandStill extends AutoCloseable {
    @Override
    void close();
  }

  @Override
  public void close() {
    leeway.close();
    schema.close();
  }
}
