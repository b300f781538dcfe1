package dev.leeway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DemoIT {
  private static final int ITERATIONS = 5;
  private static final int QUERIES = 6;

  @TempDir Path folder;

  @Test
  void naiveSplittingGoesWrongInAllSixQueriesAndLeewayInNone() throws IOException {
    Path file = folder.resolve("demo.json");

    CommandRun run =
        CommandRun.of("demo", "--delay=4s", "--iterations=" + ITERATIONS, "--json=" + file);

    assertThat(run.err())
        .noneMatch(line -> line.contains("WARN"))
        .noneMatch(line -> line.contains("not from"))
        .satisfiesOnlyOnce(line -> assertThat(line).startsWith("MySQL: using "));
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .anyMatch(line -> line.matches("all six +naive +30 +30 +10 +20 +0 % +100 % .*"))
        .anyMatch(line -> line.matches("all six +leeway +30 +0 +0 +0 +100 % +0 % .*"))
        .anyMatch(line -> line.matches(" +10 +PRIMARY_REQUESTED .*"))
        .anyMatch(line -> line.startsWith("Naive splitting: 30 of 30 reads stale. Leeway: 0 of"));
    JsonNode data = JsonMapper.builder().build().readTree(file.toFile());
    assertThat(data.get("stale").asInt()).isZero();
    assertThat(data.get("naiveStale").asInt()).isEqualTo(QUERIES * ITERATIONS);
    assertThat(data.get("naiveReads").asInt()).isEqualTo(QUERIES * ITERATIONS);
    assertThat(data.get("primaryShare").asDouble()).isBetween(0.01, 0.99);
    assertThat(data.get("reads").asInt())
        .isEqualTo(
            data.get("load").get("reads").asInt()
                + data.get("later").get("reads").asInt()
                + QUERIES * ITERATIONS);
    assertThat(names(data.get("queries"), "query"))
        .containsExactly(
            "confirmation",
            "confirmation",
            "settings",
            "settings",
            "retry",
            "retry",
            "job",
            "job",
            "stock",
            "stock",
            "approval",
            "approval");
    assertThat(data.get("queries"))
        .allSatisfy(
            row -> {
              boolean naive = row.get("mode").asString().equals("naive");
              assertThat(row.get("reads").asInt()).isEqualTo(ITERATIONS);
              assertThat(row.get("stale").asInt()).isEqualTo(naive ? ITERATIONS : 0);
              assertThat(row.get("older").asInt() + row.get("missing").asInt())
                  .isEqualTo(row.get("stale").asInt());
              assertThat(row.get("servedByPrimary").asInt()).isEqualTo(naive ? 0 : ITERATIONS);
              assertThat(row.get("servedByReplica").asInt()).isEqualTo(naive ? ITERATIONS : 0);
              assertThat(row.get("p99Millis").asDouble())
                  .isGreaterThanOrEqualTo(row.get("p50Millis").asDouble())
                  .isPositive();
            });
    List<String> documented = Documentation.page("demo.md").names("Field");
    List<String> fields = new ArrayList<>(data.propertyNames());
    fields.addAll(data.get("queries").get(0).propertyNames());
    assertThat(documented).containsExactlyElementsOf(fields);
    assertThat(Documentation.page("demo.md").names("Query"))
        .containsExactlyElementsOf(
            names(data.get("queries"), "query").stream().distinct().toList());
    assertThat(data.get("later").get("servedByReplica").asInt()).isPositive();
    assertThat(data.get("load").get("servedByReplica").asInt()).isPositive();
  }

  @Test
  void whatCannotBeRunIsRefusedBeforeAnythingIsStarted() {
    assertThat(CommandRun.of("demo", "--delay", "500ms"))
        .isEqualTo(
            new CommandRun(
                2,
                List.of(),
                List.of("leeway: demo: --delay 500ms (expected: whole seconds, 1s to 1h)")));
    assertThat(CommandRun.of("demo", "--iterations", "0").err())
        .containsExactly("leeway: demo: --iterations 0 (expected: 1 to 100000)");
    assertThat(CommandRun.of("demo", "--json", "/nowhere/demo.json").err())
        .containsExactly(
            "leeway: --json /nowhere/demo.json: cannot be written (expected: a file in a folder"
                + " that exists)");
  }

  private static List<String> names(JsonNode rows, String field) {
    List<String> names = new ArrayList<>();
    rows.forEach(row -> names.add(row.get(field).asString()));
    return names;
  }
}
