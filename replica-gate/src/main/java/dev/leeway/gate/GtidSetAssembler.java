package dev.leeway.gate;

import java.util.Arrays;

/**
 * Builds a {@link GtidSet} from parts that arrive in canonical order: groups ascending, and within
 * a group intervals by ascending start. Intervals that overlap or touch become one; groups that end
 * up without an interval are left out.
 *
 * <p>For one thread and one set.
 */
final class GtidSetAssembler {
  private long[] sourceHigh = new long[2];
  private long[] sourceLow = new long[2];
  private String[] tags = new String[2];
  private int[] starts = new int[3];
  private int groups;

  private long[] first = new long[4];
  private long[] last = new long[4];
  private int intervals;

  /** Every following interval belongs to this source and tag. */
  void startGroup(long high, long low, String tag) {
    // An empty group is overwritten by the next one.
    if (groups > 0 && starts[groups - 1] == intervals) {
      groups--;
    }
    if (groups == tags.length) {
      sourceHigh = Arrays.copyOf(sourceHigh, groups * 2);
      sourceLow = Arrays.copyOf(sourceLow, groups * 2);
      tags = Arrays.copyOf(tags, groups * 2);
      starts = Arrays.copyOf(starts, groups * 2 + 1);
    }
    sourceHigh[groups] = high;
    sourceLow[groups] = low;
    tags[groups] = tag;
    starts[groups] = intervals;
    groups++;
  }

  /** Adds the numbers from {@code from} to {@code to}, both included. */
  void add(long from, long to) {
    // No overflow: the largest number is Long.MAX_VALUE - 1.
    if (intervals > starts[groups - 1] && from <= last[intervals - 1] + 1) {
      last[intervals - 1] = Math.max(last[intervals - 1], to);
      return;
    }
    if (intervals == GtidSet.MAX_INTERVALS) {
      throw tooManyIntervals();
    }
    if (intervals == first.length) {
      first = Arrays.copyOf(first, intervals * 2);
      last = Arrays.copyOf(last, intervals * 2);
    }
    first[intervals] = from;
    last[intervals] = to;
    intervals++;
  }

  GtidSet assemble() {
    if (groups > 0 && starts[groups - 1] == intervals) {
      groups--;
    }
    if (groups == 0) {
      return GtidSet.EMPTY;
    }
    starts[groups] = intervals;
    return new GtidSet(
        Arrays.copyOf(sourceHigh, groups),
        Arrays.copyOf(sourceLow, groups),
        Arrays.copyOf(tags, groups),
        Arrays.copyOf(starts, groups + 1),
        Arrays.copyOf(first, intervals),
        Arrays.copyOf(last, intervals));
  }

  static IllegalArgumentException tooManyIntervals() {
    return new IllegalArgumentException(
        "GTID set - more than "
            + GtidSet.MAX_INTERVALS
            + " intervals (expected: at most that many; a set this fragmented has to be subtracted"
            + " from, or read on the primary)");
  }
}
