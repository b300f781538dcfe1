package dev.leeway.routing.connection;

import dev.leeway.gate.GtidSet;

/** Waits for a replica, as the gate does it. */
public interface CatchUp {
  /** Waits for nothing. */
  CatchUp NONE =
      new CatchUp() {
        @Override
        public boolean awaitOn(int server, GtidSet gtids, long timeoutNanos) {
          return false;
        }

        @Override
        public boolean awaitFreshAsOf(int server, long momentNanos, long timeoutNanos) {
          return false;
        }
      };

  /**
   * Waits until a server has executed the transactions.
   *
   * @param timeoutNanos at most this long
   * @return whether it has
   */
  boolean awaitOn(int server, GtidSet gtids, long timeoutNanos);

  /**
   * Waits until a server is proved to hold everything that was visible on the primary at a moment
   * in the past.
   *
   * @param timeoutNanos at most this long
   * @return whether it does
   */
  boolean awaitFreshAsOf(int server, long momentNanos, long timeoutNanos);
}
