package dev.leeway.testkit;

import org.jspecify.annotations.Nullable;

/**
 * A cluster could not be started, changed or brought back to health; the message says what to do.
 */
public class ClusterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ClusterException(String message) {
    super(message);
  }

  public ClusterException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
