package dev.leeway.routing;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;

/**
 * The connection broke after a write or a commit was sent and before its answer came: it may have
 * been carried out or not.
 *
 * <p>It was sent once and not repeated. The caller has to find out, by reading the primary, before
 * it does anything again.
 */
public final class OutcomeUnknownException extends SQLNonTransientConnectionException {
  private static final long serialVersionUID = 1;

  /** For Leeway itself. */
  public OutcomeUnknownException(String message, SQLException cause) {
    super(message, "08007", cause.getErrorCode(), cause);
  }
}
