package dev.leeway.routing.decide;

/**
 * Comparison of {@link System#nanoTime} values, which may be negative and may wrap, with one value
 * set aside for "never".
 */
public final class Moments {
  /** No such moment: nothing was written or seen, or the freshness of a server is not known. */
  public static final long NEVER = Long.MIN_VALUE;

  private Moments() {}

  /** Whether what is fresh as of {@code fresh} shows everything up to {@code required}. */
  public static boolean reaches(long fresh, long required) {
    return required == NEVER || (fresh != NEVER && fresh - required >= 0);
  }

  /** The later of two moments; {@link #NEVER} is earlier than all. */
  public static long later(long one, long other) {
    if (one == NEVER) {
      return other;
    }
    return other == NEVER || one - other >= 0 ? one : other;
  }
}
