package dev.leeway.routing;

import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/**
 * No server is known to take writes, so nothing was sent.
 *
 * <p>Transient: it ends when a primary is there again.
 */
public final class NoWritableServerException extends SQLTransientConnectionException {
  private static final long serialVersionUID = 1;

  /** For Leeway itself. */
  public NoWritableServerException(String message, @Nullable Throwable cause) {
    super(message, "08001", cause);
  }
}
