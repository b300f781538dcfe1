package dev.leeway.routing;

import java.sql.SQLNonTransientException;

/**
 * A statement contradicts what was declared for it, so it was not sent: a write in a read-only
 * transaction, a read of the primary inside a transaction that lives on a replica, or, in strict
 * mode, anything but a plain read in a replica method.
 */
public final class IntentViolationException extends SQLNonTransientException {
  private static final long serialVersionUID = 1;

  /** For Leeway itself. */
  public IntentViolationException(String message) {
    super(message, "25006");
  }
}
