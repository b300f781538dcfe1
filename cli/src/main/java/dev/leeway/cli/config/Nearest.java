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

  /** Letters to insert, delete, replace or swap with their neighbour to make one word the other. */
  private static int distance(String one, String other) {
    int[][] steps = new int[one.length() + 1][other.length() + 1];
    for (int i = 0; i <= one.length(); i++) {
      for (int j = 0; j <= other.length(); j++) {
        if (i == 0 || j == 0) {
          steps[i][j] = i + j;
          continue;
        }
        int replaced = steps[i - 1][j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        steps[i][j] = Math.min(replaced, Math.min(steps[i - 1][j], steps[i][j - 1]) + 1);
        if (i > 1
            && j > 1
            && one.charAt(i - 1) == other.charAt(j - 2)
            && one.charAt(i - 2) == other.charAt(j - 1)) {
          steps[i][j] = Math.min(steps[i][j], steps[i - 2][j - 2] + 1);
        }
      }
    }
    return steps[one.length()][other.length()];
  }
}
