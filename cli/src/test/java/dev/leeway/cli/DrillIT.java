package dev.leeway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The drill on the shop's own cluster. */
class DrillIT {
  @TempDir Path folder;

  @Test
  void withLeewayNoOrderIsMissing() throws IOException {
    Path file = folder.resolve("drill.json");

    CommandRun run =
        CommandRun.of(
            "drill",
            "read-after-write",
            "--iterations=20",
            "--delay=5s",
            "--json",
            file.toString());

    assertThat(run.err()).noneMatch(line -> line.contains("WARN"));
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).endsWith("missing order: 0", "served from primary: 20");
    JsonNode data = JsonMapper.builder().build().readTree(file.toFile());
    assertThat(data.get("iterations").asInt()).isEqualTo(20);
    assertThat(data.get("stale").asInt()).isZero();
    assertThat(data.get("missing").asInt()).isZero();
    assertThat(data.get("servedByPrimary").asInt()).isEqualTo(20);
    assertThat(data.get("servedByReplica").asInt()).isZero();
    assertThat(data.get("reasons").get("NO_REPLICA_REACHED_POSITION").asInt()).isEqualTo(20);
    assertThat(Documentation.page("drills.md").names("Field"))
        .containsExactlyElementsOf(data.propertyNames());
    assertThat(data.get("readP99Millis").asDouble())
        .isGreaterThanOrEqualTo(data.get("readP50Millis").asDouble())
        .isPositive();
  }

  @Test
  void withNaiveSplittingEveryOrderIsMissingAndTheExitCodeSaysSo() throws IOException {
    Path file = folder.resolve("drill.json");

    CommandRun run =
        CommandRun.of(
            "drill",
            "read-after-write",
            "--naive",
            "--iterations=20",
            "--delay=5s",
            "--json",
            file.toString());

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).endsWith("missing order: 20", "served from primary: 0");
    JsonNode data = JsonMapper.builder().build().readTree(file.toFile());
    assertThat(data.get("mode").asString()).isEqualTo("naive");
    assertThat(data.get("stale").asInt()).isEqualTo(20);
    assertThat(data.get("servedByReplica").asInt()).isEqualTo(20);
  }

  @Test
  void aDrillWithoutANameIsAskedForOne() {
    CommandRun run = CommandRun.of("drill");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .containsExactly(
            "leeway: no drill was given (expected: read-after-write)", "See leeway drill --help");
  }
}
