package dev.leeway.cli;

import org.jspecify.annotations.Nullable;

/** A command cannot go on. The message is all the user sees: one line, and what to do about it. */
final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  private CommandException(int exitCode, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  static CommandException usage(String message) {
    return new CommandException(ExitCode.USAGE, message, null);
  }

  static CommandException usage(String message, Throwable cause) {
    return new CommandException(ExitCode.USAGE, message, cause);
  }

  static CommandException environment(String message) {
    return new CommandException(ExitCode.ENVIRONMENT, message, null);
  }

  static CommandException environment(String message, Throwable cause) {
    return new CommandException(ExitCode.ENVIRONMENT, message, cause);
  }

  int exitCode() {
    return exitCode;
  }
}
