package dev.leeway.gate;

/** What the primary's own heartbeat row says about its writer. */
public enum HeartbeatStatus {
  /** The row on the primary is young: somebody writes it. */
  RUNNING,
  /**
   * The row on the primary itself is old or missing: nobody writes it. This is no lag of the
   * replicas; they are judged by positions meanwhile.
   */
  WRITER_DOWN,
  /** No heartbeat table is configured; positions alone tell how old data is. */
  NOT_CONFIGURED,
  /** The primary has not been asked yet, does not answer, or is not known. */
  UNKNOWN
}
