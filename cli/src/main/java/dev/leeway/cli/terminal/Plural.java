package dev.leeway.cli.terminal;

/** Counts with their nouns. */
public final class Plural {
  private Plural() {}

  /** Such as "1 read" or "2 reads". */
  public static String of(long count, String one, String many) {
    return count + " " + (count == 1 ? one : many);
  }
}
