package dev.leeway.gate;

import static dev.leeway.gate.ServerState.UNKNOWN_NANOS;

import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * The clock of one primary as this process knows it from the monitor's polls: the one clock on
 * which two processes can tell each other a moment.
 *
 * <p>Both ways of translating err to the later side: a moment that went from one process to another
 * and back is never earlier than it was. Immutable and safe to share.
 */
public final class PrimaryClock {
  /*
   * How a moment travels
   * --------------------
   * A poll was sent at S and answered at R, and between the two the clock showed C. So the clock is ahead
   * of our time by C - R at least and by C - S at most. How far it is ahead changes little from poll to
   * poll, so the narrowest answers count, a little widened for the time that has passed since. A moment T
   * of ours was, on that clock, T and the most that it may be ahead, at the latest; a moment P of the
   * clock was, by our time, P less the least that it may be ahead, at the latest. What is added is about
   * the time that two quick polls take.
   *
   * That holds while the clock runs evenly. Where a poll cannot be explained by an even clock, the clock
   * was set or is being slewed, and what was said of it before means nothing any more: moments from
   * before are taken for the moment at which that was noticed.
   */

  /** A reading older than this does not speak for the present. */
  static final long LONGEST_READING_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** What is known less closely than this is not known. */
  static final long WIDEST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Two clocks drift apart by less than one part in this. */
  private static final long DRIFT_ONE_IN = 500;

  /** A clock that is being slewed may be faster or slower than ours by one part in this. */
  private static final long SLEW_ONE_IN = 10;

  /** A moment farther from the present than this is none. */
  private static final long FARTHEST_MICROS = TimeUnit.DAYS.toMicros(3_650);

  private final UUID server;
  private final long sentNanos;
  private final long receivedNanos;

  /** The first reading since the clock is believed: what all others are told apart by. */
  private final long anchorNanos;

  private final long anchorMicros;
  private final long believedSinceNanos;

  /** Whether it is believed since it was seen to be set. */
  private final boolean wasSet;

  /** By how much the clock gained on ours since the anchor, at least and at most. */
  private final long aheadAtLeast;

  private final long aheadAtMost;

  private PrimaryClock(
      UUID server,
      long sentNanos,
      long receivedNanos,
      long anchorNanos,
      long anchorMicros,
      long believedSinceNanos,
      boolean wasSet,
      long aheadAtLeast,
      long aheadAtMost) {
    this.server = server;
    this.sentNanos = sentNanos;
    this.receivedNanos = receivedNanos;
    this.anchorNanos = anchorNanos;
    this.anchorMicros = anchorMicros;
    this.believedSinceNanos = believedSinceNanos;
    this.wasSet = wasSet;
    this.aheadAtLeast = aheadAtLeast;
    this.aheadAtMost = aheadAtMost;
  }

  /**
   * A clock of which one reading is known.
   *
   * @param server the {@code server_uuid} of the primary
   * @param sentNanos before it was asked
   * @param receivedNanos after it had answered
   * @param clockMicros what it said, in microseconds since 1970 UTC
   */
  public static PrimaryClock first(
      UUID server, long sentNanos, long receivedNanos, long clockMicros) {
    return first(server, sentNanos, receivedNanos, clockMicros, false);
  }

  private static PrimaryClock first(
      UUID server, long sentNanos, long receivedNanos, long clockMicros, boolean wasSet) {
    return new PrimaryClock(
        server,
        sentNanos,
        receivedNanos,
        sentNanos,
        clockMicros,
        receivedNanos,
        wasSet,
        sentNanos - receivedNanos,
        0);
  }

  /** The same clock after a further reading; of another server, that server's clock. */
  public PrimaryClock read(UUID asked, long sent, long received, long clockMicros) {
    if (!asked.equals(server) || Math.abs(clockMicros - anchorMicros) > FARTHEST_MICROS) {
      return first(asked, sent, received, clockMicros);
    }
    long elapsed = TimeUnit.MICROSECONDS.toNanos(clockMicros - anchorMicros);
    long least = elapsed - (received - anchorNanos);
    long most = elapsed - (sent - anchorNanos);
    long drift = Math.max(0, received - receivedNanos) / DRIFT_ONE_IN;
    if (least > aheadAtMost + drift || most < aheadAtLeast - drift) {
      return first(asked, sent, received, clockMicros, true);
    }
    return new PrimaryClock(
        server,
        sent,
        received,
        anchorNanos,
        anchorMicros,
        believedSinceNanos,
        wasSet,
        Math.max(least, aheadAtLeast - drift),
        Math.min(most, aheadAtMost + drift));
  }

  /** The {@code server_uuid} of the primary whose clock this is. */
  public UUID server() {
    return server;
  }

  /**
   * What the clock showed at a moment of this process, at the latest.
   *
   * @param momentNanos a moment that has passed
   * @return microseconds since 1970 UTC; {@link ServerState#UNKNOWN_NANOS} if the last reading is
   *     too old or took too long to tell, and for a second after the clock was set
   */
  public long toMicros(long momentNanos, long nowNanos) {
    // Until every other process has noticed as well that the clock was set.
    boolean maybeNotNoticed = wasSet && nowNanos - believedSinceNanos < LONGEST_READING_NANOS;
    if (isVague(nowNanos) || maybeNotNoticed) {
      return UNKNOWN_NANOS;
    }
    long sinceReading = Math.max(0, momentNanos - sentNanos);
    long nanos = momentNanos - anchorNanos + aheadAtMost + sinceReading / SLEW_ONE_IN;
    return anchorMicros + Math.floorDiv(nanos, 1_000L) + 1;
  }

  /**
   * When the clock showed this, by the time of this process, at the latest.
   *
   * @param micros what {@link #toMicros} gave, here or in another process
   * @return never later than now, because what was seen lies in the past; {@link
   *     ServerState#UNKNOWN_NANOS} if the last reading is too old or took too long to tell
   */
  public long toNanos(long micros, long nowNanos) {
    if (isVague(nowNanos) || Math.abs(micros - anchorMicros) > FARTHEST_MICROS) {
      return UNKNOWN_NANOS;
    }
    long moment = anchorNanos + TimeUnit.MICROSECONDS.toNanos(micros - anchorMicros) - aheadAtLeast;
    if (nowNanos - moment > 0) {
      moment += (nowNanos - moment) / DRIFT_ONE_IN;
    }
    // Whoever said it may not have noticed yet that the clock was set.
    long earliest = believedSinceNanos + LONGEST_READING_NANOS;
    if (moment - earliest < 0) {
      moment = earliest;
    }
    return moment - nowNanos > 0 ? nowNanos : moment;
  }

  private boolean isVague(long nowNanos) {
    return nowNanos - sentNanos > LONGEST_READING_NANOS
        || aheadAtMost - aheadAtLeast > WIDEST_NANOS;
  }

  /** One line for messages. */
  @Override
  public String toString() {
    return "clock of " + server;
  }
}
