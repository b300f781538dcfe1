package dev.leeway.cli.drill;

import dev.leeway.cli.terminal.Plural;
import dev.leeway.cli.terminal.TextTable;
import dev.leeway.testkit.drill.DrillResult;
import dev.leeway.testkit.drill.Timings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A read-after-write drill, for people and for programs. Immutable. */
public final class DrillReport {
  private final Where where;
  private final String mode;
  private final DrillResult result;
  private final Map<String, Integer> reasons;
  private final Map<String, String> sentences;

  DrillReport(
      Where where,
      String mode,
      DrillResult result,
      Map<String, Integer> reasons,
      Map<String, String> sentences) {
    this.where = where;
    this.mode = mode;
    this.result = result;
    this.reasons = new TreeMap<>(reasons);
    this.sentences = sentences;
  }

  /** How many reads missed the order that had just been placed. */
  public int missing() {
    return result.stale();
  }

  /** The last two lines are for scripts and keep their form. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s placed and read at once, %s, on %s"
            .formatted(
                Plural.of(result.iterations(), "order", "orders"),
                mode.equals("naive") ? "as a naive splitter reads" : "with Leeway",
                where.words()));
    TextTable times = TextTable.of("", "p50>", "p99>", "longest>");
    row(times, "write", result.writes());
    row(times, "read", result.reads());
    lines.addAll(times.lines());
    TextTable servers = TextTable.of("served by", "reads>");
    new TreeMap<>(result.servedByServer()).forEach(servers::row);
    lines.addAll(servers.lines());
    if (!reasons.isEmpty()) {
      TextTable why = TextTable.of("reason", "reads>", "");
      reasons.forEach(
          (reason, count) -> why.row(reason, count, sentences.getOrDefault(reason, "")));
      lines.addAll(why.lines());
    }
    lines.add("missing order: " + missing());
    lines.add("served from primary: " + result.servedByPrimary());
    return List.copyOf(lines);
  }

  private static void row(TextTable table, String what, Timings times) {
    table.row(what, millis(times.p50()), millis(times.p99()), millis(times.max()));
  }

  private static String millis(Duration duration) {
    return String.format(Locale.ROOT, "%.2f ms", duration.toNanos() / 1e6);
  }

  /** For programs; docs/drills.md tells what each field means. */
  public Map<String, @Nullable Object> data() {
    Map<String, @Nullable Object> data = new LinkedHashMap<>();
    data.put("drill", "read-after-write");
    data.put("mode", mode);
    data.put("iterations", result.iterations());
    data.put("stale", result.stale());
    data.put("servedByPrimary", result.servedByPrimary());
    data.put("servedByReplica", result.servedByReplica());
    data.put("missing", missing());
    data.put("servers", where.words());
    data.put("delaySeconds", where.delaySeconds());
    data.put("servedByServer", new TreeMap<>(result.servedByServer()));
    data.put("reasons", reasons);
    put(data, "read", result.reads());
    put(data, "write", result.writes());
    return data;
  }

  private static void put(Map<String, @Nullable Object> data, String what, Timings times) {
    data.put(what + "P50Millis", times.p50().toNanos() / 1e6);
    data.put(what + "P99Millis", times.p99().toNanos() / 1e6);
    data.put(what + "MaxMillis", times.max().toNanos() / 1e6);
  }
}
