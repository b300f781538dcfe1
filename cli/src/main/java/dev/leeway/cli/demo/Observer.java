package dev.leeway.cli.demo;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the queries that are under observation and lets the others pass.
 *
 * <p>One run observes one thing at a time, from as many threads as it likes.
 */
final class Observer implements Witness.Listener {
  private final Supplier<String> reason;
  private volatile @Nullable Tally current;

  /**
   * @param reason why the last query of the calling thread went where it went; empty where nobody
   *     says
   */
  Observer(Supplier<String> reason) {
    this.reason = reason;
  }

  @Override
  public void served(String serverUuid, long nanos) {
    Tally tally = current;
    if (tally != null) {
      tally.served(serverUuid, nanos, reason.get());
    }
  }

  /** Counts what happens until {@code work} returns. */
  <T> T observe(Tally tally, Supplier<T> work) {
    current = tally;
    try {
      return work.get();
    } finally {
      current = null;
    }
  }
}
