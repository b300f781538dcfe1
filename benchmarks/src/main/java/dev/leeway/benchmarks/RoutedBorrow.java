package dev.leeway.benchmarks;

import dev.leeway.benchmarks.fork.Workload;
import dev.leeway.benchmarks.stub.StubDriver;
import dev.leeway.gate.ClusterState;
import dev.leeway.routing.PoolSettings;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.connection.ConnectionSource;
import dev.leeway.routing.connection.RoutingCore;
import dev.leeway.routing.connection.RoutingDataSource;
import dev.leeway.routing.observe.LeewayMetrics;
import dev.leeway.routing.observe.Observer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;

/**
 * The same read through Leeway's data source, under a replica intent, over the same driver;
 * guarded, with its staleness looked at, its reason counted in a meter registry.
 */
public class RoutedBorrow implements Workload {
  private static final ReadIntent INTENT = ReadIntent.replica().maxStaleness(Duration.ofSeconds(5));

  private final RoutingCore core;
  private final RoutingDataSource dataSource;

  /** Opens the pools. */
  public RoutedBorrow() {
    ClusterState state = Cluster.state();
    core =
        RoutingCore.builder("benchmark")
            .servers(Cluster.SERVERS, Collections.nCopies(Cluster.SERVERS.size(), stub()))
            .state(() -> state)
            .recorder(
                new Observer(
                    "benchmark",
                    new LeewayMetrics(new SimpleMeterRegistry(), "benchmark", Cluster.SERVERS),
                    false))
            .pools(PoolSettings.defaults().maximum(4, 4).idle(4))
            .build();
    dataSource = new RoutingDataSource(core);
    core.contexts().current().enter(INTENT);
  }

  final RoutingCore core() {
    return core;
  }

  private static ConnectionSource stub() {
    StubDriver driver = new StubDriver();
    return new ConnectionSource() {
      @Override
      public Connection openReading() throws SQLException {
        return driver.getConnection();
      }

      @Override
      public Connection openWriting() throws SQLException {
        return driver.getConnection();
      }
    };
  }

  @Override
  public final long run(int operations) throws Exception {
    return PointRead.repeat(dataSource, operations);
  }

  @Override
  public final void close() {
    core.close();
  }
}
