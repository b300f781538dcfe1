package dev.leeway.cli;

import dev.leeway.cli.config.ConfigurationException;

/** What a user is told about an exception, and the exit code it means. */
final class Failures {
  private Failures() {}

  static int exitCode(Throwable e) {
    if (e instanceof CommandException failed) {
      return failed.exitCode();
    }
    if (e instanceof ConfigurationException) {
      return ExitCode.USAGE;
    }
    return ExitCode.DEFECT;
  }

  static String describe(Throwable e) {
    if (e instanceof CommandException || e instanceof ConfigurationException) {
      return String.valueOf(e.getMessage());
    }
    return "unexpected: %s: %s. Run again with --verbose and report it."
        .formatted(e.getClass().getSimpleName(), firstLine(String.valueOf(e.getMessage())));
  }

  private static String firstLine(String message) {
    return message.lines().findFirst().orElse("");
  }
}
