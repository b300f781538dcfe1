package dev.leeway.cli.drill;

/** The servers do not allow or do not do what a drill needs; the message says what to change. */
public final class DrillSetupException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DrillSetupException(String message) {
    super(message);
  }

  DrillSetupException(String message, Throwable cause) {
    super(message, cause);
  }
}
