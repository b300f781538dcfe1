package dev.leeway.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MonitorSettingsTest {
  @Test
  void theDefaultsAreThoseOfTheDocumentation() {
    MonitorSettings settings = MonitorSettings.defaults();

    assertThat(settings.pollInterval()).isEqualTo(Duration.ofMillis(100));
    assertThat(settings.pollTimeout()).isEqualTo(Duration.ofSeconds(1));
    assertThat(settings.ejectAbove()).isEqualTo(Duration.ofSeconds(10));
    assertThat(settings.readmitBelow()).isEqualTo(Duration.ofSeconds(5));
    assertThat(settings.readmitAfter()).isEqualTo(3);
    assertThat(settings.heartbeatTable()).isEqualTo(HeartbeatTable.leeway("leeway"));
    assertThat(settings.heartbeatInterval()).isEqualTo(Duration.ofMillis(250));
    assertThat(settings.writeHeartbeat()).isTrue();
    assertThat(settings.createHeartbeatTable()).isFalse();
    assertThat(settings.takeOverAfter()).isEqualTo(Duration.ofSeconds(3));
    assertThat(settings.refuse())
        .containsExactlyInAnyOrder(
            Finding.DETACHED, Finding.UUID_CHANGED, Finding.ERRANT_TRANSACTIONS);
  }

  @Test
  void everyMistakeIsNamedAtOnce() {
    assertThatThrownBy(
            () ->
                MonitorSettings.builder()
                    .pollInterval(Duration.ofMillis(1))
                    .readmitBelow(Duration.ofSeconds(20))
                    .readmitAfter(0)
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Monitor settings - cannot be used: pollInterval: PT0.001S (expected: PT0.01S to PT30S);"
                + " readmitBelow: PT20S (expected: no more than ejectAbove, PT10S); readmitAfter: 0"
                + " (expected: 1 to 10000)");
  }

  @Test
  void aReadmissionThatNoPollCouldMeasureIsRefused() {
    assertThatThrownBy(
            () ->
                MonitorSettings.builder()
                    .pollInterval(Duration.ofSeconds(1))
                    .ejectAbove(Duration.ofSeconds(2))
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Monitor settings - cannot be used: readmitBelow: PT1S, half of ejectAbove (expected: at"
                + " least two poll intervals, PT2S, or a replica could never come back)");
  }

  @Test
  void aTableOfOthersIsNeverWritten() {
    HeartbeatTable foreign = HeartbeatTable.ptHeartbeat("percona.heartbeat", ZoneOffset.UTC);

    assertThat(MonitorSettings.builder().heartbeatTable(foreign).build().writeHeartbeat())
        .isFalse();
    assertThatThrownBy(
            () ->
                MonitorSettings.builder()
                    .heartbeatTable(foreign)
                    .writeHeartbeat(true)
                    .createHeartbeatTable(true)
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("writeHeartbeat: true with table percona.heartbeat (pt-heartbeat, Z)")
        .hasMessageContaining("createHeartbeatTable: true with table");
  }

  @Test
  void changingOneSettingKeepsTheOthers() {
    MonitorSettings settings =
        MonitorSettings.builder()
            .pollInterval(Duration.ofMillis(50))
            .ejectAbove(Duration.ofSeconds(2))
            .refuse(Set.of(Finding.WRITABLE))
            .build();

    MonitorSettings changed = settings.toBuilder().readmitAfter(7).build();

    assertThat(changed.pollInterval()).isEqualTo(Duration.ofMillis(50));
    assertThat(changed.ejectAbove()).isEqualTo(Duration.ofSeconds(2));
    assertThat(changed.readmitBelow()).isEqualTo(Duration.ofSeconds(1));
    assertThat(changed.refuse()).containsExactly(Finding.WRITABLE);
    assertThat(changed.readmitAfter()).isEqualTo(7);
  }

  @Test
  void aHeartbeatTableWithAnUnsafeNameIsRefused() {
    assertThatThrownBy(() -> HeartbeatTable.leeway("a`b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Heartbeat table 'a`b' (expected: names of 1 to 64 letters, digits, _ or $)");
    assertThatThrownBy(() -> HeartbeatTable.ptHeartbeat("heartbeat", ZoneOffset.UTC))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Heartbeat table 'heartbeat' (expected: schema and table, such as percona.heartbeat)");
  }
}
