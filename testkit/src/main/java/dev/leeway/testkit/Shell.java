package dev.leeway.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a short command of the operating system and keeps the end of what it printed. */
final class Shell {
  private static final int KEPT_BYTES = 1 << 20;

  private Shell() {}

  /** What a command left: its exit code, and the last megabyte of output and error together. */
  record Outcome(int exitCode, String output) {
    boolean succeeded() {
      return exitCode == 0;
    }

    /** The last lines, on one line, for a message. */
    String lastLines(int count) {
      List<String> lines = output.lines().filter(line -> !line.isBlank()).toList();
      return String.join(" / ", lines.subList(Math.max(0, lines.size() - count), lines.size()));
    }
  }

  /**
   * @throws IOException if the command does not exist, or did not end within the bound
   */
  static Outcome run(Duration bound, List<String> command) throws IOException {
    return run(bound, Map.of(), command);
  }

  static Outcome run(Duration bound, Map<String, String> environment, List<String> command)
      throws IOException {
    Path output = Files.createTempFile("leeway-command", ".log");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectOutput(output.toFile());
      builder.environment().putAll(environment);
      Process process = builder.start();
      try {
        if (!process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)) {
          throw new IOException(
              command.get(0) + " did not end within " + bound.toSeconds() + " s: " + tail(output));
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while running " + command.get(0), e);
      } finally {
        process.destroyForcibly();
      }
      return new Outcome(process.exitValue(), tail(output));
    } finally {
      Files.deleteIfExists(output);
    }
  }

  /** The last megabyte of a file, or what there is. */
  static String tail(Path file) throws IOException {
    if (!Files.exists(file)) {
      return "";
    }
    try (InputStream in = Files.newInputStream(file)) {
      in.skipNBytes(Math.max(0, Files.size(file) - KEPT_BYTES));
      return new String(in.readNBytes(KEPT_BYTES), StandardCharsets.UTF_8);
    }
  }
}
