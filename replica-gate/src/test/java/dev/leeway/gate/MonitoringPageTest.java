package dev.leeway.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MonitoringPageTest {
  private final MonitoringPage page = page();

  @Test
  void theSettingsTableStatesTheDefaultsOfTheCode() {
    MonitorSettings defaults = MonitorSettings.defaults();

    assertThat(defaults.readmitBelow()).isEqualTo(defaults.ejectAbove().dividedBy(2));
    assertThat(page.table("Settings"))
        .containsEntry("pollInterval", text(defaults.pollInterval()))
        .containsEntry("pollTimeout", text(defaults.pollTimeout()))
        .containsEntry("ejectAbove", text(defaults.ejectAbove()))
        .containsEntry("readmitBelow", "half of ejectAbove")
        .containsEntry("readmitAfter", "" + defaults.readmitAfter())
        .containsEntry("heartbeatTable", defaults.heartbeatTable().toString())
        .containsEntry("heartbeatInterval", text(defaults.heartbeatInterval()))
        .containsEntry("writeHeartbeat", "" + defaults.writeHeartbeat())
        .containsEntry("createHeartbeatTable", "" + defaults.createHeartbeatTable())
        .containsEntry("takeOverAfter", text(defaults.takeOverAfter()))
        .containsEntry(
            "refuse", defaults.refuse().stream().map(Enum::name).collect(Collectors.joining(", ")))
        .hasSize(11);
  }

  @Test
  void everyWordOfTheCodeIsExplained() {
    assertThat(page.table("Health").keySet()).containsExactlyElementsOf(names(Health.values()));
    assertThat(page.table("Findings").keySet()).containsExactlyElementsOf(names(Finding.values()));
    assertThat(page.table("The heartbeat's status").keySet())
        .containsExactlyElementsOf(names(HeartbeatStatus.values()));
    assertThat(page.table("The gate").keySet())
        .containsExactlyElementsOf(names(GateResult.Outcome.values()));
  }

  @Test
  void theTableThatThePageMakesIsTheOneThatTheWriterMakes() {
    String shown = page.statements("table").get(1).replaceAll("\\s+", " ").replace("( ", "(");

    assertThat(shown).isEqualTo(HeartbeatWriter.definition(HeartbeatTable.leeway("leeway")));
  }

  @Test
  void theLockThatThePageNamesIsTheOneThatTheWriterTakes() {
    assertThat(HeartbeatWriter.lockName(HeartbeatTable.leeway("leeway")))
        .isEqualTo("leeway-heartbeat:leeway.heartbeat");
    assertThat(HeartbeatWriter.lockName(HeartbeatTable.leeway("a".repeat(64))))
        .hasSizeLessThanOrEqualTo(64)
        .isNotEqualTo(HeartbeatWriter.lockName(HeartbeatTable.leeway("b".repeat(64))));
  }

  private static List<String> names(Enum<?>[] values) {
    return Arrays.stream(values).map(Enum::name).toList();
  }

  private static String text(Duration duration) {
    return duration.toMillis() % 1_000 == 0
        ? duration.toSeconds() + " s"
        : duration.toMillis() + " ms";
  }

  private static MonitoringPage page() {
    try {
      return MonitoringPage.read();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
