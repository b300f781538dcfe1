package dev.leeway.proxy.frontend;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Stops somebody who tries one password after the other: after a number of failures of one user
 * from one address within a time, the pair is turned away for that time.
 *
 * <p>Safe for any number of threads.
 */
public final class LoginFailures {
  private static final int MOST_REMEMBERED = 10_000;

  private final int most;
  private final Duration window;
  private final LongSupplier clock;

  private final Map<String, Failures> failures =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Failures> eldest) {
          return size() > MOST_REMEMBERED;
        }
      };

  private record Failures(int count, long sinceNanos) {}

  /**
   * @param most failures allowed within the window
   * @param clock in nanoseconds, as {@link System#nanoTime}
   */
  public LoginFailures(int most, Duration window, LongSupplier clock) {
    this.most = most;
    this.window = window;
    this.clock = clock;
  }

  /** Whether the user is turned away from this address for now. */
  synchronized boolean isBlocked(String address, String user) {
    Failures known = failures.get(key(address, user));
    return known != null && known.count >= most && !isOver(known);
  }

  synchronized void failed(String address, String user) {
    String key = key(address, user);
    Failures known = failures.get(key);
    if (known == null || isOver(known)) {
      // Put at the end, so that the oldest ones are forgotten first.
      failures.remove(key);
      failures.put(key, new Failures(1, clock.getAsLong()));
    } else {
      failures.put(key, new Failures(known.count + 1, known.sinceNanos));
    }
  }

  synchronized void succeeded(String address, String user) {
    failures.remove(key(address, user));
  }

  private boolean isOver(Failures known) {
    return clock.getAsLong() - known.sinceNanos > window.toNanos();
  }

  private static String key(String address, String user) {
    return address + ' ' + user;
  }
}
