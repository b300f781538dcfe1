package dev.leeway.testkit;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A mysqld on this machine's disk, and how to start it.
 *
 * @param launcher what stands before mysqld on the command line: nothing, or the dynamic loader
 *     that came with it
 * @param options where its own files are
 * @param fakeTime the library that can give one process another clock, where there is one
 */
record MySqlInstallation(
    String description,
    MySqlVersion version,
    List<String> launcher,
    Path mysqld,
    List<String> options,
    Optional<Path> fakeTime) {

  MySqlInstallation {
    launcher = List.copyOf(launcher);
    options = List.copyOf(options);
  }

  /** The command line up to and including the options that every start needs. */
  List<String> command() {
    List<String> command = new ArrayList<>(launcher);
    command.add(mysqld.toString());
    command.add("--no-defaults");
    command.addAll(options);
    return command;
  }

  /** Asks a mysqld for its version, refusing what is not a usable MySQL. */
  static MySqlVersion versionOf(List<String> launcher, Path mysqld) throws MySqlSource.Unavailable {
    List<String> command = new ArrayList<>(launcher);
    command.add(mysqld.toString());
    command.add("--version");
    Shell.Outcome outcome;
    try {
      outcome = Shell.run(Duration.ofSeconds(30), command);
    } catch (IOException e) {
      throw new MySqlSource.Unavailable(mysqld + " cannot be run: " + e.getMessage(), e);
    }
    if (!outcome.succeeded()) {
      throw new MySqlSource.Unavailable(
          mysqld
              + " --version ended with code "
              + outcome.exitCode()
              + ": "
              + outcome.lastLines(2));
    }
    return MySqlVersion.parse(mysqld.toString(), outcome.output());
  }
}
