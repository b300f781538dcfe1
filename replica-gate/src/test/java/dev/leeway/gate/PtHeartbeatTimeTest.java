package dev.leeway.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class PtHeartbeatTimeTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @Test
  void aUtcTextIsReadToTheMicrosecond() {
    assertThat(PtHeartbeatTime.parse("2026-11-30T09:20:00.001230", ZoneOffset.UTC))
        .isEqualTo(Sample.Heartbeat.at(micros("2026-11-30T09:20:00.001230Z")));
    assertThat(PtHeartbeatTime.parse("2026-11-30 09:20:00", ZoneOffset.UTC))
        .isEqualTo(Sample.Heartbeat.at(micros("2026-11-30T09:20:00Z")));
  }

  @Test
  void aLocalTextIsReadInItsZone() {
    assertThat(PtHeartbeatTime.parse("2026-07-01T12:00:00.000000", BERLIN))
        .isEqualTo(Sample.Heartbeat.at(micros("2026-07-01T10:00:00Z")));
    assertThat(PtHeartbeatTime.parse("2026-12-01T12:00:00.000000", BERLIN))
        .isEqualTo(Sample.Heartbeat.at(micros("2026-12-01T11:00:00Z")));
  }

  @Test
  void inTheHourThatHappensTwiceBothMomentsAreTold() {
    Sample.Heartbeat heartbeat = PtHeartbeatTime.parse("2026-10-25T02:30:00.000000", BERLIN);

    assertThat(heartbeat.isSeen()).isTrue();
    assertThat(heartbeat.earliestMicros()).isEqualTo(micros("2026-10-25T00:30:00Z"));
    assertThat(heartbeat.latestMicros()).isEqualTo(micros("2026-10-25T01:30:00Z"));
  }

  @Test
  void inTheHourThatIsSkippedTheEarlierReckoningCounts() {
    assertThat(PtHeartbeatTime.parse("2026-03-29T02:30:00.000000", BERLIN))
        .isEqualTo(Sample.Heartbeat.at(micros("2026-03-29T01:30:00Z")));
  }

  @Test
  void whatIsNoTimeIsNoHeartbeat() {
    for (String text :
        new String[] {"", "yesterday", "2026-13-01T00:00:00", "0000-00-00 00:00:00"}) {
      assertThat(PtHeartbeatTime.parse(text, ZoneOffset.UTC)).isEqualTo(Sample.Heartbeat.MISSING);
    }
  }

  private static long micros(String instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(instant));
  }
}
