package dev.leeway.samples.shop;

import dev.leeway.gate.ClusterState;
import dev.leeway.gate.HeartbeatStatus;
import dev.leeway.gate.MonitorSettings;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.LeewayBuilder;
import dev.leeway.testkit.Await;
import dev.leeway.testkit.MySqlCluster;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.TestSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** A shop on opening day, with Leeway, in a schema of its own. */
record OpenShop(Leeway leeway, Shop shop) implements AutoCloseable {
  static final int CUSTOMERS = 20;
  private static final Duration BOUND = Duration.ofSeconds(30);

  /** Makes the tables and returns when Leeway trusts every replica. */
  static OpenShop in(TestSchema schema) throws SQLException {
    MySqlCluster cluster = schema.cluster();
    try (Connection connection = cluster.primary().connect(schema.name())) {
      ShopSchema.create(connection, CUSTOMERS, CUSTOMERS);
    }
    schema.awaitReplicated();
    Leeway leeway = start(cluster, schema.name());
    try {
      Await.until("every replica serves", BOUND, () -> serves(leeway.clusterState()));
      return new OpenShop(leeway, Shop.on(leeway));
    } catch (RuntimeException e) {
      leeway.close();
      throw e;
    }
  }

  private static Leeway start(MySqlCluster cluster, String schema) {
    MySqlServer primary = cluster.primary();
    LeewayBuilder builder =
        Leeway.builder("shop")
            .primary(primary.name(), primary.jdbcUrl(schema), primary.user(), primary.password())
            .monitoring(
                MonitorSettings.builder()
                    .createHeartbeatTable(true)
                    .ejectAbove(Duration.ofMinutes(5))
                    .build());
    for (MySqlServer replica : cluster.replicas()) {
      builder.replica(replica.name(), replica.jdbcUrl(schema), replica.user(), replica.password());
    }
    return builder.start();
  }

  private static boolean serves(ClusterState state) {
    return state.heartbeat() == HeartbeatStatus.RUNNING
        && state.servers().stream()
            .allMatch(server -> server.index() == state.primaryIndex() || server.mayServe());
  }

  @Override
  public void close() {
    shop.close();
    leeway.close();
  }
}
