package dev.leeway.cli;

import dev.leeway.cli.config.Topology;
import dev.leeway.cli.drill.DrillReport;
import dev.leeway.cli.drill.ReadAfterWrite;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Places an order, reads it at once, and counts the orders that are missing. */
@Command(
    name = "read-after-write",
    description =
        "Places an order, reads it in the next request of the same user, and counts the orders that"
            + " are missing; on a cluster of its own, or on the servers of --config.",
    footer = {
      "",
      "Exit 1 means: orders were missing. docs/drills.md tells what the drill does on your servers."
    })
final class ReadAfterWriteCommand implements Callable<Integer> {
  private static final String DELAY = "--delay";

  private final Invocation invocation;

  @Spec CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "200",
      description = "How many orders (default: ${DEFAULT-VALUE}).")
  int iterations;

  @Option(
      names = DELAY,
      paramLabel = "TIME",
      defaultValue = "10s",
      description = Delay.DESCRIPTION + " Not with --config.")
  Duration delay = Duration.ZERO;

  @Option(names = "--naive", description = "Read as a naive splitter would, to see it fail.")
  boolean naive;

  @Mixin ConfigOption config = new ConfigOption();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write the result to this file, as JSON.")
  @Nullable Path json;

  ReadAfterWriteCommand(Invocation invocation) {
    this.invocation = invocation;
  }

  @Override
  public Integer call() throws SQLException {
    Iterations.check("drill", iterations);
    JsonFile.check(json);
    ReadAfterWrite drill =
        new ReadAfterWrite(
            invocation.console(),
            iterations,
            naive,
            table -> {
              invocation.cleanup().willBe("dropping the drill's table");
              invocation.cleanup().register(table);
            });
    Optional<Topology> topology = config.topology(invocation);
    DrillReport report = topology.isPresent() ? onConfigured(drill, topology.get()) : onOwn(drill);
    invocation.console().print(report.lines());
    JsonFile.write(json, report.data());
    return report.missing() == 0 ? ExitCode.OK : ExitCode.CHECK_FAILED;
  }

  private DrillReport onConfigured(ReadAfterWrite drill, Topology topology) throws SQLException {
    if (spec.commandLine().getParseResult().hasMatchedOption(DELAY)) {
      throw CommandException.usage(
          "drill: --delay with --config (expected: one of them; how far configured servers are"
              + " behind is not this command's business)");
    }
    return drill.run(topology, topology.drillSchema().orElse(null));
  }

  private DrillReport onOwn(ReadAfterWrite drill) throws SQLException {
    Delay.check("drill", delay);
    return drill.run(OwnServers.start(invocation, delay, 1));
  }
}
