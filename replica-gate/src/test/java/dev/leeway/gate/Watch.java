package dev.leeway.gate;

import dev.leeway.testkit.MySqlCluster;
import dev.leeway.testkit.MySqlServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/** A monitor of a real cluster with a probe on it, at a pace that suits tests. */
final class Watch implements AutoCloseable {
  static final String CLUSTER = "shop";

  final MySqlCluster cluster;
  final ClusterMonitor monitor;
  final StateProbe probe;
  final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private Watch(MySqlCluster cluster, MonitorSettings settings, String urlParameters) {
    this.cluster = cluster;
    ClusterMonitor.Builder builder =
        ClusterMonitor.builder(CLUSTER)
            .settings(settings)
            .meterRegistry(registry)
            .primary(endpoint(cluster.server("primary"), urlParameters));
    for (MySqlServer server : cluster.servers()) {
      if (!server.name().equals("primary")) {
        builder.replica(endpoint(server, urlParameters));
      }
    }
    monitor = builder.start();
    probe = new StateProbe(monitor);
  }

  /**
   * Limits of a second instead of ten, polls twice as often, and Leeway's table made if missing.
   */
  static MonitorSettings.Builder settings() {
    return MonitorSettings.builder()
        .pollInterval(Duration.ofMillis(50))
        .pollTimeout(Duration.ofMillis(500))
        .ejectAbove(Duration.ofSeconds(1))
        .heartbeatInterval(Duration.ofMillis(200))
        .takeOverAfter(Duration.ofSeconds(1))
        .createHeartbeatTable(true);
  }

  static Watch of(MySqlCluster cluster) {
    return of(cluster, UnaryOperator.identity());
  }

  static Watch of(MySqlCluster cluster, UnaryOperator<MonitorSettings.Builder> change) {
    return of(cluster, change, "");
  }

  static Watch of(
      MySqlCluster cluster, UnaryOperator<MonitorSettings.Builder> change, String urlParameters) {
    return new Watch(cluster, change.apply(settings()).build(), urlParameters);
  }

  static ServerEndpoint endpoint(MySqlServer server, String urlParameters) {
    String url = server.jdbcUrl("");
    String parameters =
        urlParameters.isEmpty() ? "" : (url.contains("?") ? "&" : "?") + urlParameters;
    return new ServerEndpoint(server.name(), url + parameters, server.user(), server.password());
  }

  /** Waits until every server serves and the heartbeat runs. */
  Watch ready() throws InterruptedException {
    probe.awaitAllServing();
    if (monitor.heartbeatWriter().isPresent()) {
      probe.await(
          "the heartbeat runs",
          Duration.ofSeconds(15),
          state -> state.heartbeat() == HeartbeatStatus.RUNNING);
    }
    probe.forget();
    return this;
  }

  ServerState server(String name) {
    return monitor.state().servers().stream()
        .filter(server -> server.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  static ServerState in(ClusterState state, String name) {
    return state.servers().stream()
        .filter(server -> server.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** Writes on a server as the application, and tells what everything executed there is then. */
  static WritePosition write(MySqlServer server, String... statements) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(server.jdbcUrl(""), server.user(), server.password());
        Statement statement = connection.createStatement()) {
      GtidSet before = executed(statement);
      for (String sql : statements) {
        statement.execute(sql);
      }
      GtidSet written = executed(statement).subtract(before);
      return WritePosition.of(new ClusterId(CLUSTER, 1), written);
    }
  }

  private static GtidSet executed(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("SELECT @@global.gtid_executed")) {
      row.next();
      return GtidSet.parse(row.getString(1));
    }
  }

  /** A state that was published after a poll of this server that started after the call. */
  ClusterState polled(String name) throws Exception {
    try {
      return monitor.pollNow(server(name).index()).get(30, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("a poll of " + name + " took more than 30 s", e);
    }
  }

  @Override
  public void close() {
    probe.close();
    monitor.close();
  }
}
