package dev.leeway.gate;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits for something of which nobody tells. */
final class Eventually {
  private static final long LOOK_EVERY_NANOS = 10_000_000;

  private Eventually() {}

  interface Condition {
    boolean holds() throws Exception;
  }

  static void within(Duration bound, String what, Condition condition) throws Exception {
    long deadline = System.nanoTime() + bound.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not within " + bound.toMillis() + " ms: " + what);
      }
      LockSupport.parkNanos(LOOK_EVERY_NANOS);
    }
  }
}
