package dev.leeway.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page of the documentation, taken apart so that tests can hold it against the code. */
record Documentation(String text) {
  /** The project's folder. */
  static Path root() {
    return Path.of(System.getProperty("leeway.root"));
  }

  static Documentation page(String name) {
    try {
      return new Documentation(Files.readString(root().resolve("docs").resolve(name)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The code blocks of this language. */
  List<String> blocks(String language) {
    List<String> blocks = new ArrayList<>();
    Matcher matcher =
        Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
            .matcher(text);
    while (matcher.find()) {
      blocks.add(matcher.group(1));
    }
    return blocks;
  }

  /** The rows of every table whose first title is this, cell by cell, in page order. */
  List<List<String>> rows(String firstTitle) {
    List<List<String>> rows = new ArrayList<>();
    boolean inside = false;
    for (String line : text.lines().toList()) {
      if (!line.startsWith("| ")) {
        inside = false;
      } else if (line.startsWith("| " + firstTitle + " |")) {
        inside = true;
      } else if (inside && !line.startsWith("| ---")) {
        String[] cells = line.split("\\|", -1);
        rows.add(Arrays.stream(cells, 1, cells.length - 1).map(String::strip).toList());
      }
    }
    return rows;
  }

  /** The first cells of those rows, without the marks of code. */
  List<String> names(String firstTitle) {
    return rows(firstTitle).stream().map(row -> row.get(0).replace("`", "")).toList();
  }
}
