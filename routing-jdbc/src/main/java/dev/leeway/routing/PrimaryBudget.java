package dev.leeway.routing;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Bounds the reads that the primary takes over from replicas, so that losing all replicas does not
 * lose the primary as well.
 *
 * <p>Counts only reads that were meant for a replica, and of these not the ones that are on the
 * primary because their caller has just written or seen something newer while a replica keeps up.
 * Beyond the budget they are served stale where their fallback allows it, and otherwise fail at
 * once: nothing queues. Safe for any number of threads.
 */
public final class PrimaryBudget {
  /** How many such reads run at once unless something else is said. */
  public static final int DEFAULT_CONCURRENT = 10;

  private static final long SECOND = 1_000_000_000L;

  private final int concurrent;
  private final int perSecond;
  private final AtomicInteger inUse = new AtomicInteger();
  private final LongAdder refused = new LongAdder();

  /** The moment up to which the rate is used; see {@link #withinRate}. */
  private final AtomicLong ratedUntilNanos = new AtomicLong(Long.MIN_VALUE);

  private PrimaryBudget(int concurrent, int perSecond) {
    if (concurrent < 0 || perSecond < 0) {
      throw new IllegalArgumentException(
          "Primary budget - concurrent: %d, per second: %d (expected: zero or more)"
              .formatted(concurrent, perSecond));
    }
    this.concurrent = concurrent;
    this.perSecond = perSecond;
  }

  /**
   * At most this many at once.
   *
   * @param concurrent zero or more; with zero no read is ever taken over
   */
  public static PrimaryBudget atMost(int concurrent) {
    return new PrimaryBudget(concurrent, 0);
  }

  /**
   * At most this many at once, and this many a second: up to a second's worth may come together.
   *
   * @param perSecond more than zero
   */
  public static PrimaryBudget atMost(int concurrent, int perSecond) {
    if (perSecond == 0) {
      throw new IllegalArgumentException(
          "Primary budget - per second: 0 (expected: more than zero). Use atMost(0) to take over no"
              + " read at all.");
    }
    return new PrimaryBudget(concurrent, perSecond);
  }

  /** How many may run at once. */
  public int concurrent() {
    return concurrent;
  }

  /** How many may begin in a second; zero if only {@link #concurrent} bounds them. */
  public int perSecond() {
    return perSecond;
  }

  /** How many are running. */
  public int inUse() {
    return inUse.get();
  }

  /** How many were refused since the start. */
  public long refused() {
    return refused.sum();
  }

  /**
   * Takes a place if there is one.
   *
   * @param nowNanos {@link System#nanoTime}
   * @return whether the caller may read the primary, and must call {@link #release} afterwards
   */
  public boolean tryAcquire(long nowNanos) {
    if (inUse.incrementAndGet() <= concurrent && withinRate(nowNanos)) {
      return true;
    }
    inUse.decrementAndGet();
    refused.increment();
    return false;
  }

  /** Gives the place back. */
  public void release() {
    inUse.decrementAndGet();
  }

  /**
   * Each read moves a mark ahead by its share of a second. The mark may be a second ahead of now,
   * not more; an idle budget lets it fall behind, but no further than now.
   */
  private boolean withinRate(long nowNanos) {
    if (perSecond == 0) {
      return true;
    }
    long share = SECOND / perSecond;
    while (true) {
      long mark = ratedUntilNanos.get();
      long from = mark == Long.MIN_VALUE || nowNanos - mark > 0 ? nowNanos : mark;
      if (from + share - nowNanos > SECOND) {
        return false;
      }
      if (ratedUntilNanos.compareAndSet(mark, from + share)) {
        return true;
      }
    }
  }

  @Override
  public String toString() {
    return inUse()
        + " of "
        + concurrent
        + " reads on the primary"
        + (perSecond == 0 ? "" : ", at most " + perSecond + " a second");
  }
}
