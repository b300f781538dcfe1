package dev.leeway.statement;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;

/** Collects the tables a text names, up to a bound. Mutable, for one thread and one text. */
final class TableNames {
  /** How many names of each sort are kept; MySQL joins no more than 61 tables. */
  static final int MOST = 100;

  private final Set<String> read = new LinkedHashSet<>();
  private final Set<String> written = new LinkedHashSet<>();
  private final Set<String> defined = new LinkedHashSet<>();

  void reads(String name) {
    add(read, name);
  }

  void writes(String name) {
    add(written, name);
  }

  /** A name that a WITH clause defines, and that is no table for this reason. */
  void defines(String name) {
    add(defined, name);
  }

  Set<String> read() {
    read.removeAll(defined);
    return Set.copyOf(read);
  }

  Set<String> written() {
    written.removeAll(defined);
    return Set.copyOf(written);
  }

  private static void add(Set<String> names, String name) {
    if (names.size() < MOST) {
      names.add(name.toLowerCase(Locale.ROOT));
    }
  }
}
