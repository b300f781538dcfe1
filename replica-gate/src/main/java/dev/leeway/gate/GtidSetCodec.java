package dev.leeway.gate;

/**
 * The binary form of a GTID set.
 *
 * <pre>
 *   byte    version, 1
 *   varint  number of sources; then for each source, ascending:
 *     16 bytes  UUID, big-endian
 *     varint    number of tags (the untagged series counts as one); then for each tag, ascending:
 *       byte      length of the tag, 0 if untagged; then the tag in ASCII
 *       varint    number of intervals; then for each interval, ascending:
 *         varint    gap: first number minus the smallest one possible here
 *         varint    length: last number minus first number
 * </pre>
 *
 * <p>The smallest possible first number is 1 in the first interval of a tag, and two above the last
 * number of the previous interval otherwise, since intervals never touch. Only the one canonical
 * encoding of a set is accepted, so bytes that differ mean sets that differ.
 */
final class GtidSetCodec {
  private static final int VERSION = 1;
  private static final int MIN_INTERVAL_BYTES = 2;
  private static final int MIN_TAG_BYTES = 2 + MIN_INTERVAL_BYTES;
  private static final int MIN_SOURCE_BYTES = 16 + 1 + MIN_TAG_BYTES;

  private GtidSetCodec() {}

  static byte[] encode(GtidSet set) {
    ByteWriter out = new ByteWriter(16 + set.tags.length * 24 + set.first.length * 8);
    write(set, out);
    return out.toByteArray();
  }

  static void write(GtidSet set, ByteWriter out) {
    out.writeByte(VERSION);
    int groups = set.tags.length;
    int sources = 0;
    for (int group = 0; group < groups; group = endOfSource(set, group)) {
      sources++;
    }
    out.writeVarint(sources);
    for (int group = 0; group < groups; ) {
      int end = endOfSource(set, group);
      out.writeLong(set.sourceHigh[group]);
      out.writeLong(set.sourceLow[group]);
      out.writeVarint(end - group);
      for (; group < end; group++) {
        out.writeShortText(set.tags[group]);
        writeIntervals(set, group, out);
      }
    }
  }

  private static int endOfSource(GtidSet set, int group) {
    int end = group + 1;
    while (end < set.tags.length && set.sameSource(group, end)) {
      end++;
    }
    return end;
  }

  private static void writeIntervals(GtidSet set, int group, ByteWriter out) {
    out.writeVarint(set.starts[group + 1] - set.starts[group]);
    long smallest = 1;
    for (int i = set.starts[group]; i < set.starts[group + 1]; i++) {
      out.writeVarint(set.first[i] - smallest);
      out.writeVarint(set.last[i] - set.first[i]);
      // May be beyond the largest number after the last interval; then it is not used any more.
      smallest = set.last[i] + 2;
    }
  }

  static GtidSet decode(byte[] bytes) {
    ByteReader in = new ByteReader("GTID set", bytes);
    GtidSet set = read(in);
    in.expectEnd();
    return set;
  }

  static GtidSet read(ByteReader in) {
    int version = in.readByte();
    if (version != VERSION) {
      throw in.malformed("version " + version, "version " + VERSION);
    }
    GtidSetAssembler assembler = new GtidSetAssembler();
    int sources = in.readCount("sources", MIN_SOURCE_BYTES);
    long previousHigh = 0;
    long previousLow = 0;
    for (int source = 0; source < sources; source++) {
      long high = in.readLong();
      long low = in.readLong();
      if (source > 0 && GtidSet.compareGroups(previousHigh, previousLow, "", high, low, "") >= 0) {
        throw in.malformed("sources out of order", "ascending sources, each once");
      }
      readTags(high, low, in, assembler);
      previousHigh = high;
      previousLow = low;
    }
    return assembler.assemble();
  }

  private static void readTags(long high, long low, ByteReader in, GtidSetAssembler assembler) {
    int tags = in.readCount("tags", MIN_TAG_BYTES);
    if (tags == 0) {
      throw in.malformed("a source without tags", "at least one tag");
    }
    String previous = "";
    for (int i = 0; i < tags; i++) {
      String tag = in.readShortText(GtidTag.MAX_LENGTH);
      if (!tag.equals(GtidTag.normalized(tag))) {
        throw in.malformed("tag '" + Excerpt.of(tag) + "'", "a tag in lower case");
      }
      if (i > 0 && previous.compareTo(tag) >= 0) {
        throw in.malformed("tags out of order", "ascending tags, each once");
      }
      assembler.startGroup(high, low, tag);
      readIntervals(in, assembler);
      previous = tag;
    }
  }

  private static void readIntervals(ByteReader in, GtidSetAssembler assembler) {
    int intervals = in.readCount("intervals", MIN_INTERVAL_BYTES);
    if (intervals == 0) {
      throw in.malformed("a tag without intervals", "at least one interval");
    }
    long smallest = 1;
    for (int i = 0; i < intervals; i++) {
      long first = readNumber(in, smallest);
      long last = readNumber(in, first);
      assembler.add(first, last);
      // No overflow past what readNumber refuses: last is at most Long.MAX_VALUE - 1.
      smallest = last == Gtid.MAX_NUMBER ? Long.MAX_VALUE : last + 2;
    }
  }

  private static long readNumber(ByteReader in, long base) {
    long delta = in.readVarint();
    if (base > Gtid.MAX_NUMBER || delta > Gtid.MAX_NUMBER - base) {
      throw in.malformed("a number out of range", "at most " + Gtid.MAX_NUMBER);
    }
    return base + delta;
  }
}
