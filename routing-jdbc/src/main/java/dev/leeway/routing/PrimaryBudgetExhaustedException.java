package dev.leeway.routing;

import java.sql.SQLTransientException;

/**
 * No replica could serve a read, and as many such reads as allowed are on the primary already, so
 * it was not sent anywhere.
 *
 * <p>Transient: the same read can succeed later without any change.
 */
public final class PrimaryBudgetExhaustedException extends SQLTransientException {
  private static final long serialVersionUID = 1;

  private final Reason reason;

  /** For Leeway itself. */
  public PrimaryBudgetExhaustedException(String message, Reason reason) {
    super(message, "HYT00");
    this.reason = reason;
  }

  /** What kept the replicas from serving. */
  public Reason reason() {
    return reason;
  }
}
