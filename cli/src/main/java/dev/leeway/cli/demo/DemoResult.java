package dev.leeway.cli.demo;

import dev.leeway.cli.terminal.Plural;
import dev.leeway.cli.terminal.TextTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a demo measured, for people and for programs. Immutable. */
public final class DemoResult {
  private final String mysql;
  private final int iterations;
  private final Duration delay;
  private final Map<Mode, Map<ShopQuery, Tally>> queries;
  private final Tally later;
  private final Tally load;
  private final Map<String, String> sentences;

  /**
   * Puts the parts together.
   *
   * @param mysql which MySQL ran
   * @param queries counts by mode and query
   * @param later Leeway's counts of the pages looked at again when the replicas had caught up
   * @param load Leeway's counts of the listings and reports
   * @param sentences what each reason means, by its name
   */
  DemoResult(
      String mysql,
      int iterations,
      Duration delay,
      Map<Mode, Map<ShopQuery, Tally>> queries,
      Tally later,
      Tally load,
      Map<String, String> sentences) {
    this.mysql = mysql;
    this.iterations = iterations;
    this.delay = delay;
    this.queries = queries;
    this.later = later;
    this.load = load;
    this.sentences = sentences;
  }

  /** Stale reads among all that Leeway answered. */
  public int stale() {
    return leeway().stale();
  }

  private Tally leeway() {
    List<Tally> tallies = new ArrayList<>(of(Mode.LEEWAY).values());
    tallies.add(later);
    tallies.add(load);
    return Tally.sum(tallies);
  }

  private Map<ShopQuery, Tally> of(Mode mode) {
    return queries.getOrDefault(mode, Map.of());
  }

  /** For people. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add(
        "Six reads that must not be answered from the past, each %s, with replicas %d s behind"
            .formatted(Plural.of(iterations, "time", "times"), delay.toSeconds()));
    lines.add("(%s)".formatted(mysql));
    lines.add("");
    lines.addAll(table().lines());
    lines.add("");
    lines.add("Stale: did not show what had been written, by an older answer or a missing one.");
    lines.add("");
    lines.add("Why Leeway's reads of these six went where they went:");
    lines.addAll(reasons(Tally.sum(of(Mode.LEEWAY).values())));
    lines.add("");
    lines.add(
        "The same customers again, when the replicas had caught up: %s."
            .formatted(sentence(later)));
    lines.addAll(reasons(later));
    lines.add("");
    lines.add("Listings and reports, one request in 20 a checkout: %s.".formatted(sentence(load)));
    lines.addAll(reasons(load));
    lines.add("");
    Tally naive = Tally.sum(of(Mode.NAIVE).values());
    lines.add(
        "Naive splitting: %d of %d reads stale. Leeway: %d of %d, %s on the primary."
            .formatted(
                naive.stale(),
                naive.reads(),
                stale(),
                leeway().reads(),
                percent(leeway().primaryShare())));
    return List.copyOf(lines);
  }

  private TextTable table() {
    TextTable table =
        TextTable.of(
            "query",
            "mode",
            "reads>",
            "stale>",
            "older>",
            "missing>",
            "primary>",
            "replica>",
            "p50>",
            "p99>");
    for (ShopQuery query : ShopQuery.values()) {
      queries.forEach((mode, tallies) -> row(table, query.title(), mode, tallies.get(query)));
    }
    table.gap();
    queries.forEach((mode, tallies) -> row(table, "all six", mode, Tally.sum(tallies.values())));
    return table;
  }

  private static void row(TextTable table, String title, Mode mode, @Nullable Tally tally) {
    if (tally == null) {
      return;
    }
    table.row(
        title,
        mode.word(),
        tally.reads(),
        tally.stale(),
        tally.older(),
        tally.missing(),
        percent(tally.primaryShare()),
        percent(1 - tally.primaryShare()),
        millis(tally.millisAtPercent(50)),
        millis(tally.millisAtPercent(99)));
  }

  private List<String> reasons(Tally tally) {
    TextTable table = TextTable.of(">", "", "");
    tally
        .reasons()
        .forEach((reason, count) -> table.row(count, reason, sentences.getOrDefault(reason, "")));
    // The titles are empty here: the numbers speak for themselves.
    return table.lines().stream().skip(1).map(line -> "  " + line).toList();
  }

  private static String sentence(Tally tally) {
    return "%s, %d stale, %s on replicas"
        .formatted(
            Plural.of(tally.reads(), "read", "reads"),
            tally.stale(),
            percent(1 - tally.primaryShare()));
  }

  /** For programs; docs/demo.md tells what each field means. */
  public Map<String, Object> data() {
    Tally leeway = leeway();
    Tally naive = Tally.sum(of(Mode.NAIVE).values());
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("stale", leeway.stale());
    data.put("primaryShare", leeway.primaryShare());
    data.put("reads", leeway.reads());
    data.put("naiveStale", naive.stale());
    data.put("naiveReads", naive.reads());
    data.put("iterations", iterations);
    data.put("delaySeconds", delay.toSeconds());
    data.put("mysql", mysql);
    List<Map<String, Object>> rows = new ArrayList<>();
    for (ShopQuery query : ShopQuery.values()) {
      queries.forEach(
          (mode, tallies) -> {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("query", query.name().toLowerCase(Locale.ROOT));
            row.put("title", query.title());
            row.put("mode", mode.word());
            Tally tally = tallies.get(query);
            if (tally != null) {
              row.putAll(data(tally));
            }
            rows.add(row);
          });
    }
    data.put("queries", rows);
    data.put("later", data(later));
    data.put("load", data(load));
    return data;
  }

  private static Map<String, Object> data(Tally tally) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("reads", tally.reads());
    data.put("stale", tally.stale());
    data.put("older", tally.older());
    data.put("missing", tally.missing());
    data.put("servedByPrimary", tally.onPrimary());
    data.put("servedByReplica", tally.onReplicas());
    data.put("primaryShare", tally.primaryShare());
    data.put("p50Millis", tally.millisAtPercent(50));
    data.put("p99Millis", tally.millisAtPercent(99));
    data.put("reasons", tally.reasons());
    return data;
  }

  /** Whole only where it is exact: what is not quite everything must not read as everything. */
  private static String percent(double share) {
    return share == 0 || share == 1
        ? String.format(Locale.ROOT, "%.0f %%", share * 100)
        : String.format(Locale.ROOT, "%.1f %%", share * 100);
  }

  private static String millis(double millis) {
    return String.format(Locale.ROOT, "%.2f ms", millis);
  }
}
