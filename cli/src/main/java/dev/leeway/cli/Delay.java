package dev.leeway.cli;

import dev.leeway.annotation.DurationText;
import java.time.Duration;

/** How far a command's own replicas stay behind on purpose. */
final class Delay {
  static final String DESCRIPTION =
      "How far the command's own replicas stay behind, in whole seconds (default:"
          + " ${DEFAULT-VALUE}).";

  private static final Duration LONGEST = Duration.ofHours(1);

  private Delay() {}

  /** MySQL's own delay knows whole seconds; without any, a comparison would be a matter of luck. */
  static void check(String command, Duration delay) {
    if (delay.toNanosPart() != 0 || delay.isZero() || delay.compareTo(LONGEST) > 0) {
      throw CommandException.usage(
          "%s: --delay %s (expected: whole seconds, 1s to %s)"
              .formatted(command, DurationText.format(delay), DurationText.format(LONGEST)));
    }
  }
}
