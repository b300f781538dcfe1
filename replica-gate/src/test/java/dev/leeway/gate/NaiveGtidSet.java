package dev.leeway.gate;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * GTID sets over a few numbers, as one bit per transaction: too slow to use, too plain to be wrong.
 */
final class NaiveGtidSet {
  /** In the order in which MySQL prints them. */
  static final List<UUID> SOURCES =
      List.of(
          UUID.fromString("0a11fa47-71ca-11e1-9e33-c80aa9429562"),
          UUID.fromString("3e11fa47-71ca-11e1-1e33-c80aa9429562"),
          UUID.fromString("3e11fa47-71ca-11e1-9e33-c80aa9429562"),
          UUID.fromString("b011fa47-71ca-11e1-9e33-c80aa9429562"));

  static final List<String> TAGS = List.of("", "_", "a", "a1", "a_", "b");
  static final int NUMBERS = 30;

  private final TreeMap<String, BitSet> series = new TreeMap<>();

  /** An interval as it stands in a text; empty if it runs backwards. */
  record Piece(UUID source, String tag, int first, int last) {}

  static NaiveGtidSet of(List<Piece> pieces) {
    NaiveGtidSet set = new NaiveGtidSet();
    for (Piece piece : pieces) {
      BitSet bits = set.series.computeIfAbsent(key(piece.source(), piece.tag()), k -> new BitSet());
      bits.set(piece.first(), Math.max(piece.first(), piece.last() + 1));
    }
    set.series.values().removeIf(BitSet::isEmpty);
    return set;
  }

  /** The pieces as they come, one member each, with the blanks that people and servers leave. */
  static String text(List<Piece> pieces) {
    StringBuilder text = new StringBuilder();
    for (Piece piece : pieces) {
      text.append(text.isEmpty() ? "" : piece.first() % 3 == 0 ? ",\n" : " , ")
          .append(piece.source())
          .append(piece.tag().isEmpty() ? "" : ":" + piece.tag())
          .append(piece.last() % 4 == 0 ? " : " : ":")
          .append(piece.first());
      if (piece.last() != piece.first()) {
        text.append(piece.first() % 5 == 0 ? " - " : "-").append(piece.last());
      }
    }
    return text.toString();
  }

  /** Every transaction there can be. */
  static List<Gtid> universe() {
    List<Gtid> all = new ArrayList<>();
    for (UUID source : SOURCES) {
      for (String tag : TAGS) {
        for (int number = 1; number <= NUMBERS; number++) {
          all.add(new Gtid(source, tag, number));
        }
      }
    }
    return all;
  }

  /** Sorts as MySQL prints: hex digits in order of the bytes, then the tag, the empty one first. */
  private static String key(UUID source, String tag) {
    return source + ":" + tag;
  }

  boolean contains(Gtid gtid) {
    return bits(key(gtid.source(), gtid.tag())).get((int) gtid.number());
  }

  boolean contains(NaiveGtidSet other) {
    return union(other).equals(this);
  }

  boolean intersects(NaiveGtidSet other) {
    return series.entrySet().stream()
        .anyMatch(entry -> entry.getValue().intersects(other.bits(entry.getKey())));
  }

  NaiveGtidSet union(NaiveGtidSet other) {
    NaiveGtidSet union = copy();
    other.series.forEach(
        (key, bits) -> union.series.computeIfAbsent(key, k -> new BitSet()).or(bits));
    return union;
  }

  NaiveGtidSet subtract(NaiveGtidSet other) {
    NaiveGtidSet rest = copy();
    rest.series.forEach((key, bits) -> bits.andNot(other.bits(key)));
    rest.series.values().removeIf(BitSet::isEmpty);
    return rest;
  }

  private NaiveGtidSet copy() {
    NaiveGtidSet copy = new NaiveGtidSet();
    series.forEach((key, bits) -> copy.series.put(key, (BitSet) bits.clone()));
    return copy;
  }

  private BitSet bits(String key) {
    return series.getOrDefault(key, new BitSet());
  }

  long count() {
    return series.values().stream().mapToLong(BitSet::cardinality).sum();
  }

  Set<UUID> sources() {
    Set<UUID> sources = new LinkedHashSet<>();
    for (String key : series.keySet()) {
      sources.add(UUID.fromString(key.substring(0, key.indexOf(':'))));
    }
    return sources;
  }

  String canonicalText() {
    StringBuilder text = new StringBuilder();
    String source = "";
    for (Map.Entry<String, BitSet> entry : series.entrySet()) {
      int colon = entry.getKey().indexOf(':');
      if (!source.equals(entry.getKey().substring(0, colon))) {
        source = entry.getKey().substring(0, colon);
        text.append(text.isEmpty() ? "" : ",\n").append(source);
      }
      String tag = entry.getKey().substring(colon + 1);
      text.append(tag.isEmpty() ? "" : ":" + tag);
      BitSet bits = entry.getValue();
      for (int first = bits.nextSetBit(0); first >= 0; ) {
        int last = bits.nextClearBit(first) - 1;
        text.append(':').append(first).append(first == last ? "" : "-" + last);
        first = bits.nextSetBit(last + 1);
      }
    }
    return text.toString();
  }

  @Override
  public boolean equals(Object object) {
    return object instanceof NaiveGtidSet other && series.equals(other.series);
  }

  @Override
  public int hashCode() {
    return series.hashCode();
  }
}
