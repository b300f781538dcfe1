package dev.leeway.annotation;

/** Where a {@link ReadReplica} read goes when no replica is fresh enough for it. */
public enum Fallback {
  /**
   * To the primary, within the budget that protects it. Beyond the budget the read fails, so that
   * losing all replicas does not lose the primary too.
   */
  PRIMARY,
  /** Nowhere: the read fails at once, with an exception that says how stale each replica is. */
  FAIL,
  /**
   * To a replica that is staler than allowed, when the primary has no budget left for it. The only
   * way to be served older data than {@code maxStaleness} names.
   */
  STALE
}
