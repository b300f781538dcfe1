package dev.leeway.routing.connection;

import dev.leeway.gate.GtidSet;

/** Waits for a replica, as the gate does it. */
@FunctionalInterface
public interface CatchUp {
  /**
   * Waits until a server has executed the transactions.
   *
   * @param timeoutNanos at most this long
   * @return whether it has
   */
  boolean awaitOn(int server, GtidSet gtids, long timeoutNanos);
}
