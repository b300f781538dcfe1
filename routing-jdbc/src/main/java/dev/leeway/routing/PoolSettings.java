package dev.leeway.routing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * How many connections Leeway keeps to each server, and how long a caller waits for one. Immutable.
 *
 * <p>There is a pool for reading to each replica and one for writing to the primary. The servers
 * must allow the sum over all application instances, and a few more for the monitors.
 *
 * @param maximumReading the most connections to one replica. Default: 10
 * @param maximumWriting the most connections to the primary. Default: 10
 * @param minimumIdle how many of each pool are kept open though idle. Default: 2
 * @param readingTimeout how long a read waits for a connection to a replica before it turns to
 *     another server. At least 250 ms. Default: 1 s
 * @param writingTimeout how long a statement waits for a connection to the primary. At least 250
 *     ms. Default: 5 s
 * @param maxLifetime the age at which a connection is replaced. At least 30 s, and less than what
 *     the server or the network between allows. Default: 30 min
 */
public record PoolSettings(
    int maximumReading,
    int maximumWriting,
    int minimumIdle,
    Duration readingTimeout,
    Duration writingTimeout,
    Duration maxLifetime) {

  private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(250);
  private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(10);
  private static final Duration SHORTEST_LIFETIME = Duration.ofSeconds(30);
  private static final Duration LONGEST_LIFETIME = Duration.ofDays(7);

  // After the bounds, which it is checked against.
  private static final PoolSettings DEFAULTS =
      new PoolSettings(
          10, 10, 2, Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofMinutes(30));

  /**
   * Checks all values together.
   *
   * @throws IllegalArgumentException if some are out of range; the message names them all
   */
  public PoolSettings {
    Objects.requireNonNull(readingTimeout, "readingTimeout");
    Objects.requireNonNull(writingTimeout, "writingTimeout");
    Objects.requireNonNull(maxLifetime, "maxLifetime");
    List<String> problems = new ArrayList<>();
    checkCount(problems, "maximumReading", maximumReading, 1);
    checkCount(problems, "maximumWriting", maximumWriting, 1);
    checkCount(problems, "minimumIdle", minimumIdle, 0);
    checkRange(problems, "readingTimeout", readingTimeout, SHORTEST_TIMEOUT, LONGEST_TIMEOUT);
    checkRange(problems, "writingTimeout", writingTimeout, SHORTEST_TIMEOUT, LONGEST_TIMEOUT);
    checkRange(problems, "maxLifetime", maxLifetime, SHORTEST_LIFETIME, LONGEST_LIFETIME);
    if (minimumIdle > maximumReading || minimumIdle > maximumWriting) {
      problems.add(
          "minimumIdle: " + minimumIdle + " (expected: no more than the maximum of either pool)");
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          "Pool settings - cannot be used: " + String.join("; ", problems));
    }
  }

  /** Every setting at its default. */
  public static PoolSettings defaults() {
    return DEFAULTS;
  }

  /** The same with other maxima. */
  public PoolSettings maximum(int reading, int writing) {
    return new PoolSettings(
        reading,
        writing,
        Math.min(minimumIdle, Math.min(reading, writing)),
        readingTimeout,
        writingTimeout,
        maxLifetime);
  }

  /** The same with another number of idle connections. */
  public PoolSettings idle(int minimum) {
    return new PoolSettings(
        maximumReading, maximumWriting, minimum, readingTimeout, writingTimeout, maxLifetime);
  }

  /** The same with other time-outs. */
  public PoolSettings timeouts(Duration reading, Duration writing) {
    return new PoolSettings(
        maximumReading, maximumWriting, minimumIdle, reading, writing, maxLifetime);
  }

  /** The same with another lifetime. */
  public PoolSettings lifetime(Duration maximum) {
    return new PoolSettings(
        maximumReading, maximumWriting, minimumIdle, readingTimeout, writingTimeout, maximum);
  }

  private static void checkCount(List<String> problems, String name, int value, int least) {
    if (value < least || value > 10_000) {
      problems.add(name + ": " + value + " (expected: " + least + " to 10000)");
    }
  }

  private static void checkRange(
      List<String> problems, String name, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      problems.add(name + ": " + value + " (expected: " + least + " to " + most + ")");
    }
  }
}
