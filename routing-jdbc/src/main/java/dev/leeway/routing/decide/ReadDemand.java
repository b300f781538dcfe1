package dev.leeway.routing.decide;

import dev.leeway.gate.GtidSet;

/**
 * What a replica must hold before this caller may read from it.
 *
 * <p>Moments are {@link System#nanoTime} values or {@link Moments#NEVER}.
 */
public interface ReadDemand {
  /** The transactions the caller wrote, as far as their GTIDs are known. */
  GtidSet written();

  /**
   * A moment after the last commit in {@link #written}: a replica that is fresh as of then holds
   * them all, and the sets need not be compared.
   */
  long writtenAtNanos();

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
}
