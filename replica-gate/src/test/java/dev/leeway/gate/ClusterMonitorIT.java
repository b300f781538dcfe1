package dev.leeway.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.testkit.Fault;
import dev.leeway.testkit.MySqlCluster;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.MySqlTopology;
import dev.leeway.testkit.Server;
import java.net.ServerSocket;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The monitor on real servers whose replication, process or network is disturbed. */
@MySqlTopology(replicas = 2)
class ClusterMonitorIT {
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

  @Test
  void healthyServersServeAndTheirAgeStaysFarBelowTheLimit() throws Exception {
    try (Watch watch = Watch.of(cluster, s -> s.ejectAbove(Duration.ofSeconds(10))).ready()) {
      for (int i = 0; i < 40; i++) {
        watch.polled("replica-1");
        watch.polled("primary");
      }

      ClusterState state = watch.monitor.state();
      assertThat(state.primaryIndex()).isZero();
      assertThat(state.cluster()).isEqualTo(new ClusterId(Watch.CLUSTER, 1));
      assertThat(state.servers()).allMatch(server -> server.findings().isEmpty());
      assertThat(state.server(1).serverUuid()).hasToString(replica1.serverUuid());
      assertThat(state.server(0).executed())
          .matches(set -> GtidSet.parse(primary.executedGtids()).contains(set));
      assertThat(watch.probe.mostStaleSeconds()).isLessThan(5.0);
    }
  }

  @Test
  void onePollIsOneStatementAndNothingElse() throws Exception {
    try (Watch watch = Watch.of(cluster, s -> s.pollInterval(Duration.ofMillis(20))).ready()) {
      // What the heartbeat makes the applier do is counted as statements too.
      watch.monitor.heartbeatWriter().orElseThrow().pause();
      cluster.awaitCaughtUp(SOON);
      watch.polled("replica-1");
      double polledBefore = polls(watch);
      Map<String, Long> before = replica1.statementCounts();
      for (int i = 0; i < 50; i++) {
        watch.polled("replica-1");
      }
      Map<String, Long> statements = replica1.statementsSince(before);
      double polled = polls(watch) - polledBefore;

      // A poll may begin or end between the two countings.
      assertThat((double) statements.getOrDefault("Com_select", 0L))
          .isBetween(polled - 1, polled + 1);
      assertThat(statements.keySet()).containsExactly("Com_select");
    }
  }

  @Test
  void aReplicaThatHearsOfNothingNewGoesOutAndComesBack() throws Exception {
    goesOutAndComesBack(() -> replica1.stopReceiving(), Finding.RECEIVER_STOPPED);
  }

  @Test
  void aReplicaWhoseApplierIsStoppedGoesOutAndComesBack() throws Exception {
    goesOutAndComesBack(() -> replica1.pauseApplier(), Finding.APPLIER_STOPPED);
  }

  @Test
  void aReplicaWhoseApplierIsBlockedWhileBothThreadsRunGoesOutAndComesBack() throws Exception {
    goesOutAndComesBack(() -> replica1.longStatement(Duration.ofMinutes(5)), null);
  }

  @Test
  void aDetachedReplicaIsRefusedAtOnceAndComesBackOnlyWhenItIsProvedAgain() throws Exception {
    try (Watch watch = Watch.of(cluster).ready()) {
      long generation = watch.server("replica-1").generation();
      try (Fault fault = replica1.detach()) {
        watch.probe.await(
            fault.description(),
            SOON,
            state ->
                !Watch.in(state, "replica-1").mayServe()
                    && Watch.in(state, "replica-1").findings().contains(Finding.DETACHED));
        watch.probe.forget();
        watch.probe.await(
            "its age grows far beyond the limit",
            BACK,
            state -> StateProbe.stalenessMillis(Watch.in(state, "replica-1")) > 3 * LIMIT_MILLIS);
        assertThat(watch.probe.served()).containsExactly("primary", "replica-2");
      }
      watch.probe.await("it serves again", BACK, state -> Watch.in(state, "replica-1").mayServe());
      assertThat(watch.server("replica-1").generation()).isGreaterThan(generation);
    }
  }

  @Test
  void aHeartbeatRowThatIsMissingOnAStandingReplicaIsNotTakenForNoLag() throws Exception {
    try (Watch watch = Watch.of(cluster).ready()) {
      String table = "leeway.heartbeat";
      try (Fault frozen = replica1.pauseApplier()) {
        replica1.executeHereOnly(
            "CREATE TABLE leeway.kept AS SELECT * FROM " + table, "DELETE FROM " + table);
        try {
          watch.probe.await(
              frozen.description() + " and its heartbeat row is gone",
              BACK,
              state ->
                  Watch.in(state, "replica-1").health() == Health.STALE
                      && Watch.in(state, "replica-1")
                          .findings()
                          .contains(Finding.HEARTBEAT_MISSING));
          watch.probe.forget();
          watch.probe.await(
              "its age grows far beyond the limit",
              BACK,
              state -> StateProbe.stalenessMillis(Watch.in(state, "replica-1")) > 5 * LIMIT_MILLIS);
          assertThat(watch.probe.served()).containsExactly("primary", "replica-2");
        } finally {
          replica1.executeHereOnly(
              "INSERT INTO " + table + " SELECT * FROM leeway.kept", "DROP TABLE leeway.kept");
        }
      }
      watch.probe.await("it serves again", BACK, state -> Watch.in(state, "replica-1").mayServe());
    }
  }

  @Test
  void aReplicaThatStandsStillWhenTheApplicationStartsNeverServes() throws Exception {
    try (Watch first = Watch.of(cluster).ready()) {
      try (Fault frozen = replica1.pauseApplier()) {
        first.probe.await(
            frozen.description(),
            BACK,
            state -> StateProbe.stalenessMillis(Watch.in(state, "replica-1")) > 2 * LIMIT_MILLIS);

        try (Watch second = Watch.of(cluster)) {
          second.probe.await(
              "the other servers serve",
              BACK,
              state ->
                  Watch.in(state, "replica-2").mayServe() && Watch.in(state, "primary").mayServe());
          for (int i = 0; i < 20; i++) {
            second.polled("replica-1");
          }
          assertThat(second.probe.served()).containsExactly("primary", "replica-2");
        }
      }
    }
  }

  @Test
  void aSickReplicaThatHangsStaysOutAndDelaysNobodyElse() throws Exception {
    try (Watch watch = Watch.of(cluster).ready()) {
      try (Fault stopped = replica1.pauseApplier()) {
        watch.probe.await(
            stopped.description(),
            BACK,
            state -> Watch.in(state, "replica-1").health() == Health.STALE);
        watch.probe.forget();
        replica1.freeze();
        watch.probe.await(
            "it hangs", BACK, state -> Watch.in(state, "replica-1").health() == Health.UNREACHABLE);

        try (Fault late = replica2.delay(Duration.ofSeconds(5))) {
          watch.probe.await(
              late.description(),
              BACK,
              state -> Watch.in(state, "replica-2").health() == Health.STALE);
        }
        watch.probe.await(
            "replica-2 is back", BACK, state -> Watch.in(state, "replica-2").mayServe());
        assertThat(watch.server("replica-1").health()).isEqualTo(Health.UNREACHABLE);

        replica1.thaw();
        watch.probe.await(
            "it is asked again",
            BACK,
            state -> Watch.in(state, "replica-1").health() == Health.STALE);
        for (int i = 0; i < 20; i++) {
          watch.polled("replica-1");
        }
        assertThat(watch.probe.served()).doesNotContain("replica-1");
      }
      watch.probe.await("it serves again", BACK, state -> Watch.in(state, "replica-1").mayServe());
    }
  }

  @Test
  void aReplicaBehindABrokenNetworkIsUnreachableAndComesBack() throws Exception {
    try (Watch watch = Watch.of(cluster).ready()) {
      for (Fault fault : List.of(replica1.cutNetwork(), replica2.refuseConnections())) {
        String name = fault.description().contains("refused") ? "replica-2" : "replica-1";
        watch.probe.await(
            fault.description(),
            BACK,
            state -> Watch.in(state, name).health() == Health.UNREACHABLE);
        assertThat(watch.server(name).problem()).isNotBlank();
        fault.close();
      }
      watch.probe.awaitAllServing();
    }
  }

  @Test
  void aKilledConnectionIsOpenedAgainWithoutTakingTheReplicaOut() throws Exception {
    try (Watch watch = Watch.of(cluster).ready()) {
      long generation = watch.server("replica-1").generation();
      for (int i = 0; i < 5; i++) {
        killConnectionsOf(replica1.user(), replica1);
        watch.polled("replica-1");
      }

      assertThat(watch.server("replica-1").generation()).isEqualTo(generation);
      assertThat(watch.server("replica-1").health()).isEqualTo(Health.FRESH);
    }
  }

  @Test
  void aRestartedReplicaIsOfAnotherGenerationAndProvesItselfAgain() throws Exception {
    try (Watch watch = Watch.of(cluster).ready()) {
      long generation = watch.server("replica-1").generation();

      replica1.restart();

      watch.probe.await(
          "it serves again",
          BACK,
          state ->
              Watch.in(state, "replica-1").mayServe()
                  && Watch.in(state, "replica-1").generation() > generation);
    }
  }

  @Test
  void aReplicaThatWasWrittenToIsNamedForBeingWritableAndRefusedForItsOwnTransactions()
      throws Exception {
    try (Watch watch = Watch.of(cluster).ready()) {
      try (Fault fault = replica1.forgetSuperReadOnly()) {
        watch.probe.await(
            fault.description(),
            SOON,
            state ->
                Watch.in(state, "replica-1").findings().equals(Set.of(Finding.WRITABLE))
                    && Watch.in(state, "replica-1").mayServe());

        replica1.execute("CREATE DATABASE errant_here");

        watch.probe.await(
            "it has a transaction of its own",
            SOON,
            state ->
                Watch.in(state, "replica-1").findings().contains(Finding.ERRANT_TRANSACTIONS)
                    && !Watch.in(state, "replica-1").mayServe());
        assertThat(watch.monitor.state().primaryIndex()).isZero();
      }
      watch.probe.awaitAllServing();
    }
  }

  @Test
  void aServerThatIsNotThereAndAWrongPasswordAreToldByName() throws Exception {
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    ClusterMonitor.Builder builder =
        ClusterMonitor.builder(Watch.CLUSTER)
            .settings(Watch.settings().build())
            .primary(Watch.endpoint(primary, ""))
            .replica(new ServerEndpoint("gone", "jdbc:mysql://127.0.0.1:" + free + "/", "u", "p"))
            .replica(new ServerEndpoint("denied", replica1.jdbcUrl(""), replica1.user(), "wrong"));
    try (ClusterMonitor monitor = builder.start();
        StateProbe probe = new StateProbe(monitor)) {
      assertThat(monitor.awaitFirstSample(Duration.ofMillis(100))).isFalse();
      ClusterState state =
          probe.await(
              "both are unreachable",
              SOON,
              s ->
                  s.server(1).health() == Health.UNREACHABLE
                      && s.server(2).health() == Health.UNREACHABLE
                      && s.server(0).mayServe());

      assertThat(state.server(1).problem())
          .isEqualTo("Communications link failure (Connection refused)");
      assertThat(state.server(2).problem())
          .contains("Access denied for user")
          .contains("[error 1045]")
          .doesNotContain("wrong");
    }
  }

  @Test
  void aClosedMonitorLeavesNoThreadNoConnectionAndNoMeter() throws Exception {
    Watch watch = Watch.of(cluster).ready();
    watch.close();

    assertThat(watch.registry.getMeters()).isEmpty();
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.startsWith("leeway-" + Watch.CLUSTER));
    assertThat(watch.monitor.pollNow(0)).isCompletedExceptionally();
    for (MySqlServer server : cluster.servers()) {
      Eventually.within(
          SOON,
          "no session of the monitor is left on " + server,
          () -> sessionsOf(server.user(), server).isEmpty());
    }
  }

  private interface FaultMaker {
    Fault make();
  }

  private void goesOutAndComesBack(FaultMaker maker, @Nullable Finding finding) throws Exception {
    try (Watch watch = Watch.of(cluster).ready()) {
      try (Fault fault = maker.make()) {
        watch.probe.await(
            fault.description(),
            BACK,
            state -> Watch.in(state, "replica-1").health() == Health.STALE);
        if (finding != null) {
          assertThat(watch.server("replica-1").findings()).contains(finding);
        }
        watch.probe.forget();
        watch.probe.await(
            "its age grows far beyond the limit",
            BACK,
            state -> StateProbe.stalenessMillis(Watch.in(state, "replica-1")) > 4 * LIMIT_MILLIS);
        assertThat(watch.probe.served()).containsExactly("primary", "replica-2");
      }
      watch.probe.await("it serves again", BACK, state -> Watch.in(state, "replica-1").mayServe());
    }
  }

  private static double polls(Watch watch) {
    return watch
        .registry
        .get("leeway.poll")
        .tags("instance", "replica-1", "outcome", "answered")
        .timer()
        .count();
  }

  private static List<String> sessionsOf(String user, MySqlServer server) throws SQLException {
    String ids =
        server.queryString(
            "SELECT GROUP_CONCAT(ID) FROM information_schema.PROCESSLIST WHERE USER='"
                + user
                + "'");
    return ids == null ? List.of() : List.of(ids.split(","));
  }

  private static void killConnectionsOf(String user, MySqlServer server) throws SQLException {
    for (String id : sessionsOf(user, server)) {
      server.execute("KILL " + id);
    }
  }
}
