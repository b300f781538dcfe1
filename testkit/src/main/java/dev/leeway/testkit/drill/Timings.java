package dev.leeway.testkit.drill;

import java.time.Duration;
import java.util.Arrays;

/**
 * How long something took, seen many times.
 *
 * @param p50 half of them took at most this
 * @param p99 99 of 100 took at most this
 * @param max none took longer
 */
public record Timings(Duration p50, Duration p99, Duration max) {

  /** By the nearest-rank rule, so that every figure is one that was really measured. */
  static Timings of(long[] nanos) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return new Timings(rank(sorted, 50), rank(sorted, 99), rank(sorted, 100));
  }

  private static Duration rank(long[] sorted, int percent) {
    int rank = (int) Math.ceil(sorted.length * percent / 100.0);
    return Duration.ofNanos(sorted[Math.max(0, rank - 1)]);
  }
}
