package dev.leeway.routing.decide;

/**
 * What a replica must hold before this caller may read from it.
 *
 * <p>Moments are {@link System#nanoTime} values or {@link Moments#NEVER}.
 */
public interface ReadDemand {
  /** What the caller wrote, as far as the GTIDs are known. */
  Writes writes();

  /**
   * The newest moment at which the caller saw data that no GTID of its own stands for: on the
   * primary, or on a replica that was lost since. A replica serves only if it is fresh as of then.
   */
  long seenAtNanos();

  /** Until when the caller stays on the primary after a write; {@link Long#MAX_VALUE} for ever. */
  long stickyUntilNanos();

  /** The replica that served the caller before, or −1. */
  int pinnedServer();

  /** The generation of the pinned replica when it was pinned. */
  long pinnedGeneration();

  /**
   * When the pinned replica last answered this caller. Any other replica serves only if it is fresh
   * as of then. Asked only if the pinned replica cannot serve.
   */
  long pinnedServedAtNanos();

  /**
   * A moment that the pinned replica is known to show by what another process has proved, whatever
   * is known of it here; {@link Moments#NEVER} if nothing was.
   */
  default long pinnedShowsSeenNanos() {
    return Moments.NEVER;
  }

  /**
   * The same for what the caller has written: the pinned replica holds what was committed by then.
   */
  default long pinnedShowsWrittenNanos() {
    return Moments.NEVER;
  }
}
