package dev.leeway.cli;

import java.time.Duration;
import java.util.List;
import picocli.CommandLine;

/** The commands there are. */
final class Commands {
  private Commands() {}

  static CommandLine under(LeewayCommand root, Invocation invocation) {
    CommandLine commands = new CommandLine(root);
    all(invocation).forEach(commands::addSubcommand);
    commands.setCaseInsensitiveEnumValuesAllowed(true);
    commands.registerConverter(Duration.class, Durations::fromOption);
    describe(commands);
    return commands;
  }

  private static List<Object> all(Invocation invocation) {
    return List.of(new LagCommand(invocation), new GateCommand(invocation));
  }

  private static void describe(CommandLine command) {
    command.getCommandSpec().usageMessage().exitCodeList(ExitCode.help());
    command.getSubcommands().values().forEach(Commands::describe);
  }
}
