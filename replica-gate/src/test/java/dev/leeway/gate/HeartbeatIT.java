package dev.leeway.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.testkit.Fault;
import dev.leeway.testkit.MySqlCluster;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.MySqlTopology;
import dev.leeway.testkit.Server;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The heartbeat, its writer, and what happens without them, on real servers. */
@MySqlTopology(replicas = 2)
class HeartbeatIT {
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final Duration BACK = Duration.ofSeconds(20);

  private MySqlCluster cluster;
  private MySqlServer primary;
  private MySqlServer replica1;

  @BeforeEach
  void servers(
      MySqlCluster shared, @Server("primary") MySqlServer p, @Server("replica-1") MySqlServer r1)
      throws SQLException {
    cluster = shared;
    primary = p;
    replica1 = r1;
    primary.execute("DROP DATABASE IF EXISTS leeway", "DROP DATABASE IF EXISTS percona");
    cluster.awaitCaughtUp(SOON);
  }

  @Test
  void theTableIsMadeOnRequestAndItsRowIsYoungEverywhere() throws Exception {
    try (Watch watch = Watch.of(cluster).ready()) {
      watch.probe.await(
          "every server shows the heartbeat",
          SOON,
          state -> state.servers().stream().allMatch(server -> lag(watch, server.name()) < 1.0));

      assertThat(replica1.queryString("SELECT server_uuid FROM leeway.heartbeat"))
          .isEqualTo(primary.serverUuid());
    }
  }

  @Test
  void withoutTheRequestNoTableIsMadeAndPositionsAloneMeasure() throws Exception {
    try (Watch watch = Watch.of(cluster, s -> s.createHeartbeatTable(false))) {
      watch.probe.await(
          "the missing heartbeat is named and everything serves",
          BACK,
          state ->
              state.heartbeat() == HeartbeatStatus.WRITER_DOWN
                  && state.servers().stream()
                      .allMatch(
                          server ->
                              server.mayServe()
                                  && server.findings().equals(Set.of(Finding.HEARTBEAT_MISSING))));

      HeartbeatWriter writer = watch.monitor.heartbeatWriter().orElseThrow();
      assertThat(writer.isWriting()).isFalse();
      assertThat(writer.problem())
          .startsWith("primary: ")
          .containsAnyOf("[error 1049]", "[error 1146]");
      assertThat(primary.queryString("SHOW DATABASES LIKE 'leeway'")).isNull();

      // As an administrator would after reading the log.
      primary.execute(
          "CREATE DATABASE leeway", HeartbeatWriter.definition(HeartbeatTable.leeway("leeway")));
      watch.probe.await(
          "the heartbeat runs",
          SOON,
          state ->
              state.heartbeat() == HeartbeatStatus.RUNNING
                  && state.servers().stream().allMatch(server -> server.findings().isEmpty()));
      assertThat(writer.isWriting()).isTrue();
      assertThat(writer.problem()).isNull();
    }
  }

  @Test
  void ofSeveralProcessesOneWritesAndAnotherTakesOverWhenItEnds() throws Exception {
    List<Watch> watches = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        watches.add(Watch.of(cluster));
      }
      for (Watch watch : watches) {
        watch.ready();
      }
      assertThat(writers(watches)).hasSize(1);

      while (watches.size() > 1) {
        Watch leader = writers(watches).get(0);
        watches.remove(leader);
        leader.close();
        Eventually.within(SOON, "another writes", () -> writers(watches).size() == 1);
      }
      assertThat(watches.get(0).monitor.state().heartbeat()).isEqualTo(HeartbeatStatus.RUNNING);
    } finally {
      watches.forEach(Watch::close);
    }
  }

  @Test
  void aWriterThatWasPausedLetsAnotherWriteAndIsNotMissed() throws Exception {
    try (Watch first = Watch.of(cluster).ready();
        Watch second = Watch.of(cluster)) {
      first.monitor.heartbeatWriter().orElseThrow().pause();

      Eventually.within(
          SOON,
          "the other writes",
          () -> second.monitor.heartbeatWriter().orElseThrow().isWriting());
      assertThat(first.monitor.heartbeatWriter().orElseThrow().isWriting()).isFalse();
    }
  }

  @Test
  void aDeadWriterIsReportedAsSuchAndEjectsNoReplica() throws Exception {
    try (Watch watch = Watch.of(cluster).ready()) {
      HeartbeatWriter writer = watch.monitor.heartbeatWriter().orElseThrow();
      writer.pause();
      watch.probe.forget();
      watch.probe.await(
          "the writer is down", SOON, state -> state.heartbeat() == HeartbeatStatus.WRITER_DOWN);
      // Without a heartbeat, and with commits: positions tell who is behind.
      try (Fault frozen = replica1.pauseApplier()) {
        for (int i = 0; i < 200 && watch.server("replica-1").mayServe(); i++) {
          primary.execute("CREATE DATABASE IF NOT EXISTS percona");
          watch.polled("replica-1");
        }
        watch.probe.await(
            frozen.description(),
            BACK,
            state -> Watch.in(state, "replica-1").health() == Health.STALE);
        watch.probe.await(
            "replica-2 serves", BACK, state -> Watch.in(state, "replica-2").mayServe());
      }
      watch.probe.await(
          "the heartbeat is far older than the limit, and everybody serves",
          BACK,
          state ->
              lag(watch, "replica-2") > 6.0
                  && state.servers().stream().allMatch(ServerState::mayServe));

      writer.resume();
      watch.probe.await(
          "the heartbeat runs", SOON, state -> state.heartbeat() == HeartbeatStatus.RUNNING);
    }
  }

  @Test
  void aWriterThatIsBlockedOnThePrimaryIsReportedAndEjectsNoReplica() throws Exception {
    try (Watch watch = Watch.of(cluster).ready()) {
      try (Fault fault = primary.blockHeartbeatWriter("leeway.heartbeat")) {
        watch.probe.await(
            fault.description(), SOON, state -> state.heartbeat() == HeartbeatStatus.WRITER_DOWN);
        watch.probe.awaitAllServing();
      }
      watch.probe.await(
          "the heartbeat runs", SOON, state -> state.heartbeat() == HeartbeatStatus.RUNNING);
    }
  }

  @Test
  void aWriterThatMayNotWriteSaysWhatToGrant() throws Exception {
    primary.execute(
        "CREATE DATABASE leeway",
        HeartbeatWriter.definition(HeartbeatTable.leeway("leeway")),
        "CREATE USER IF NOT EXISTS only_reads IDENTIFIED BY 'only-reads'",
        "GRANT SELECT ON *.* TO only_reads");
    ClusterMonitor.Builder builder =
        ClusterMonitor.builder(Watch.CLUSTER)
            .settings(Watch.settings().build())
            .primary(Watch.endpoint(primary, ""))
            .heartbeatAccount("only_reads", "only-reads");
    try (ClusterMonitor monitor = builder.start()) {
      HeartbeatWriter writer = monitor.heartbeatWriter().orElseThrow();

      Eventually.within(SOON, "the writer has a problem", () -> writer.problem() != null);

      assertThat(writer.problem())
          .startsWith("primary: INSERT, UPDATE command denied to user 'only_reads'")
          .endsWith("[error 1142]");
      assertThat(monitor.state().server(0).health()).isEqualTo(Health.FRESH);
    } finally {
      primary.execute("DROP USER only_reads");
    }
  }

  @Test
  void theGrantsOfTheDocumentationAreEnoughAndNothingIsMissing() throws Exception {
    MonitoringPage page = MonitoringPage.read();
    for (String block : List.of("table", "monitor", "writer")) {
      primary.execute(page.statements(block).toArray(String[]::new));
    }
    cluster.awaitCaughtUp(SOON);
    ClusterMonitor.Builder builder =
        ClusterMonitor.builder(Watch.CLUSTER)
            .settings(Watch.settings().createHeartbeatTable(false).build())
            .primary(endpoint(primary, "leeway_monitor", "choose-one"))
            .replica(endpoint(replica1, "leeway_monitor", "choose-one"))
            .heartbeatAccount("leeway_heartbeat", "choose-another");
    try (ClusterMonitor monitor = builder.start();
        StateProbe probe = new StateProbe(monitor)) {
      probe.await(
          "both serve and the heartbeat runs",
          SOON,
          state ->
              state.heartbeat() == HeartbeatStatus.RUNNING
                  && state.servers().stream().allMatch(ServerState::mayServe));
      // Longer than it takes to name what is missing.
      long since = System.nanoTime();
      ClusterState state =
          probe.await(
              "the time in which something missing would be named is over",
              SOON,
              s -> System.nanoTime() - since > TimeUnit.MILLISECONDS.toNanos(3_500));

      assertThat(state.servers()).allMatch(server -> server.findings().isEmpty());
      assertThat(state.server(1).mayServe()).isTrue();
    } finally {
      primary.execute("DROP USER leeway_monitor, leeway_heartbeat");
    }
  }

  @Test
  void anAccountThatMayOnlyLogInStillMeasuresByPosition() throws Exception {
    primary.execute("CREATE USER IF NOT EXISTS nobody_special IDENTIFIED BY 'nobody'");
    cluster.awaitCaughtUp(SOON);
    ClusterMonitor.Builder builder =
        ClusterMonitor.builder(Watch.CLUSTER)
            .settings(Watch.settings().writeHeartbeat(false).createHeartbeatTable(false).build())
            .primary(endpoint(primary, "nobody_special", "nobody"))
            .replica(endpoint(replica1, "nobody_special", "nobody"));
    try (ClusterMonitor monitor = builder.start();
        StateProbe probe = new StateProbe(monitor)) {
      ClusterState state =
          probe.await(
              "both serve, and what cannot be read is named",
              SOON,
              s ->
                  s.server(1).mayServe()
                      && s.server(1).findings().size() == 2
                      && s.server(0).mayServe());

      assertThat(state.server(1).findings())
          .containsExactlyInAnyOrder(Finding.HEARTBEAT_MISSING, Finding.REPLICATION_UNREADABLE);
    } finally {
      primary.execute("DROP USER nobody_special");
    }
  }

  @Test
  void theTableOfPtHeartbeatIsUnderstoodInUtcAndInLocalTime() throws Exception {
    // What pt-heartbeat --create-table makes.
    primary.execute(
        "CREATE DATABASE percona",
        "CREATE TABLE percona.heartbeat (ts VARCHAR(26) NOT NULL, server_id INT UNSIGNED NOT NULL"
            + " PRIMARY KEY, file VARCHAR(255) DEFAULT NULL, position BIGINT UNSIGNED DEFAULT NULL,"
            + " relay_master_log_file VARCHAR(255) DEFAULT NULL, exec_master_log_pos BIGINT"
            + " UNSIGNED DEFAULT NULL)");
    for (ZoneId zone : List.of(ZoneOffset.UTC, ZoneId.of("America/New_York"))) {
      ScheduledExecutorService other = Executors.newSingleThreadScheduledExecutor();
      try (Watch watch =
          Watch.of(
              cluster,
              s ->
                  s.createHeartbeatTable(false)
                      .heartbeatTable(HeartbeatTable.ptHeartbeat("percona.heartbeat", zone)))) {
        var unused =
            other.scheduleAtFixedRate(
                () -> writeAsPtHeartbeatDoes(zone), 0, 200, TimeUnit.MILLISECONDS);
        watch.probe.await(
            "the heartbeat of others runs",
            SOON,
            state ->
                state.heartbeat() == HeartbeatStatus.RUNNING
                    && lag(watch, "replica-1") < 1.0
                    && lag(watch, "replica-2") < 1.0);
        assertThat(watch.monitor.heartbeatWriter()).isEmpty();
        watch.probe.awaitAllServing();
      } finally {
        other.shutdownNow();
        assertThat(other.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
      }
    }
  }

  private void writeAsPtHeartbeatDoes(ZoneId zone) {
    try {
      primary.execute(
          "REPLACE INTO percona.heartbeat (ts, server_id) VALUES ('"
              + LocalDateTime.ofInstant(Instant.now(), zone).truncatedTo(ChronoUnit.MICROS)
              + "', @@server_id)");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ServerEndpoint endpoint(MySqlServer server, String user, String password) {
    return new ServerEndpoint(server.name(), server.jdbcUrl(""), user, password);
  }

  private static List<Watch> writers(List<Watch> watches) {
    return watches.stream()
        .filter(watch -> watch.monitor.heartbeatWriter().orElseThrow().isWriting())
        .toList();
  }

  /** Infinite if there is none. */
  private static double lag(Watch watch, String server) {
    double lag = watch.registry.get("mysql.heartbeat.lag").tag("instance", server).gauge().value();
    return Double.isNaN(lag) ? Double.POSITIVE_INFINITY : lag;
  }
}
