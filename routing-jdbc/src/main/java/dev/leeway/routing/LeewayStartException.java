package dev.leeway.routing;

import org.jspecify.annotations.Nullable;

/** Leeway could not be started; nothing of it is running. The message names every problem found. */
public final class LeewayStartException extends RuntimeException {
  private static final long serialVersionUID = 1;

  LeewayStartException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
