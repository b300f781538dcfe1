package dev.leeway.cli;

import dev.leeway.cli.demo.Demo;
import dev.leeway.cli.demo.DemoResult;
import dev.leeway.cli.demo.ShopCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows what Leeway is for, on real servers. */
@Command(
    name = "demo",
    description =
        "Starts a primary and two replicas that stay behind, and compares the reads of a small shop"
            + " with naive splitting and with Leeway.",
    footer = {"", "Exit 1 means: a read with Leeway was stale. docs/demo.md tells more."})
final class DemoCommand implements Callable<Integer> {
  private final Invocation invocation;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "200",
      description = "How often each query runs in each mode (default: ${DEFAULT-VALUE}).")
  int iterations;

  @Option(
      names = "--delay",
      paramLabel = "TIME",
      defaultValue = "2s",
      description = Delay.DESCRIPTION)
  Duration delay = Duration.ZERO;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write the result to this file, as JSON.")
  @Nullable Path json;

  DemoCommand(Invocation invocation) {
    this.invocation = invocation;
  }

  @Override
  public Integer call() {
    Iterations.check("demo", iterations);
    Delay.check("demo", delay);
    JsonFile.check(json);
    ShopCluster cluster = OwnServers.start(invocation, delay, Demo.customers(iterations));
    DemoResult result = new Demo(invocation.console(), cluster, iterations).run();
    invocation.console().print(result.lines());
    JsonFile.write(json, result.data());
    return result.stale() == 0 ? ExitCode.OK : ExitCode.CHECK_FAILED;
  }
}
