package dev.leeway.cli;

import dev.leeway.cli.terminal.Console;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;

/** What a command did: its exit code and what it printed, run in this JVM without a terminal. */
record CommandRun(int exitCode, List<String> out, List<String> err) {
  static CommandRun of(String... arguments) {
    return with(Map.of(), arguments);
  }

  static CommandRun with(Map<String, String> environment, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Console console =
        new Console(new PrintWriter(out), new PrintWriter(err), false, false, 80, System::nanoTime);
    int exitCode = Main.run(new Invocation(console, environment, new Cleanup()), arguments);
    return new CommandRun(
        exitCode, out.toString().lines().toList(), err.toString().lines().toList());
  }
}
