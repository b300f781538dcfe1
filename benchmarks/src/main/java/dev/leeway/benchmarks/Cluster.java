package dev.leeway.benchmarks;

import dev.leeway.gate.ClusterId;
import dev.leeway.gate.ClusterState;
import dev.leeway.gate.GtidSet;
import dev.leeway.gate.Health;
import dev.leeway.gate.HeartbeatStatus;
import dev.leeway.gate.ServerState;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A primary and two replicas as the monitor would show them, fresh for as long as a run lasts. */
final class Cluster {
  static final List<String> SERVERS = List.of("primary", "replica-1", "replica-2");
  static final String SOURCE = "3e11fa47-71ca-11e1-9e33-c80aa9429562";

  /** One write that both replicas have. */
  static final GtidSet WRITTEN = GtidSet.parse(SOURCE + ":99500");

  private Cluster() {}

  static ClusterState state() {
    long now = System.nanoTime();
    GtidSet executed = GtidSet.parse(SOURCE + ":1-100000," + UUID.randomUUID() + ":1-7");
    List<ServerState> servers =
        IntStream.range(0, SERVERS.size())
            .mapToObj(
                index ->
                    ServerState.builder(SERVERS.get(index), index)
                        .health(Health.FRESH)
                        .serverUuid(UUID.randomUUID())
                        .executed(executed)
                        .freshAsOfNanos(now + TimeUnit.HOURS.toNanos(1))
                        .sampledAtNanos(now)
                        .build())
            .toList();
    return ClusterState.of(
        new ClusterId("benchmark", 0), servers, 0, "configured", HeartbeatStatus.RUNNING, 1);
  }
}
