package dev.leeway.routing;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a scope makes sure that it reads its own writes.
 *
 * <p>Whatever the mode, a replica serves only if it holds the scope's position: the modes that look
 * at time keep a scope on the primary for longer, never for less. Immutable.
 */
public final class ScopeMode {
  /** By position alone: a replica may serve as soon as it holds what the scope wrote. */
  public static final ScopeMode POSITION = new ScopeMode(0);

  /** After its first write the scope reads the primary until it is closed. */
  public static final ScopeMode PRIMARY_AFTER_WRITE = new ScopeMode(Long.MAX_VALUE);

  private final long stickyNanos;

  private ScopeMode(long stickyNanos) {
    this.stickyNanos = stickyNanos;
  }

  /**
   * The scope reads the primary for this long after each write. The time counts from the commit,
   * not from the first statement of a transaction.
   *
   * @throws IllegalArgumentException if the duration is zero or less
   */
  public static ScopeMode primaryFor(Duration duration) {
    Objects.requireNonNull(duration, "duration");
    if (duration.isZero() || duration.isNegative()) {
      throw new IllegalArgumentException(
          "Scope mode - primaryFor: "
              + duration
              + " (expected: more than zero). Use POSITION to rely on positions alone.");
    }
    return new ScopeMode(Nanos.of(duration));
  }

  /** How long a write keeps its scope on the primary, in nanoseconds; zero for not at all. */
  public long stickyNanos() {
    return stickyNanos;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ScopeMode that && stickyNanos == that.stickyNanos;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(stickyNanos);
  }

  @Override
  public String toString() {
    if (stickyNanos == 0) {
      return "POSITION";
    }
    return stickyNanos == Long.MAX_VALUE
        ? "PRIMARY_AFTER_WRITE"
        : "primaryFor(" + Duration.ofNanos(stickyNanos) + ")";
  }
}
