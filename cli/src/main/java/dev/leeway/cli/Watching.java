package dev.leeway.cli;

import dev.leeway.cli.config.Topology;
import dev.leeway.cli.terminal.Task;
import dev.leeway.gate.ClusterMonitor;
import dev.leeway.gate.Health;
import dev.leeway.gate.ServerState;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Monitors of clusters that a file names. */
final class Watching {
  /** Connecting takes longer than a poll; a login over TLS to a busy server may take seconds. */
  private static final Duration CONNECTING = Duration.ofSeconds(5);

  private static final String ACCESS_DENIED = "[error 1045]";

  private Watching() {}

  /** Starts to watch; the run's cleanup ends it. */
  static ClusterMonitor start(Invocation invocation, Topology topology) {
    ClusterMonitor.Builder builder =
        ClusterMonitor.builder(topology.cluster())
            .primary(topology.primary())
            .settings(topology.monitoring());
    topology.replicas().forEach(builder::replica);
    return invocation.cleanup().register(builder.start());
  }

  /**
   * Returns when each server has answered and is proved, or has had its chance.
   *
   * @param behind how far replicas are known to be behind; a proof takes that long
   * @throws CommandException if none has answered: then there is nothing to show or to wait for
   */
  static void awaitAnswers(Invocation invocation, ClusterMonitor monitor, Duration behind)
      throws InterruptedException {
    try (Task task = invocation.console().task("asking each server", 0)) {
      task.detail(
          "for " + monitor.settings().pollTimeout().plus(CONNECTING).toSeconds() + " s at most");
      monitor.awaitFirstSample(monitor.settings().pollTimeout().plus(CONNECTING));
    }
    List<ServerState> servers = monitor.state().servers();
    if (servers.stream().anyMatch(server -> server.serverUuid() != null)) {
      awaitProof(monitor, behind);
      return;
    }
    String problems =
        servers.stream()
            .map(server -> server.name() + ": " + server.problem())
            .collect(Collectors.joining("; "));
    String message = monitor.clusterName() + ": no server answers: " + problems;
    throw problems.contains(ACCESS_DENIED)
        ? CommandException.usage(message + ". Check user and password.")
        : CommandException.environment(message);
  }

  /** One answer proves nothing; a few in a row do, unless the server is further behind. */
  private static void awaitProof(ClusterMonitor monitor, Duration behind)
      throws InterruptedException {
    Duration interval = monitor.settings().pollInterval();
    Duration patience = behind.plus(interval.multipliedBy(3L * monitor.settings().readmitAfter()));
    long end = System.nanoTime() + patience.toNanos();
    while (monitor.state().servers().stream().anyMatch(server -> server.health() == Health.UNPROVED)
        && System.nanoTime() - end < 0) {
      Thread.sleep(interval.toMillis());
    }
  }
}
