package dev.leeway.cli;

import dev.leeway.cli.terminal.Console;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Map;

/** Invocations for tests that do not look at what is printed. */
final class TestInvocation {
  private TestInvocation() {}

  static Invocation silent() {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    return new Invocation(
        new Console(nowhere, nowhere, false, false, 80, System::nanoTime), Map.of(), new Cleanup());
  }
}
