package dev.leeway.routing.observe;

import java.util.concurrent.atomic.LongAdder;

/**
 * How stale the data was that one server gave out: counts in fixed buckets, and their sum.
 *
 * <p>Micrometer's own histograms read two clocks for each value, which would cost more than the
 * decision they describe.
 */
final class StalenessServed {
  private static final long MILLISECOND = 1_000_000L;

  /** Upper bounds of the buckets, inclusive; a last bucket without a bound follows. */
  static final long[] BOUNDS_NANOS = {
    10 * MILLISECOND,
    25 * MILLISECOND,
    50 * MILLISECOND,
    100 * MILLISECOND,
    250 * MILLISECOND,
    500 * MILLISECOND,
    1_000 * MILLISECOND,
    2_500 * MILLISECOND,
    5_000 * MILLISECOND,
    10_000 * MILLISECOND,
    30_000 * MILLISECOND,
    60_000 * MILLISECOND,
    300_000 * MILLISECOND,
  };

  private final LongAdder[] buckets = new LongAdder[BOUNDS_NANOS.length + 1];
  private final LongAdder sumNanos = new LongAdder();

  StalenessServed() {
    for (int i = 0; i < buckets.length; i++) {
      buckets[i] = new LongAdder();
    }
  }

  /** Counts one read; {@link Long#MAX_VALUE} is "unknown" and belongs to no bounded bucket. */
  void served(long stalenessNanos) {
    int bucket = 0;
    while (bucket < BOUNDS_NANOS.length && stalenessNanos > BOUNDS_NANOS[bucket]) {
      bucket++;
    }
    buckets[bucket].increment();
    if (stalenessNanos != Long.MAX_VALUE) {
      sumNanos.add(stalenessNanos);
    }
  }

  /** How many reads were at most as stale as the bucket's bound. */
  long atMost(int bucket) {
    long sum = 0;
    for (int i = 0; i <= bucket; i++) {
      sum += buckets[i].sum();
    }
    return sum;
  }

  /** How many reads there were. */
  long count() {
    return atMost(BOUNDS_NANOS.length);
  }

  /** The staleness of all reads for which it was known, added up. */
  long sumNanos() {
    return sumNanos.sum();
  }

  /** The bound of a bucket in seconds, as Prometheus writes it. */
  static String boundText(int bucket) {
    if (bucket == BOUNDS_NANOS.length) {
      return "+Inf";
    }
    return Double.toString(BOUNDS_NANOS[bucket] / 1e9);
  }
}
