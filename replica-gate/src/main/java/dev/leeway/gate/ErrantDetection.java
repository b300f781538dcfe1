package dev.leeway.gate;

import static dev.leeway.gate.ServerState.UNKNOWN_NANOS;

import java.util.concurrent.TimeUnit;

/**
 * Tells transactions that a replica has of its own from those it merely shows a moment before the
 * primary does.
 *
 * <p>The primary ships a transaction before its own commit has finished, so a replica may for a
 * moment have executed what the primary's set still lacks. What a replica has beyond the primary is
 * therefore only a suspicion, until a poll of the primary that was sent well after it was seen
 * lacks it too.
 *
 * <p>Of one replica. Not thread-safe; the owner guards it.
 */
final class ErrantDetection {
  /** How long after a suspicion the primary must have been asked for its answer to count. */
  static final long MARGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private GtidSet suspected = GtidSet.EMPTY;
  private long suspectedAtNanos = UNKNOWN_NANOS;
  private GtidSet errant = GtidSet.EMPTY;

  /** What the replica has and the primary is proved to lack. */
  GtidSet errant() {
    return errant;
  }

  /** The replica had executed this by {@code receivedNanos}; the primary, when last asked, that. */
  void replicaHas(GtidSet executed, long receivedNanos, GtidSet primaryHas) {
    if (!errant.isEmpty() && !executed.contains(errant)) {
      errant = errant.subtract(errant.subtract(executed));
    }
    if (!suspected.isEmpty() || primaryHas.isEmpty() || primaryHas.contains(executed)) {
      return;
    }
    GtidSet beyond = executed.subtract(primaryHas).subtract(errant);
    if (!beyond.isEmpty()) {
      suspected = beyond;
      suspectedAtNanos = receivedNanos;
    }
  }

  /** A poll of the primary sent at this moment found this set. */
  void primaryHas(GtidSet executed, long sentNanos) {
    errant = errant.subtract(executed);
    if (suspected.isEmpty()) {
      return;
    }
    suspected = suspected.subtract(executed);
    if (!suspected.isEmpty() && sentNanos - suspectedAtNanos >= MARGIN_NANOS) {
      errant = errant.union(suspected);
      suspected = GtidSet.EMPTY;
    }
  }

  /** Another server is the primary now, or another server is the replica: all must be seen anew. */
  void reset() {
    suspected = GtidSet.EMPTY;
    suspectedAtNanos = UNKNOWN_NANOS;
    errant = GtidSet.EMPTY;
  }
}
