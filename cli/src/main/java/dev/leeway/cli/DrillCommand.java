package dev.leeway.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What the drills have in common: their name on the command line. */
@Command(
    name = "drill",
    description = "Tells the same small story many times to real servers, and counts how it ends.",
    synopsisSubcommandLabel = "DRILL")
final class DrillCommand implements Runnable {
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "no drill was given (expected: read-after-write)");
  }
}
