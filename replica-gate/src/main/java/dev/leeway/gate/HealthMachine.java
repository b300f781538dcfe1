package dev.leeway.gate;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The health of one server. Every change passes through {@link #moveTo}.
 *
 * <pre>
 *              answered, young often enough
 *   UNPROVED ------------------------------> FRESH
 *    ^  |  answered, too old                 |  ^
 *    |  +------------> STALE <---------------+  |
 *    |                   |     too old          |
 *    |                   +----------------------+
 *    |                     young often enough
 *    +--- UNREACHABLE <--- from each, when a poll fails
 *         answered
 * </pre>
 *
 * <p>Not thread-safe; the owner guards it.
 */
final class HealthMachine {
  private final long ejectAboveNanos;
  private final long readmitBelowNanos;
  private final int readmitAfter;

  private Health health = Health.UNPROVED;
  private String because = "it has not been asked yet";

  /** True until the first change: a server that was never taken out need not earn its way back. */
  private boolean neverProved = true;

  private int youngInARow;

  HealthMachine(Duration ejectAbove, Duration readmitBelow, int readmitAfter) {
    this.ejectAboveNanos = ejectAbove.toNanos();
    this.readmitBelowNanos = readmitBelow.toNanos();
    this.readmitAfter = readmitAfter;
  }

  Health health() {
    return health;
  }

  /** Why it is what it is: a clause for a log line. */
  String because() {
    return because;
  }

  /** A replica answered, and its data is this old; {@link Long#MAX_VALUE} if that is not known. */
  void answered(long stalenessNanos) {
    if (health == Health.UNREACHABLE) {
      moveTo(Health.UNPROVED, "it answers again");
    }
    if (stalenessNanos == Long.MAX_VALUE) {
      // Not known is neither young nor old. What is FRESH was known, and known ages ever get
      // unknown
      // only by becoming UNPROVED, so this leaves nothing serving.
      youngInARow = 0;
      if (health == Health.FRESH) {
        moveTo(Health.STALE, "nothing shows any more how old its data is");
      }
      return;
    }
    if (stalenessNanos > ejectAboveNanos) {
      tooOld(stalenessNanos);
      return;
    }
    if (health == Health.FRESH) {
      return;
    }
    if (neverProved) {
      moveTo(Health.FRESH, "its data is " + text(stalenessNanos) + " old");
      return;
    }
    if (stalenessNanos >= readmitBelowNanos) {
      youngInARow = 0;
      return;
    }
    youngInARow++;
    if (youngInARow >= readmitAfter) {
      moveTo(
          Health.FRESH,
          "its data was less than "
              + text(readmitBelowNanos)
              + " old in "
              + youngInARow
              + " polls in a row");
    }
  }

  /** Time has passed without an answer of a replica's own; that can only take it out. */
  void aged(long stalenessNanos) {
    if (health == Health.FRESH && stalenessNanos > ejectAboveNanos) {
      tooOld(stalenessNanos);
    }
  }

  /** The primary answered: what it holds is never old. */
  void answeredAsPrimary() {
    moveTo(Health.FRESH, "it is the primary and answers");
  }

  /** A poll was not answered. */
  void failed(@Nullable String problem) {
    moveTo(Health.UNREACHABLE, problem == null ? "it does not answer" : problem);
  }

  /** What was known of it may no longer hold. */
  void disturbed(String what) {
    if (health != Health.UNPROVED) {
      moveTo(Health.UNPROVED, what);
    }
    neverProved = false;
    youngInARow = 0;
  }

  private void tooOld(long stalenessNanos) {
    youngInARow = 0;
    moveTo(
        Health.STALE,
        "its data is "
            + text(stalenessNanos)
            + " old (limit "
            + text(ejectAboveNanos)
            + ", back below "
            + text(readmitBelowNanos)
            + ")");
  }

  private void moveTo(Health to, String why) {
    if (health == to) {
      return;
    }
    health = to;
    because = why;
    neverProved = false;
    youngInARow = 0;
  }

  private static String text(long nanos) {
    return nanos / 1_000_000 + " ms";
  }
}
