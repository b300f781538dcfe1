package dev.leeway.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** What {@code --help} does, for those who write it as a word. */
@Command(name = "help", description = "Shows the help of leeway, or of a command.")
final class HelpCommand implements Runnable {
  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "Whose help to show.")
  List<String> names = List.of();

  @Override
  public void run() {
    CommandLine command = spec.commandLine().getParent();
    for (String name : names) {
      CommandLine next = command.getSubcommands().get(name);
      if (next == null) {
        throw new UnmatchedArgumentException(command, List.of(name));
      }
      command = next;
    }
    command.usage(spec.commandLine().getOut());
  }
}
