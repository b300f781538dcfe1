package dev.leeway.cli;

import dev.leeway.annotation.DurationText;
import java.time.Duration;
import picocli.CommandLine.TypeConversionException;

/** Durations on the command line, written as in annotations and files. */
final class Durations {
  private Durations() {}

  static Duration fromOption(String text) {
    try {
      return DurationText.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
