package dev.leeway.routing;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/**
 * The server refused a write because it is read-only: it is not the primary any more. Nothing was
 * written; the connection was taken out of the pool.
 *
 * <p>Transient: the same write can succeed on the new primary. It was not repeated, because only
 * the caller knows what else belongs to it.
 */
public final class ReadOnlyServerException extends SQLTransientConnectionException {
  private static final long serialVersionUID = 1;

  /** For Leeway itself. */
  public ReadOnlyServerException(String message, SQLException cause) {
    super(message, "25006", cause.getErrorCode(), cause);
  }
}
