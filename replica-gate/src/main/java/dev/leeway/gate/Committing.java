package dev.leeway.gate;

import static dev.leeway.gate.ServerState.UNKNOWN_NANOS;

import java.util.concurrent.TimeUnit;

/**
 * Which transactions may already be visible on the primary although they are not in its executed
 * set.
 *
 * <p>A commit becomes visible a moment before its GTID enters {@code gtid_executed}; on a server
 * short of processor time that moment was seen to last 76 ms. All that time, and since before a
 * replica could receive it, the GTID is in {@code gtid_owned}. So the owned set, read before the
 * executed one, and the executed set together hold everything that can be seen.
 *
 * <p>They may hold more: a GTID is also owned by a session that has merely announced it, and by a
 * transaction that the primary itself replicates from elsewhere and has not finished. No replica
 * could ever catch up with those, so what has been owned for long is left out.
 *
 * <p>Of one primary. Not thread-safe; the owner guards it.
 */
final class Committing {
  /** How long a commit that is visible may take to enter the executed set. */
  static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(5);

  private GtidSet ownedThen = GtidSet.EMPTY;
  private long thenNanos = UNKNOWN_NANOS;
  private GtidSet ownedForLong = GtidSet.EMPTY;

  /** What may be visible on the primary, by a poll sent at that moment, and does not hang. */
  GtidSet visible(GtidSet executed, GtidSet owned, long sentNanos) {
    if (thenNanos == UNKNOWN_NANOS || sentNanos - thenNanos >= LONGEST_NANOS) {
      ownedForLong = thenNanos == UNKNOWN_NANOS ? GtidSet.EMPTY : common(ownedThen, owned);
      ownedThen = owned;
      thenNanos = sentNanos;
    } else {
      ownedForLong = common(ownedForLong, owned);
    }
    return owned.isEmpty() ? executed : executed.union(owned.subtract(ownedForLong));
  }

  private static GtidSet common(GtidSet a, GtidSet b) {
    return a.isEmpty() || b.isEmpty() ? GtidSet.EMPTY : a.subtract(a.subtract(b));
  }
}
