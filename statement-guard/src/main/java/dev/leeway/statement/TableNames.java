package dev.leeway.statement;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;

/** Collects the tables a text names. Mutable, for one thread and one text. */
final class TableNames {
  private final Set<String> read = new LinkedHashSet<>();
  private final Set<String> written = new LinkedHashSet<>();
  private final Set<String> defined = new LinkedHashSet<>();

  void reads(String name) {
    read.add(lower(name));
  }

  void writes(String name) {
    written.add(lower(name));
  }

  /** A name that a WITH clause defines, and that is no table for this reason. */
  void defines(String name) {
    defined.add(lower(name));
  }

  Set<String> read() {
    read.removeAll(defined);
    return Set.copyOf(read);
  }

  Set<String> written() {
    written.removeAll(defined);
    return Set.copyOf(written);
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
