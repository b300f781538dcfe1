package dev.leeway.cli;

import dev.leeway.cli.terminal.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

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
    int exitCode = ExitCode.DEFECT;
    try {
      exitCode = run(new Invocation(console, System.getenv(), cleanup), args);
    } finally {
      interruption.ended();
    }
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
          console.say(UsageMessage.of(e));
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
          if (!Logging.configure(console, root.verbose, root.logFile)) {
            throw new ParameterException(
                parsed.commandSpec().commandLine(),
                "--log-file %s: cannot be written (expected: a file that may be made or changed)"
                    .formatted(root.logFile));
          }
          return new CommandLine.RunLast().execute(parsed);
        });
    try {
      return commands.execute(args);
    } finally {
      invocation.cleanup().close();
    }
  }

  private static PrintWriter writer(FileDescriptor descriptor) {
    return new PrintWriter(new FileOutputStream(descriptor), false, StandardCharsets.UTF_8);
  }
}
