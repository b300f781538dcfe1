package dev.leeway.cli.config;

import dev.leeway.cli.terminal.Plural;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects what is wrong with a file, so that one run shows all of it. */
final class Problems {
  /** Enough to work on; a file that is wrong from end to end is another kind of file. */
  private static final int MOST_SHOWN = 20;

  private final List<Problem> found = new ArrayList<>();

  void add(Place place, String what) {
    found.add(new Problem(place, what));
  }

  /**
   * @throws ConfigurationException if anything was found
   */
  void throwIfAny() {
    if (found.isEmpty()) {
      return;
    }
    List<String> lines = new ArrayList<>();
    found.stream()
        .sorted(
            Comparator.comparingInt((Problem problem) -> problem.place().line())
                .thenComparingInt(problem -> problem.place().column()))
        .limit(MOST_SHOWN)
        .forEach(problem -> lines.add(problem.place() + ": " + problem.what()));
    if (found.size() > MOST_SHOWN) {
      lines.add("and " + Plural.of(found.size() - MOST_SHOWN, "more problem", "more problems"));
    }
    throw new ConfigurationException(lines);
  }

  private record Problem(Place place, String what) {}
}
