package dev.leeway.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** What stands before the name of a command, or alone. */
@Command(
    name = "leeway",
    description = "Read routing for Java applications on MySQL, by what a read means.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    scope = ScopeType.INHERIT,
    sortOptions = false,
    usageHelpAutoWidth = true,
    exitCodeListHeading = "%nExit codes:%n",
    synopsisSubcommandLabel = "COMMAND")
final class LeewayCommand implements Runnable {
  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Show stack traces and what goes on inside.")
  boolean verbose;

  @Option(
      names = "--log-file",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "Also write the log to this file.")
  @Nullable Path logFile;

  @Spec @Nullable CommandSpec spec;

  @Override
  public void run() {
    if (spec != null) {
      throw new ParameterException(spec.commandLine(), "no command was given");
    }
  }
}
