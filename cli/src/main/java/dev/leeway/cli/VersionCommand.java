package dev.leeway.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What {@code --version} does, for those who write it as a word. */
@Command(name = "version", description = "Shows the version of leeway and of Java.")
final class VersionCommand implements Runnable {
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    spec.commandLine().getParent().printVersionHelp(spec.commandLine().getOut());
  }
}
