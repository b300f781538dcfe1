package dev.leeway.cli;

import dev.leeway.annotation.DurationText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How far the command's own replicas stay behind on purpose. */
final class DelayOption {
  private static final Duration LONGEST = Duration.ofHours(1);

  private final Duration usual;

  @Option(
      names = "--delay",
      paramLabel = "TIME",
      description = "How far the command's own replicas stay behind, in whole seconds.")
  @Nullable Duration delay;

  DelayOption(Duration usual) {
    this.usual = usual;
  }

  boolean isGiven() {
    return delay != null;
  }

  /** MySQL's own delay knows whole seconds; without any, a comparison would be a matter of luck. */
  Duration inWholeSeconds(String command) {
    Duration chosen = delay == null ? usual : delay;
    if (chosen.toNanosPart() != 0 || chosen.isZero() || chosen.compareTo(LONGEST) > 0) {
      throw CommandException.usage(
          "%s: --delay %s (expected: whole seconds, 1s to %s)"
              .formatted(command, DurationText.format(chosen), DurationText.format(LONGEST)));
    }
    return chosen;
  }
}
