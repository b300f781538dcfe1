package dev.leeway.cli;

import dev.leeway.cli.config.Nearest;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What was wrong with a command line, what was probably meant, and where the help is. */
final class UsageMessage {
  private UsageMessage() {}

  static String of(ParameterException e) {
    CommandLine command = e.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    String what =
        e instanceof UnmatchedArgumentException unmatched && !unmatched.getUnmatched().isEmpty()
            ? unmatched(command, name, unmatched.getUnmatched().get(0))
            : String.valueOf(e.getMessage()).replaceFirst("^Error: ", "");
    return "leeway: %s%nSee %s --help".formatted(what, name);
  }

  /** What follows the first one that is not known is mostly its value, so it alone is told. */
  private static String unmatched(CommandLine command, String name, String first) {
    if (first.startsWith("-")) {
      String option = first.split("=", 2)[0];
      List<String> options =
          command.getCommandSpec().options().stream().map(OptionSpec::longestName).toList();
      return "%s has no option %s%s".formatted(name, option, meant(option, options));
    }
    Collection<String> commands = command.getSubcommands().keySet();
    return commands.isEmpty()
        ? "%s does not know what to do with '%s'".formatted(name, first)
        : "%s has no command '%s'%s".formatted(name, first, meant(first, commands));
  }

  private static String meant(String word, Collection<String> known) {
    return Nearest.to(word, known)
        .map(nearest -> " (did you mean " + nearest + "?)")
        .orElseGet(
            () -> known.stream().sorted().collect(Collectors.joining(", ", " (expected: ", ")")));
  }
}
