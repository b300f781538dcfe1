package dev.leeway.cli.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the word that was probably meant. */
public final class Nearest {
  private Nearest() {}

  /**
   * The candidate with the fewest letters to change, if it is near enough to be a slip of the hand:
   * a third of its letters at most. Capitals, dashes and underscores do not count.
   */
  public static Optional<String> to(String word, Collection<String> candidates) {
    String plain = plain(word);
    return candidates.stream()
        .min(Comparator.comparingInt(candidate -> distance(plain, plain(candidate))))
        .filter(
            candidate ->
                distance(plain, plain(candidate)) <= Math.max(1, plain(candidate).length() / 3));
  }

  private static String plain(String word) {
    return word.toLowerCase(Locale.ROOT).replaceAll("[-_ ]", "");
  }

  /** Letters to insert, delete or replace to make one word the other. */
  private static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    for (int j = 0; j <= other.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int above = row[j];
        int replaced = one.charAt(i - 1) == other.charAt(j - 1) ? diagonal : diagonal + 1;
        row[j] = Math.min(replaced, Math.min(above, row[j - 1]) + 1);
        diagonal = above;
      }
    }
    return row[other.length()];
  }
}
