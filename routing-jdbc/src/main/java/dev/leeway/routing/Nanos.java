package dev.leeway.routing;

import java.time.Duration;

/** Durations as nanoseconds that saturate: 293 years is as good as for ever. */
final class Nanos {
  private Nanos() {}

  static long of(Duration duration) {
    try {
      return duration.toNanos();
    } catch (ArithmeticException e) {
      return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }
}
