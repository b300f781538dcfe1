package dev.leeway.gate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** docs/monitoring.md, for the tests that hold it against the code. */
final class MonitoringPage {
  private final String text;

  private MonitoringPage(String text) {
    this.text = text;
  }

  static MonitoringPage read() throws IOException {
    return new MonitoringPage(Files.readString(Path.of("..", "docs", "monitoring.md")));
  }

  /** The statements of the block that is marked with this name. */
  List<String> statements(String name) {
    Matcher block =
        Pattern.compile("<!-- sql: " + name + " -->\n```sql\n(.*?)```", Pattern.DOTALL)
            .matcher(text);
    if (!block.find()) {
      throw new AssertionError("docs/monitoring.md has no block 'sql: " + name + "'");
    }
    return Stream.of(block.group(1).split(";"))
        .map(String::strip)
        .filter(s -> !s.isEmpty())
        .toList();
  }

  /** The first two columns of the table below this heading, without code marks. */
  Map<String, String> table(String heading) {
    int start = text.indexOf("\n## " + heading + "\n");
    if (start < 0) {
      throw new AssertionError("docs/monitoring.md has no heading '" + heading + "'");
    }
    int end = text.indexOf("\n## ", start + 1);
    Map<String, String> rows = new LinkedHashMap<>();
    text.substring(start, end < 0 ? text.length() : end)
        .lines()
        .filter(line -> line.startsWith("| `"))
        .map(line -> line.split("\\|"))
        .forEach(cells -> rows.put(plain(cells[1]), plain(cells[2])));
    return rows;
  }

  private static String plain(String cell) {
    return cell.strip().replace("`", "");
  }
}
