package dev.leeway.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Results as data. */
final class JsonFile {
  private static final JsonMapper LINE = JsonMapper.builder().build();
  private static final JsonMapper INDENTED =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private JsonFile() {}

  /** On one line. */
  static String line(Map<String, ?> data) {
    return LINE.writeValueAsString(data);
  }

  /**
   * Refuses a file that cannot be written, before minutes are spent on what shall be in it.
   *
   * @param file null if none was named
   */
  static void check(@Nullable Path file) {
    if (file != null && !canBeWritten(file)) {
      throw CommandException.usage(
          "--json %s: cannot be written (expected: a file in a folder that exists)"
              .formatted(file));
    }
  }

  /** Whether there may be a file of this name, as far as one can tell without making it. */
  private static boolean canBeWritten(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    return Files.exists(file)
        ? Files.isWritable(file) && !Files.isDirectory(file)
        : folder != null && Files.isDirectory(folder) && Files.isWritable(folder);
  }

  /** Replaces the file. */
  static void write(@Nullable Path file, Map<String, ?> data) {
    if (file == null) {
      return;
    }
    try {
      Files.writeString(
          file, INDENTED.writeValueAsString(data) + System.lineSeparator(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw CommandException.usage("--json " + file + ": cannot be written: " + e.getMessage(), e);
    }
  }
}
