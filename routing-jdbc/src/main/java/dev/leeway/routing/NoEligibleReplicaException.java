package dev.leeway.routing;

import java.sql.SQLTransientException;

/**
 * No replica could serve a read whose fallback is {@code FAIL}, so it was not sent anywhere.
 *
 * <p>Transient: the same read can succeed later without any change.
 */
public final class NoEligibleReplicaException extends SQLTransientException {
  private static final long serialVersionUID = 1;

  private final Reason reason;

  /** For Leeway itself. */
  public NoEligibleReplicaException(String message, Reason reason) {
    super(message, "HYT00");
    this.reason = reason;
  }

  /** What kept the replicas from serving. */
  public Reason reason() {
    return reason;
  }
}
