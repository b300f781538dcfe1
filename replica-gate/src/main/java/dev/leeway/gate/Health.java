package dev.leeway.gate;

/** How far a server can be trusted with reads. Only a {@link #FRESH} one serves. */
public enum Health {
  /**
   * Not measured since it appeared: at the start, after a restart, after another server took its
   * address, after its replication was attached anew, or after it had been unreachable. A server
   * leaves this state by a measurement, never by time.
   */
  UNPROVED,
  /** Measured, and its data is within the limit. */
  FRESH,
  /** Measured, and its data is too old, or has not been young again for long enough. */
  STALE,
  /** Did not answer its last poll. */
  UNREACHABLE
}
