package dev.leeway.routing.observe;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names of metrics, wherever they are written down. */
public final class MetricNames {
  static final Path DOCS = Path.of("..", "docs");
  static final Path PAGE = DOCS.resolve("observability.md");
  static final Path ALERTS = DOCS.resolve("alerts").resolve("leeway-alerts.yml");
  static final Path DASHBOARD = DOCS.resolve("grafana").resolve("leeway-dashboard.json");

  private static final Pattern NAME = Pattern.compile("\\b(?:leeway|mysql|hikaricp)_[a-z_]+\\b");
  private static final Pattern FIRST_COLUMN =
      Pattern.compile("^\\| `((?:leeway|mysql|hikaricp)_[a-z_]+)` \\|", Pattern.MULTILINE);
  private static final List<String> PARTS = List.of("_count", "_sum", "_max", "_bucket");

  private MetricNames() {}

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The metrics that the page's tables describe. */
  public static Set<String> described() {
    return all(FIRST_COLUMN, 1, text(PAGE));
  }

  /** The metrics that one chapter of the page describes. */
  public static Set<String> describedIn(String heading) {
    String chapter = text(PAGE).split("\n" + heading + "\n", 2)[1].split("\n## ", 2)[0];
    return all(FIRST_COLUMN, 1, chapter);
  }

  /** Every name in the file, without the endings that Prometheus adds to one metric's parts. */
  static Set<String> usedIn(Path file) {
    Set<String> names = new TreeSet<>();
    all(NAME, 0, text(file)).forEach(name -> names.add(family(name)));
    return names;
  }

  /** Every name that a scrape shows, in the same form. */
  public static Set<String> exposedBy(PrometheusMeterRegistry registry) {
    Set<String> names = new TreeSet<>();
    registry
        .scrape()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(line -> names.add(family(line.split("[{ ]", 2)[0])));
    return names;
  }

  private static String family(String name) {
    for (String part : PARTS) {
      if (name.endsWith(part)) {
        return name.substring(0, name.length() - part.length());
      }
    }
    return name;
  }

  private static Set<String> all(Pattern pattern, int group, String text) {
    Set<String> found = new TreeSet<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(group));
    }
    return found;
  }
}
