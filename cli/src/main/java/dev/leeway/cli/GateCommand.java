package dev.leeway.cli;

import dev.leeway.cli.config.Topology;
import dev.leeway.cli.terminal.Task;
import dev.leeway.gate.ClusterId;
import dev.leeway.gate.ClusterMonitor;
import dev.leeway.gate.GateResult;
import dev.leeway.gate.GtidSet;
import dev.leeway.gate.MalformedPositionException;
import dev.leeway.gate.ReplicaGate;
import dev.leeway.gate.WritePosition;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Waits until a replica has a position. */
@Command(
    name = "gate",
    description = "Waits until a replica has reached a position, and tells which one.",
    footer = {"", "Exit 0 means: reached; 1: not reached, and the line printed says why."})
final class GateCommand implements Callable<Integer> {
  private final Invocation invocation;

  @Mixin ConfigOption config = new ConfigOption();

  @Option(
      names = "--position",
      required = true,
      paramLabel = "POSITION",
      description = "A token of a scope, or a GTID set as MySQL prints it.")
  String position = "";

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "5s",
      description = "How long to wait (default: ${DEFAULT-VALUE}).")
  Duration timeout = Duration.ZERO;

  GateCommand(Invocation invocation) {
    this.invocation = invocation;
  }

  @Override
  public Integer call() throws InterruptedException {
    Topology topology =
        config
            .topology(invocation)
            .orElseThrow(
                () ->
                    CommandException.usage(
                        "gate: which servers? Give --config FILE (docs/configuration.md tells what"
                            + " is in it)."));
    if (topology.replicas().isEmpty()) {
      throw CommandException.usage("gate: no replica is configured, so there is none to wait for");
    }
    WritePosition wanted = parse(topology.cluster());
    ClusterMonitor monitor = Watching.start(invocation, topology);
    Watching.awaitAnswers(invocation, monitor, Duration.ZERO);
    ReplicaGate gate = invocation.cleanup().register(ReplicaGate.over(monitor));
    GateResult result;
    try (Task task = invocation.console().task("waiting for the position", 0)) {
      task.detail("for " + timeout.toSeconds() + " s at most");
      result = gate.await(wanted, timeout);
    }
    invocation.console().print(result.explanation());
    return result.isReached() ? ExitCode.OK : ExitCode.CHECK_FAILED;
  }

  private WritePosition parse(String cluster) {
    String malformedToken;
    try {
      return WritePosition.parse(position);
    } catch (MalformedPositionException e) {
      malformedToken = String.valueOf(e.getMessage());
    }
    GtidSet gtids;
    try {
      gtids = GtidSet.parse(position);
    } catch (IllegalArgumentException e) {
      throw CommandException.usage(
          "gate: --position is neither a token nor a GTID set. As a token: %s. As a set: %s"
              .formatted(malformedToken, e.getMessage()));
    }
    if (gtids.isEmpty()) {
      throw CommandException.usage(
          "gate: --position is empty (expected: a token, or at least one GTID): every server has"
              + " reached that");
    }
    // A set as MySQL prints it belongs to whatever cluster it was taken from; that is taken on
    // trust.
    return WritePosition.of(new ClusterId(cluster, 0), gtids);
  }
}
