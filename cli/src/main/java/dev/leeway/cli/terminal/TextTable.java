package dev.leeway.cli.terminal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows of text in aligned columns, without frames: it reads well in a terminal and pastes well into
 * an issue.
 *
 * <p>A column whose title ends in {@code >} is aligned to the right, as numbers want to be.
 */
public final class TextTable {
  private static final String GAP = "  ";

  private final List<String> titles;
  private final List<Boolean> right;
  private final List<List<String>> rows = new ArrayList<>();

  private TextTable(List<String> titles, List<Boolean> right) {
    this.titles = titles;
    this.right = right;
  }

  public static TextTable of(String... titles) {
    return new TextTable(
        Arrays.stream(titles)
            .map(title -> title.endsWith(">") ? title.substring(0, title.length() - 1) : title)
            .toList(),
        Arrays.stream(titles).map(title -> title.endsWith(">")).toList());
  }

  /**
   * Adds a row below the others.
   *
   * @throws IllegalArgumentException if the number of cells is not the number of columns
   */
  public TextTable row(Object... cells) {
    if (cells.length != titles.size()) {
      throw new IllegalArgumentException(
          "table - %d cells (expected: %d)".formatted(cells.length, titles.size()));
    }
    rows.add(Arrays.stream(cells).map(String::valueOf).toList());
    return this;
  }

  /** A line between the rows above and the rows below. */
  public TextTable gap() {
    rows.add(List.of());
    return this;
  }

  /** The lines, titles first; none ends in a space. */
  public List<String> lines() {
    int[] widths = new int[titles.size()];
    measure(widths, titles);
    rows.forEach(row -> measure(widths, row));
    List<String> lines = new ArrayList<>();
    lines.add(line(widths, titles));
    rows.forEach(row -> lines.add(line(widths, row)));
    return List.copyOf(lines);
  }

  private static void measure(int[] widths, List<String> cells) {
    for (int i = 0; i < cells.size(); i++) {
      widths[i] = Math.max(widths[i], length(cells.get(i)));
    }
  }

  private String line(int[] widths, List<String> cells) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i);
      String padding = " ".repeat(widths[i] - length(cell));
      line.append(i == 0 ? "" : GAP).append(right.get(i) ? padding + cell : cell + padding);
    }
    return line.toString().stripTrailing();
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }
}
