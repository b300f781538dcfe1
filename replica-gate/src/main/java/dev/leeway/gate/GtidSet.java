package dev.leeway.gate;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A set of global transaction identifiers, as {@code @@gtid_executed} holds it.
 *
 * <p>Always in canonical form: sources in text order, of each source the untagged transactions
 * first and then its tags in text order, intervals ascending, never overlapping and never touching.
 * So two sets that hold the same transactions are equal and print the same text, whatever text they
 * were read from.
 *
 * <p>Comparisons allocate nothing. A comparison or an operation on two sets takes time linear in
 * their intervals at most; {@link #contains(GtidSet)} with a small argument takes time logarithmic
 * in the intervals of this set.
 *
 * <p>Immutable and safe to share between threads.
 */
public final class GtidSet {
  /** The longest text that {@link #parse} accepts, in characters: 8 388 608. */
  public static final int MAX_TEXT_LENGTH = 8 << 20;

  /**
   * The most intervals one set may have: 262 144. A healthy server's executed set has a handful per
   * source; the bound keeps a broken or hostile one from filling the memory.
   */
  public static final int MAX_INTERVALS = 1 << 18;

  /** The set without any transaction. */
  public static final GtidSet EMPTY =
      new GtidSet(new long[0], new long[0], new String[0], new int[1], new long[0], new long[0]);

  private static final int DESCRIBED_INTERVALS = 8;

  /*
   * Layout
   * ------
   * A group is a (source, tag) pair, because that is what counts its own numbers. Group g has its
   * source in sourceHigh[g] and sourceLow[g], its tag in tags[g], and the intervals
   * starts[g] .. starts[g + 1] - 1 of first[] and last[], both ends included. Primitive arrays let a
   * router compare a position on every read without following pointers or allocating.
   */
  final long[] sourceHigh;
  final long[] sourceLow;
  final String[] tags;
  final int[] starts;
  final long[] first;
  final long[] last;

  /** Takes the arrays as they are: they must be canonical and are not copied. */
  GtidSet(
      long[] sourceHigh, long[] sourceLow, String[] tags, int[] starts, long[] first, long[] last) {
    this.sourceHigh = sourceHigh;
    this.sourceLow = sourceLow;
    this.tags = tags;
    this.starts = starts;
    this.first = first;
    this.last = last;
  }

  /**
   * Reads a GTID set in any form that MySQL itself accepts: with tags, blanks and line breaks,
   * upper-case letters, empty members, unsorted and overlapping intervals, and UUIDs in braces or
   * without dashes. An interval that runs backwards, such as {@code 5-3}, holds nothing, as on the
   * server.
   *
   * @throws IllegalArgumentException if the server would refuse the text, or if it is longer than
   *     {@link #MAX_TEXT_LENGTH} or has more than {@link #MAX_INTERVALS} intervals; the message
   *     names the piece and its place
   */
  public static GtidSet parse(String text) {
    return new GtidSetParser(Objects.requireNonNull(text, "text")).parse();
  }

  /** The set of just these transactions. */
  public static GtidSet of(Gtid... gtids) {
    GtidSetCollector collector = new GtidSetCollector();
    for (Gtid gtid : gtids) {
      collector
          .group(
              gtid.source().getMostSignificantBits(),
              gtid.source().getLeastSignificantBits(),
              gtid.tag())
          .add(gtid.number(), gtid.number());
    }
    return collector.collect();
  }

  /**
   * Reads what {@link #toBytes} wrote.
   *
   * @throws IllegalArgumentException if the bytes are anything else; work and memory are bounded by
   *     the length of {@code bytes} even then
   */
  public static GtidSet fromBytes(byte[] bytes) {
    return GtidSetCodec.decode(Objects.requireNonNull(bytes, "bytes"));
  }

  /** Whether every transaction of {@code other} is also in this set. Allocates nothing. */
  public boolean contains(GtidSet other) {
    int group = 0;
    for (int wanted = 0; wanted < other.tags.length; wanted++) {
      long high = other.sourceHigh[wanted];
      long low = other.sourceLow[wanted];
      String tag = other.tags[wanted];
      group = groupAtOrAfter(group, high, low, tag);
      if (group == tags.length
          || compareGroup(group, high, low, tag) != 0
          || !containsIntervals(group, other, other.starts[wanted], other.starts[wanted + 1])) {
        return false;
      }
      group++;
    }
    return true;
  }

  private boolean containsIntervals(int group, GtidSet other, int from, int to) {
    int end = starts[group + 1];
    int mine = starts[group];
    for (int wanted = from; wanted < to; wanted++) {
      mine = intervalEndingAtOrAfter(mine, end, other.last[wanted]);
      // Canonical form makes one comparison enough: an interval of ours that covers only a part of
      // the wanted one cannot be continued by its neighbour, or the two would be one interval.
      if (mine == end || first[mine] > other.first[wanted]) {
        return false;
      }
    }
    return true;
  }

  /** Whether this transaction is in the set. Allocates nothing. */
  public boolean contains(Gtid gtid) {
    long high = gtid.source().getMostSignificantBits();
    long low = gtid.source().getLeastSignificantBits();
    int group = groupAtOrAfter(0, high, low, gtid.tag());
    if (group == tags.length || compareGroup(group, high, low, gtid.tag()) != 0) {
      return false;
    }
    int end = starts[group + 1];
    int interval = intervalEndingAtOrAfter(starts[group], end, gtid.number());
    return interval < end && first[interval] <= gtid.number();
  }

  /** Whether at least one transaction is in both sets. Allocates nothing. */
  public boolean intersects(GtidSet other) {
    int mine = 0;
    int theirs = 0;
    while (mine < tags.length && theirs < other.tags.length) {
      int order = compareGroup(mine, other, theirs);
      if (order < 0) {
        mine++;
      } else if (order > 0) {
        theirs++;
      } else if (intersectsIntervals(mine++, other, theirs++)) {
        return true;
      }
    }
    return false;
  }

  private boolean intersectsIntervals(int group, GtidSet other, int otherGroup) {
    int i = starts[group];
    int j = other.starts[otherGroup];
    while (i < starts[group + 1] && j < other.starts[otherGroup + 1]) {
      if (last[i] < other.first[j]) {
        i++;
      } else if (other.last[j] < first[i]) {
        j++;
      } else {
        return true;
      }
    }
    return false;
  }

  /**
   * The transactions that are in at least one of the two sets.
   *
   * @throws IllegalArgumentException if the result had more than {@link #MAX_INTERVALS} intervals
   */
  public GtidSet union(GtidSet other) {
    if (contains(other)) {
      return this;
    }
    if (other.contains(this)) {
      return other;
    }
    GtidSetAssembler union = new GtidSetAssembler();
    int mine = 0;
    int theirs = 0;
    while (mine < tags.length || theirs < other.tags.length) {
      int order =
          mine == tags.length
              ? 1
              : theirs == other.tags.length ? -1 : compareGroup(mine, other, theirs);
      if (order < 0) {
        copyGroup(mine++, union);
      } else if (order > 0) {
        other.copyGroup(theirs++, union);
      } else {
        mergeGroups(mine++, other, theirs++, union);
      }
    }
    return union.assemble();
  }

  private void copyGroup(int group, GtidSetAssembler target) {
    target.startGroup(sourceHigh[group], sourceLow[group], tags[group]);
    for (int i = starts[group]; i < starts[group + 1]; i++) {
      target.add(first[i], last[i]);
    }
  }

  private void mergeGroups(int group, GtidSet other, int otherGroup, GtidSetAssembler target) {
    target.startGroup(sourceHigh[group], sourceLow[group], tags[group]);
    int i = starts[group];
    int j = other.starts[otherGroup];
    int endOfI = starts[group + 1];
    int endOfJ = other.starts[otherGroup + 1];
    while (i < endOfI || j < endOfJ) {
      if (j == endOfJ || (i < endOfI && first[i] <= other.first[j])) {
        target.add(first[i], last[i]);
        i++;
      } else {
        target.add(other.first[j], other.last[j]);
        j++;
      }
    }
  }

  /**
   * The transactions of this set that are not in {@code other}.
   *
   * @throws IllegalArgumentException if the result had more than {@link #MAX_INTERVALS} intervals
   */
  public GtidSet subtract(GtidSet other) {
    if (!intersects(other)) {
      return this;
    }
    GtidSetAssembler rest = new GtidSetAssembler();
    int theirs = 0;
    for (int mine = 0; mine < tags.length; mine++) {
      theirs = other.groupAtOrAfter(theirs, sourceHigh[mine], sourceLow[mine], tags[mine]);
      if (theirs < other.tags.length && compareGroup(mine, other, theirs) == 0) {
        subtractGroups(mine, other, theirs, rest);
      } else {
        copyGroup(mine, rest);
      }
    }
    return rest.assemble();
  }

  private void subtractGroups(int group, GtidSet other, int otherGroup, GtidSetAssembler rest) {
    rest.startGroup(sourceHigh[group], sourceLow[group], tags[group]);
    int j = other.starts[otherGroup];
    int endOfJ = other.starts[otherGroup + 1];
    for (int i = starts[group]; i < starts[group + 1]; i++) {
      long from = first[i];
      while (j < endOfJ && other.last[j] < from) {
        j++;
      }
      // What is taken away may reach into our next interval, so j stays on it.
      for (int k = j; k < endOfJ && other.first[k] <= last[i]; k++) {
        j = k;
        if (from < other.first[k]) {
          rest.add(from, other.first[k] - 1);
        }
        from = other.last[k] + 1;
      }
      if (from <= last[i]) {
        rest.add(from, last[i]);
      }
    }
  }

  /** Whether the set holds no transaction at all. */
  public boolean isEmpty() {
    return tags.length == 0;
  }

  /** How many transactions the set holds; {@link Long#MAX_VALUE} if there are that many or more. */
  public long transactionCount() {
    long count = 0;
    for (int i = 0; i < first.length; i++) {
      count += last[i] - first[i] + 1;
      if (count < 0) {
        return Long.MAX_VALUE;
      }
    }
    return count;
  }

  /** How many intervals the set is made of: what it costs to keep, to compare and to send. */
  public int intervalCount() {
    return first.length;
  }

  /** The servers on which the transactions were first committed, in text order. Unmodifiable. */
  public Set<UUID> sources() {
    Set<UUID> sources = new LinkedHashSet<>();
    for (int group = 0; group < tags.length; group++) {
      sources.add(new UUID(sourceHigh[group], sourceLow[group]));
    }
    return Collections.unmodifiableSet(sources);
  }

  /**
   * A compact binary form; {@link #fromBytes} reads it back to an equal set. Equal sets have equal
   * bytes. A set of one untagged transaction takes at most 31 bytes.
   */
  public byte[] toBytes() {
    return GtidSetCodec.encode(this);
  }

  /**
   * The canonical text, equal to what MySQL 9.7 prints for the same set, with a line feed after the
   * comma between two sources; {@link #parse} reads it back to an equal set. For messages see
   * {@link #describe}.
   */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(48 + 24 * first.length);
    append(text, ",\n", Integer.MAX_VALUE);
    return text.toString();
  }

  /**
   * The set on one line, for messages: the canonical text without line feeds, {@code (empty)} for
   * the empty set, and of a long set only the beginning and how much was left out.
   */
  public String describe() {
    if (isEmpty()) {
      return "(empty)";
    }
    StringBuilder text = new StringBuilder(48 + 24 * Math.min(first.length, DESCRIBED_INTERVALS));
    append(text, ",", DESCRIBED_INTERVALS);
    if (first.length > DESCRIBED_INTERVALS) {
      text.append(" and ").append(first.length - DESCRIBED_INTERVALS).append(" more intervals");
    }
    return text.toString();
  }

  private void append(StringBuilder text, String separator, int maxIntervals) {
    for (int group = 0; group < tags.length && starts[group] < maxIntervals; group++) {
      if (group == 0 || !sameSource(group - 1, group)) {
        text.append(group == 0 ? "" : separator)
            .append(new UUID(sourceHigh[group], sourceLow[group]));
      }
      if (!tags[group].isEmpty()) {
        text.append(':').append(tags[group]);
      }
      for (int i = starts[group]; i < Math.min(starts[group + 1], maxIntervals); i++) {
        text.append(':').append(first[i]);
        if (last[i] != first[i]) {
          text.append('-').append(last[i]);
        }
      }
    }
  }

  boolean sameSource(int group, int otherGroup) {
    return sourceHigh[group] == sourceHigh[otherGroup] && sourceLow[group] == sourceLow[otherGroup];
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return this == object
        || (object instanceof GtidSet other
            && Arrays.equals(first, other.first)
            && Arrays.equals(last, other.last)
            && Arrays.equals(starts, other.starts)
            && Arrays.equals(sourceHigh, other.sourceHigh)
            && Arrays.equals(sourceLow, other.sourceLow)
            && Arrays.equals(tags, other.tags));
  }

  @Override
  public int hashCode() {
    int hash = Arrays.hashCode(first);
    hash = 31 * hash + Arrays.hashCode(last);
    hash = 31 * hash + Arrays.hashCode(sourceLow);
    return 31 * hash + Arrays.hashCode(tags);
  }

  /*
   * Both searches gallop: they double their step from where they stand and then halve the last step.
   * So a small argument costs a logarithm, and a large one, searched for from left to right, costs no
   * more than walking through both sets once.
   */

  /** The first group from {@code from} on that is not below the given one. */
  private int groupAtOrAfter(int from, long high, long low, String tag) {
    int below = from;
    int probe = from;
    int step = 1;
    while (probe < tags.length && compareGroup(probe, high, low, tag) < 0) {
      below = probe + 1;
      probe += step;
      step <<= 1;
    }
    int above = Math.min(probe, tags.length);
    while (below < above) {
      int middle = (below + above) >>> 1;
      if (compareGroup(middle, high, low, tag) < 0) {
        below = middle + 1;
      } else {
        above = middle;
      }
    }
    return below;
  }

  /** The first interval from {@code from} on whose last number is not below {@code number}. */
  private int intervalEndingAtOrAfter(int from, int end, long number) {
    int below = from;
    int probe = from;
    int step = 1;
    while (probe < end && last[probe] < number) {
      below = probe + 1;
      probe += step;
      step <<= 1;
    }
    int above = Math.min(probe, end);
    while (below < above) {
      int middle = (below + above) >>> 1;
      if (last[middle] < number) {
        below = middle + 1;
      } else {
        above = middle;
      }
    }
    return below;
  }

  private int compareGroup(int group, GtidSet other, int otherGroup) {
    return compareGroup(
        group, other.sourceHigh[otherGroup], other.sourceLow[otherGroup], other.tags[otherGroup]);
  }

  private int compareGroup(int group, long high, long low, String tag) {
    return compareGroups(sourceHigh[group], sourceLow[group], tags[group], high, low, tag);
  }

  /** The order in which MySQL prints: by the bytes of the UUID, then by tag, untagged first. */
  static int compareGroups(
      long high, long low, String tag, long otherHigh, long otherLow, String otherTag) {
    if (high != otherHigh) {
      return Long.compareUnsigned(high, otherHigh);
    }
    if (low != otherLow) {
      return Long.compareUnsigned(low, otherLow);
    }
    return tag.compareTo(otherTag);
  }
}
