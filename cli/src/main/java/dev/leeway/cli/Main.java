package dev.leeway.cli;

import dev.leeway.cli.terminal.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Starts a command and turns its end, good or bad, into an exit code. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    Console console =
        new Console(
            writer(FileDescriptor.out),
            writer(FileDescriptor.err),
            Boolean.getBoolean("leeway.terminal.out"),
            Boolean.getBoolean("leeway.terminal.err"),
            Integer.getInteger("leeway.terminal.columns", 80),
            System::nanoTime);
    Cleanup cleanup = new Cleanup();
    Interruption interruption = new Interruption(console, cleanup, Thread.currentThread());
    Runtime.getRuntime().addShutdownHook(new Thread(interruption, "leeway-shutdown"));
    int exitCode = run(new Invocation(console, System.getenv(), cleanup), args);
    interruption.ended();
    System.exit(exitCode);
  }

  /** Runs one command; closes everything it opened before it returns. */
  static int run(Invocation invocation, String... args) {
    LeewayCommand root = new LeewayCommand();
    CommandLine commands = Commands.under(root, invocation);
    Console console = invocation.console();
    commands.setOut(console.results());
    commands.setParameterExceptionHandler(
        (e, arguments) -> {
          console.say(usage(e));
          return ExitCode.USAGE;
        });
    commands.setExecutionExceptionHandler(
        (e, command, parsed) -> {
          if (root.verbose) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace));
            console.say(trace.toString());
          }
          console.say("leeway: " + Failures.describe(e));
          return Failures.exitCode(e);
        });
    commands.setExecutionStrategy(
        parsed -> {
          Logging.configure(console, root.verbose, root.logFile);
          return new CommandLine.RunLast().execute(parsed);
        });
    try {
      return commands.execute(args);
    } finally {
      invocation.cleanup().close();
    }
  }

  /** What was wrong, what was probably meant, and where the help is; not the whole help. */
  private static String usage(ParameterException e) {
    StringBuilder message = new StringBuilder("leeway: ").append(e.getMessage());
    StringWriter suggestion = new StringWriter();
    if (UnmatchedArgumentException.printSuggestions(e, new PrintWriter(suggestion))) {
      message.append(". ").append(suggestion.toString().strip());
    }
    String command = e.getCommandLine().getCommandSpec().qualifiedName();
    return message
        .append(System.lineSeparator())
        .append("See ")
        .append(command)
        .append(" --help")
        .toString();
  }

  private static PrintWriter writer(FileDescriptor descriptor) {
    return new PrintWriter(new FileOutputStream(descriptor), false, StandardCharsets.UTF_8);
  }
}
