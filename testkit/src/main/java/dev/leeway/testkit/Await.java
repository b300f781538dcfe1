package dev.leeway.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits for a condition with a bound, so that a test never sleeps for a guessed time. */
public final class Await {
  private static final long LONGEST_PAUSE_NANOS = Duration.ofMillis(20).toNanos();

  private Await() {}

  /** Something that becomes true; it may talk to a server, so it may fail. */
  @FunctionalInterface
  public interface Condition {
    boolean holds() throws Exception;
  }

  /**
   * Returns as soon as the condition holds. An exception out of the condition counts as "not yet";
   * the last one becomes the cause of the failure.
   *
   * @param what the condition in words, for the message
   * @throws ClusterException when it does not hold within the bound, or the thread is interrupted
   */
  public static void until(String what, Duration bound, Condition condition) {
    until(what, bound, condition, () -> "");
  }

  /** As {@link #until(String, Duration, Condition)}; {@code seen} adds what was there instead. */
  static void until(String what, Duration bound, Condition condition, Supplier<String> seen) {
    long start = System.nanoTime();
    long pauseNanos = 1_000_000;
    Exception last = null;
    while (true) {
      try {
        if (condition.holds()) {
          return;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ClusterException("await - interrupted while waiting for: " + what, e);
      } catch (Exception e) {
        last = e;
      }
      if (System.nanoTime() - start >= bound.toNanos()) {
        throw new ClusterException(message(what, bound, seen.get(), last), last);
      }
      LockSupport.parkNanos(pauseNanos);
      if (Thread.interrupted()) {
        Thread.currentThread().interrupt();
        throw new ClusterException("await - interrupted while waiting for: " + what);
      }
      pauseNanos = Math.min(LONGEST_PAUSE_NANOS, pauseNanos * 2);
    }
  }

  private static String message(
      String what, Duration bound, String seen, @Nullable Exception last) {
    return "await - not within "
        + bound.toMillis()
        + " ms: "
        + what
        + (seen.isEmpty() ? "" : " (seen: " + seen + ")")
        + (last == null ? "" : " (last error: " + last.getMessage() + ")");
  }
}
