package dev.leeway.cli;

import dev.leeway.annotation.DurationText;
import dev.leeway.cli.demo.ShopCluster;
import dev.leeway.cli.terminal.Console;
import dev.leeway.gate.ClusterMonitor;
import dev.leeway.gate.ClusterState;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows where each server of a cluster stands. */
@Command(
    name = "lag",
    description = "Shows each server's state, staleness and position, until it is stopped.",
    footer = {
      "",
      "With --once, exit 0 means: the primary is known and every replica may serve; 1: not so."
    })
final class LagCommand implements Callable<Integer> {
  private static final Duration DEMO_DELAY = Duration.ofSeconds(2);
  private static final Duration SHORTEST = Duration.ofMillis(100);

  private final Invocation invocation;

  @Mixin ConfigOption config = new ConfigOption();

  @Option(names = "--demo", description = "Watch a cluster of the command's own, made for this.")
  boolean demo;

  @Option(names = "--once", description = "Show it once and end.")
  boolean once;

  @Option(names = "--json", description = "One line of JSON instead of a table.")
  boolean json;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      defaultValue = "1s",
      description = "Time between two looks (default: ${DEFAULT-VALUE}).")
  Duration interval = Duration.ofSeconds(1);

  LagCommand(Invocation invocation) {
    this.invocation = invocation;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (demo == (config.file != null)) {
      throw CommandException.usage(
          demo
              ? "lag: --demo and --config were both given (expected: one of them)"
              : "lag: which servers? Give --config FILE (docs/configuration.md tells what is in"
                  + " it), or --demo to watch a cluster made for this.");
    }
    if (interval.compareTo(SHORTEST) < 0) {
      throw CommandException.usage(
          "lag: --interval %s (expected: %s or more)"
              .formatted(DurationText.format(interval), DurationText.format(SHORTEST)));
    }
    ShopCluster ownCluster = demo ? startOwn() : null;
    ClusterMonitor monitor =
        ownCluster != null
            ? invocation.cleanup().register(ownCluster.monitor())
            : Watching.start(invocation, config.topology(invocation).orElseThrow());
    // What is far behind is worth one look of --once; whoever watches sees it being proved.
    Watching.awaitAnswers(
        invocation, monitor, demo && once ? DEMO_DELAY.plusSeconds(3) : Duration.ZERO);
    ClusterState state = show(monitor);
    if (once) {
      return LagView.isHealthy(state) ? ExitCode.OK : ExitCode.CHECK_FAILED;
    }
    while (true) {
      Thread.sleep(interval.toMillis());
      show(monitor);
    }
  }

  private ShopCluster startOwn() {
    ShopCluster cluster = OwnServers.start(invocation, DEMO_DELAY, 1);
    cluster.fallBehind(invocation.console());
    return cluster;
  }

  private ClusterState show(ClusterMonitor monitor) {
    ClusterState state = monitor.state();
    long now = System.nanoTime();
    Console console = invocation.console();
    if (json) {
      console.print(JsonFile.line(LagView.data(state, now)));
    } else {
      List<String> lines = LagView.lines(state, now);
      if (once) {
        console.print(lines);
      } else {
        List<String> screen = new ArrayList<>();
        screen.add(
            "%s, %s, heartbeat %s"
                .formatted(
                    state.cluster(),
                    LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS),
                    state.heartbeat().name().toLowerCase(Locale.ROOT).replace('_', ' ')));
        screen.addAll(lines);
        console.redraw(screen);
      }
    }
    return state;
  }
}
