package dev.leeway.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.testkit.Fault;
import dev.leeway.testkit.MySqlCluster;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.MySqlTopology;
import dev.leeway.testkit.Server;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.TimeZone;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The monitor on real servers whose clocks and time zones are wrong or set. */
@MySqlTopology(replicas = 2, settableClocks = true)
class ClockIT {
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final Duration BACK = Duration.ofSeconds(20);
  private static final long LIMIT_MILLIS = 1_000;

  private MySqlCluster cluster;
  private MySqlServer primary;
  private MySqlServer replica1;
  private MySqlServer replica2;

  @BeforeEach
  void servers(
      MySqlCluster shared,
      @Server("primary") MySqlServer p,
      @Server("replica-1") MySqlServer r1,
      @Server("replica-2") MySqlServer r2) {
    cluster = shared;
    primary = p;
    replica1 = r1;
    replica2 = r2;
  }

  @ParameterizedTest
  @ValueSource(longs = {120, -120})
  void aReplicasClockChangesNoDecision(long skewSeconds) throws Exception {
    try (Watch watch = Watch.of(cluster).ready()) {
      try (Fault fault = replica1.skewClock(Duration.ofSeconds(skewSeconds))) {
        watch.probe.await(
            fault.description(),
            SOON,
            state -> Watch.in(state, "replica-1").findings().contains(Finding.CLOCK_SKEWED));
        for (int i = 0; i < 20; i++) {
          watch.polled("replica-1");
        }
        watch.probe.awaitAllServing();
        watch.probe.forget();

        try (Fault frozen = replica1.pauseApplier()) {
          watch.probe.await(
              frozen.description(),
              BACK,
              state -> Watch.in(state, "replica-1").health() == Health.STALE);
        }
        watch.probe.awaitAllServing();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {120, -120})
  void aClockThatIsSetOnThePrimaryMakesNoReplicaOlderOrYounger(long skewSeconds) throws Exception {
    try (Watch watch = Watch.of(cluster).ready()) {
      try (Fault frozen = replica2.pauseApplier()) {
        watch.probe.await(
            frozen.description(),
            BACK,
            state -> Watch.in(state, "replica-2").health() == Health.STALE);
        watch.probe.forget();

        try (Fault skewed = primary.skewClock(Duration.ofSeconds(skewSeconds))) {
          watch.probe.await(
              skewed.description(),
              BACK,
              state -> StateProbe.stalenessMillis(Watch.in(state, "replica-2")) > 5 * LIMIT_MILLIS);
          watch.probe.await(
              "replica-1 serves", BACK, state -> Watch.in(state, "replica-1").mayServe());
        }
        assertThat(watch.probe.served()).containsExactly("primary", "replica-1");
      }
      watch.probe.awaitAllServing();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "America/New_York, ''",
    "Europe/Berlin, connectionTimeZone=Asia/Tokyo&forceConnectionTimeZoneToSession=true"
  })
  void timeZonesOfServersDriverAndProcessChangeNoLag(String zone, String urlParameters)
      throws Exception {
    TimeZone before = TimeZone.getDefault();
    setTimeZones("+00:00", "+05:30", "-03:00");
    TimeZone.setDefault(TimeZone.getTimeZone(zone));
    try (Watch watch =
        Watch.of(cluster, s -> s.ejectAbove(Duration.ofSeconds(2)), urlParameters).ready()) {
      for (int i = 0; i < 40; i++) {
        watch.polled("replica-1");
        watch.polled("replica-2");
        for (String name : List.of("replica-1", "replica-2")) {
          double lag =
              watch.registry.get("mysql.heartbeat.lag").tag("instance", name).gauge().value();
          assertThat(lag).isBetween(0.0, 2.0);
        }
      }
      assertThat(watch.probe.mostStaleSeconds()).isLessThan(2.0);
      assertThat(watch.monitor.state().servers()).allMatch(server -> server.findings().isEmpty());
      watch.probe.awaitAllServing();
    } finally {
      TimeZone.setDefault(before);
      setTimeZones("SYSTEM", "SYSTEM", "SYSTEM");
    }
  }

  private void setTimeZones(String ofPrimary, String ofReplica1, String ofReplica2)
      throws SQLException {
    primary.execute("SET GLOBAL time_zone='" + ofPrimary + "'");
    replica1.execute("SET GLOBAL time_zone='" + ofReplica1 + "'");
    replica2.execute("SET GLOBAL time_zone='" + ofReplica2 + "'");
  }
}
