package dev.leeway.gate;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Builds a {@link GtidSet} from intervals in any order, overlapping or not.
 *
 * <p>For one thread and one set.
 */
final class GtidSetCollector {
  private final TreeMap<Group, Intervals> groups = new TreeMap<>();
  private int intervals;

  /** The intervals of this source and tag, to add to. */
  Intervals group(long high, long low, String tag) {
    return groups.computeIfAbsent(new Group(high, low, tag), group -> new Intervals());
  }

  GtidSet collect() {
    GtidSetAssembler assembler = new GtidSetAssembler();
    for (Map.Entry<Group, Intervals> entry : groups.entrySet()) {
      Group group = entry.getKey();
      assembler.startGroup(group.high(), group.low(), group.tag());
      entry.getValue().moveTo(assembler);
    }
    return assembler.assemble();
  }

  private record Group(long high, long low, String tag) implements Comparable<Group> {
    @Override
    public int compareTo(Group other) {
      return GtidSet.compareGroups(high, low, tag, other.high, other.low, other.tag);
    }
  }

  /** The intervals of one source and tag. */
  final class Intervals {
    private long[] first = new long[2];
    private long[] last = new long[2];
    private int count;
    private boolean sorted = true;

    /** Adds the numbers from {@code from} to {@code to}, both included. */
    void add(long from, long to) {
      // Counted before merging, so that memory is bounded whatever the order of the input is.
      if (intervals == GtidSet.MAX_INTERVALS) {
        throw GtidSetAssembler.tooManyIntervals();
      }
      if (count == first.length) {
        first = Arrays.copyOf(first, count * 2);
        last = Arrays.copyOf(last, count * 2);
      }
      sorted &= count == 0 || first[count - 1] <= from;
      first[count] = from;
      last[count] = to;
      count++;
      intervals++;
    }

    private void moveTo(GtidSetAssembler assembler) {
      if (sorted) {
        for (int i = 0; i < count; i++) {
          assembler.add(first[i], last[i]);
        }
        return;
      }
      Integer[] order = new Integer[count];
      Arrays.setAll(order, i -> i);
      Arrays.sort(order, (a, b) -> Long.compare(first[a], first[b]));
      for (int i : order) {
        assembler.add(first[i], last[i]);
      }
    }
  }
}
