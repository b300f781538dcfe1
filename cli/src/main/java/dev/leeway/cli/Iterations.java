package dev.leeway.cli;

import picocli.CommandLine.TypeConversionException;

/** How often something is done. */
final class Iterations {
  /** More would take hours and memory and show nothing new. */
  private static final int MOST = 100_000;

  private Iterations() {}

  static int fromOption(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException(
          "'%s' (expected: a whole number, 1 to %d)".formatted(text, MOST));
    }
  }

  static void check(String command, int iterations) {
    if (iterations < 1 || iterations > MOST) {
      throw CommandException.usage(
          "%s: --iterations %d (expected: 1 to %d)".formatted(command, iterations, MOST));
    }
  }
}
