package dev.leeway.cli;

import java.time.Duration;
import picocli.CommandLine;

/** The commands there are. */
final class Commands {
  private Commands() {}

  static CommandLine under(LeewayCommand root, Invocation invocation) {
    CommandLine commands = new CommandLine(root);
    commands.addSubcommand(new DemoCommand(invocation));
    commands.addSubcommand(
        new CommandLine(new DrillCommand()).addSubcommand(new ReadAfterWriteCommand(invocation)));
    commands.addSubcommand(new LagCommand(invocation));
    commands.addSubcommand(new GateCommand(invocation));
    commands.addSubcommand(new InventoryCommand(invocation));
    commands.addSubcommand(new HelpCommand());
    commands.addSubcommand(new VersionCommand());
    commands.setCaseInsensitiveEnumValuesAllowed(true);
    commands.registerConverter(Duration.class, Durations::fromOption);
    commands.registerConverter(int.class, Iterations::fromOption);
    describe(commands);
    return commands;
  }

  private static void describe(CommandLine command) {
    command.getCommandSpec().usageMessage().exitCodeList(ExitCode.help());
    command.getSubcommands().values().forEach(Commands::describe);
  }
}
