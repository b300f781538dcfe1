package dev.leeway.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every fault bites, and nothing of it is left once it is undone. */
class FaultsIT {
  private static final Duration SOON = Duration.ofSeconds(10);

  private static MySqlCluster cluster;

  private TestSchema schema;
  private MySqlServer primary;
  private MySqlServer replica;
  private MySqlServer other;

  @BeforeAll
  static void start() {
    cluster = MySqlCluster.builder().replicas(2).start();
  }

  @AfterAll
  static void close() {
    cluster.close();
  }

  @BeforeEach
  void createTable() throws SQLException {
    schema = cluster.newSchema();
    schema.execute("CREATE TABLE t (id INT PRIMARY KEY)").awaitReplicated();
    primary = cluster.primary();
    replica = cluster.replica("replica-1");
    other = cluster.replica("replica-2");
  }

  @AfterEach
  void everythingIsAsBefore() throws SQLException {
    cluster.undoFaults();
    assertThat(cluster.faults()).isEmpty();
    assertThat(cluster.primary()).isSameAs(primary);
    write(999);
    cluster.awaitCaughtUp(SOON);
    assertThat(sees(replica, 999)).isTrue();
    assertThat(sees(other, 999)).isTrue();
    schema.close();
  }

  @Test
  void aDelayedReplicaShowsAWriteOnlyAfterItsTime() throws SQLException {
    replica.delay(Duration.ofMinutes(10));

    write(1);

    Replication.awaitExecuted(other, primary.executedGtids(), SOON);
    assertThat(sees(replica, 1)).isFalse();
    assertThat(status(replica).bothRun()).isTrue();
  }

  @Test
  void undoingADelayDoesNotWaitTheDelayOut() throws SQLException {
    Fault delay = replica.delay(Duration.ofMinutes(10));
    write(1);
    Replication.awaitExecuted(other, primary.executedGtids(), SOON);

    delay.close();

    cluster.awaitCaughtUp(SOON);
    assertThat(sees(replica, 1)).isTrue();
  }

  @Test
  void allReplicasCanBeDelayedAtOnce() throws SQLException {
    Fault delay = cluster.delay(Duration.ofMinutes(10));
    write(1);
    String position = primary.executedGtids();
    assertThatThrownBy(() -> cluster.awaitCaughtUp(Duration.ofMillis(200)))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("did not execute " + position);
    assertThat(sees(replica, 1) || sees(other, 1)).isFalse();

    delay.close();

    cluster.awaitCaughtUp(SOON);
    assertThat(sees(replica, 1) && sees(other, 1)).isTrue();
  }

  @Test
  void aShorterDelayInsideALongerOneLeavesTheLongerBehind() throws SQLException {
    replica.delay(Duration.ofMinutes(10));

    replica.delay(Duration.ofSeconds(1)).close();

    assertThat(status(replica).delay()).isEqualTo(Duration.ofMinutes(10));
    write(1);
    Replication.awaitExecuted(other, primary.executedGtids(), SOON);
    assertThat(sees(replica, 1)).isFalse();
  }

  @Test
  void faultsOfDifferentKindsDoNotUndoEachOther() throws SQLException {
    Fault paused = replica.pauseApplier();

    replica.delay(Duration.ofSeconds(1)).close();
    replica.pauseApplier().close();

    assertThat(status(replica).applier()).isEqualTo("No");
    paused.close();
    assertThat(status(replica).applier()).isEqualTo("Yes");
  }

  @Test
  void aPausedApplierReceivesButDoesNotShow() throws SQLException {
    replica.pauseApplier();

    write(1);

    Await.until(
        "the receiver has it",
        SOON,
        () ->
            "1"
                .equals(
                    replica.queryString(
                        "SELECT GTID_SUBSET('"
                            + primary.executedGtids()
                            + "', (SELECT CONCAT(@@global.gtid_executed, ',', RECEIVED_TRANSACTION_SET)"
                            + " FROM performance_schema.replication_connection_status))")));
    assertThat(sees(replica, 1)).isFalse();
    assertThat(status(replica).receiver()).isEqualTo("Yes");
    assertThat(status(replica).applier()).isEqualTo("No");
  }

  @Test
  void aReplicaThatStopsReceivingHearsOfNothing() throws SQLException {
    replica.stopReceiving();

    write(1);
    Replication.awaitExecuted(other, primary.executedGtids(), SOON);

    assertThat(sees(replica, 1)).isFalse();
    assertThat(status(replica).receiver()).isEqualTo("No");
    assertThat(status(replica).applier()).isEqualTo("Yes");
  }

  @Test
  void aFrozenServerAcceptsConnectionsAndAnswersNothing() throws SQLException {
    replica.freeze();

    assertThatThrownBy(() -> application(replica, 300).close())
        .isInstanceOf(SQLException.class)
        .hasStackTraceContaining("Read timed out");

    replica.thaw();

    try (Connection connection = application(replica, 5_000)) {
      assertThat(Jdbc.queryString(connection, "SELECT 1")).isEqualTo("1");
    }
    assertThat(cluster.faults()).isEmpty();
  }

  @Test
  void aKilledPrimaryKeepsWhatItHadAcknowledged() throws SQLException {
    String before = "";
    for (int i = 1; i <= 50; i++) {
      write(i);
      before = primary.executedGtids();
    }

    primary.kill();
    assertThatThrownBy(() -> application(primary, 1_000))
        .isInstanceOf(SQLException.class)
        .hasStackTraceContaining("Connection refused");
    primary.restart();

    assertThat(primary.executedGtids()).isEqualTo(before);
    assertThat(primary.queryString("SELECT COUNT(*) FROM " + schema.name() + ".t")).isEqualTo("50");
    try (Connection connection = application(primary, 5_000)) {
      Jdbc.execute(connection, "INSERT INTO t VALUES (51)");
    }
  }

  @Test
  void aKilledReplicaComesBackReadOnlyAndFollowing() throws SQLException {
    String identity = replica.serverUuid();
    int port = replica.port();
    replica.kill();
    write(1);

    replica.restart();

    cluster.awaitCaughtUp(SOON);
    assertThat(sees(replica, 1)).isTrue();
    assertThat(replica.serverUuid()).isEqualTo(identity);
    assertThat(replica.port()).isEqualTo(port);
    assertThat(replica.queryString("SELECT @@global.super_read_only")).isEqualTo("1");
    assertThat(cluster.faults()).isEmpty();
  }

  @Test
  void aCutNetworkSwallowsStatementsAndHealsLikeTcp() throws SQLException {
    try (Connection connection = application(replica, 10_000)) {
      Fault cut = replica.cutNetwork();
      assertThatThrownBy(() -> application(replica, 300).close())
          .isInstanceOf(SQLException.class)
          .hasStackTraceContaining("timed out");
      assertThat(replica.queryString("SELECT 1")).as("administrators go past it").isEqualTo("1");

      Thread healer = new Thread(cut::close, "healer");
      healer.start();

      assertThat(Jdbc.queryString(connection, "SELECT 7")).isEqualTo("7");
    }
  }

  @Test
  void refusedConnectionsFailAtOnceAndOpenOnesBreak() throws SQLException {
    try (Connection connection = application(replica, 5_000)) {
      Fault refused = replica.refuseConnections();
      assertThatThrownBy(() -> Jdbc.queryString(connection, "SELECT 1"))
          .isInstanceOf(SQLException.class);
      assertThatThrownBy(() -> application(replica, 1_000).close())
          .isInstanceOf(SQLException.class)
          .hasStackTraceContaining("Connection refused");

      refused.close();

      application(replica, 5_000).close();
    }
  }

  @Test
  void latencyIsAddedToEveryRoundTripAndTakenAwayAgain() throws SQLException {
    try (Connection connection = application(replica, 10_000)) {
      Fault slow = replica.addLatency(Duration.ofMillis(80));
      long start = System.nanoTime();
      for (int i = 0; i < 5; i++) {
        Jdbc.queryString(connection, "SELECT 1");
      }
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isGreaterThanOrEqualTo(Duration.ofMillis(400));

      slow.close();

      // Without any added time a thousand of them need less than the hundred needed with it.
      Await.until(
          "round trips are quick again",
          SOON,
          () -> {
            long again = System.nanoTime();
            Jdbc.queryString(connection, "SELECT 1");
            return System.nanoTime() - again < Duration.ofMillis(80).toNanos();
          });
    }
  }

  @Test
  void aDroppedReplyLeavesTheWriteDoneAndTheCallerWithoutAnAnswer() throws SQLException {
    DroppedReply dropped = primary.dropReplyAfter("insert into t values (41)");

    try (Connection connection = application(primary, 5_000)) {
      Jdbc.execute(connection, "INSERT INTO t VALUES (40)");
      assertThat(dropped.hasHappened()).isFalse();
      assertThatThrownBy(() -> Jdbc.execute(connection, "INSERT INTO t VALUES (41)"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("Communications link failure");
    }

    assertThat(dropped.hasHappened()).isTrue();
    assertThat(sees(primary, 41)).isTrue();
    try (Connection connection = application(primary, 5_000)) {
      Jdbc.execute(connection, "DELETE FROM t", "INSERT INTO t VALUES (41)");
    }
  }

  @Test
  void aLostCommitIsACommit() throws SQLException {
    try (Connection connection = application(primary, 5_000)) {
      connection.setAutoCommit(false);
      Jdbc.execute(connection, "INSERT INTO t VALUES (5)");
      primary.dropReplyAfter("commit");
      assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
    }

    assertThat(sees(primary, 5)).isTrue();
  }

  @Test
  void aReplicaWithoutSuperReadOnlyTakesWritesAndIsMadeAnew() throws SQLException {
    Fault writable = replica.forgetSuperReadOnly();
    try (Connection connection = application(replica, 5_000)) {
      Jdbc.execute(connection, "INSERT INTO t VALUES (77)");
    }
    String identity = replica.serverUuid();
    assertThat(Replication.errant(replica, primary)).startsWith(identity);

    writable.close();

    assertThat(Replication.errant(replica, primary)).isEmpty();
    assertThat(sees(replica, 77)).isFalse();
    assertThat(replica.serverUuid()).isEqualTo(identity);
    assertThat(replica.queryString("SELECT @@global.super_read_only")).isEqualTo("1");
  }

  @Test
  void aLongStatementBlocksTheApplierWhileBothThreadsRun() throws SQLException {
    Fault blocked = replica.longStatement(Duration.ofMinutes(10));
    write(1);
    Replication.awaitExecuted(other, primary.executedGtids(), SOON);

    assertThat(sees(replica, 1)).isFalse();
    assertThat(status(replica).bothRun()).isTrue();
    assertThat(status(replica).applierError()).isEmpty();
    try (Connection connection = application(replica, 5_000)) {
      assertThat(Jdbc.queryString(connection, "SELECT COUNT(*) FROM t")).isEqualTo("0");
    }

    blocked.close();

    cluster.awaitCaughtUp(SOON);
    assertThat(sees(replica, 1)).isTrue();
  }

  @Test
  void aLongStatementEndsByItselfAfterItsTime() throws SQLException {
    replica.longStatement(Duration.ofMillis(300));
    write(1);

    cluster.awaitCaughtUp(SOON);

    assertThat(sees(replica, 1)).isTrue();
  }

  @Test
  void aBlockedHeartbeatWriterWaitsWhileReadersGoOn() throws Exception {
    schema.execute("CREATE TABLE heartbeat (id INT PRIMARY KEY, at TIMESTAMP(6))");
    Fault blocked = primary.blockHeartbeatWriter(schema.name() + ".heartbeat");
    try (Connection connection = application(primary, 10_000)) {
      Jdbc.execute(connection, "SET SESSION lock_wait_timeout=1");
      assertThatThrownBy(
              () -> Jdbc.execute(connection, "REPLACE INTO heartbeat VALUES (1, NOW(6))"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("Lock wait timeout");
      assertThat(Jdbc.queryString(connection, "SELECT COUNT(*) FROM heartbeat")).isEqualTo("0");
      Jdbc.execute(connection, "INSERT INTO t VALUES (3)");

      blocked.close();

      Jdbc.execute(connection, "REPLACE INTO heartbeat VALUES (1, NOW(6))");
    }
  }

  @Test
  void aDetachedReplicaFollowsNobody() throws SQLException {
    Fault detached = replica.detach();
    write(1);
    Replication.awaitExecuted(other, primary.executedGtids(), SOON);
    assertThat(Replication.status(replica)).isEmpty();
    assertThat(sees(replica, 1)).isFalse();

    detached.close();

    cluster.awaitCaughtUp(SOON);
    assertThat(sees(replica, 1)).isTrue();
  }

  @Test
  void aPromotedReplicaTakesWritesWhileTheFormerPrimaryRefusesThem() throws SQLException {
    write(1);

    Fault failover = cluster.promote(replica);

    assertThat(cluster.primary()).isSameAs(replica);
    assertThat(cluster.replicas()).containsExactly(other);
    try (Connection connection = application(primary, 5_000)) {
      assertThatThrownBy(() -> Jdbc.execute(connection, "INSERT INTO t VALUES (2)"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1290));
    }
    try (Connection connection = application(replica, 5_000)) {
      Jdbc.execute(connection, "INSERT INTO t VALUES (3)");
    }
    cluster.awaitCaughtUp(SOON);
    assertThat(sees(other, 1) && sees(other, 3)).isTrue();
    assertThat(sees(primary, 3)).isFalse();

    failover.close();

    assertThat(cluster.primary()).isSameAs(primary);
    assertThat(sees(primary, 3)).isTrue();
    assertThat(primary.queryString("SELECT @@global.read_only")).isEqualTo("0");
    assertThat(replica.queryString("SELECT @@global.super_read_only")).isEqualTo("1");
  }

  @Test
  void aFailoverFromADeadPrimaryLosesWhatNobodyHadReceived() throws SQLException {
    Fault deaf = replica.stopReceiving();
    other.stopReceiving();
    write(1);
    primary.kill();
    deaf.close();

    cluster.promote(replica);
    assertThat(sees(replica, 1)).isFalse();
    try (Connection connection = application(replica, 5_000)) {
      Jdbc.execute(connection, "INSERT INTO t VALUES (2)");
    }
    cluster.undoFaults();

    assertThat(cluster.primary()).isSameAs(primary);
    assertThat(sees(primary, 1)).as("lost for good").isFalse();
    assertThat(sees(primary, 2)).isTrue();
  }

  @Test
  void aSkewedClockIsWrongWhileReplicationGoesOn() throws SQLException {
    Fault skew = replica.skewClock(Duration.ofMinutes(2));

    assertThat(secondsAhead(replica)).isBetween(118L, 122L);
    assertThat(secondsAhead(other)).isBetween(-2L, 2L);
    write(1);
    cluster.awaitCaughtUp(SOON);
    assertThat(sees(replica, 1)).isTrue();
    assertThat(
            replica.queryString(
                "SELECT WAIT_FOR_EXECUTED_GTID_SET('" + replica.serverUuid() + ":999999', 0.2)"))
        .isEqualTo("1");
    Fault behind = replica.skewClock(Duration.ofMinutes(-2));
    assertThat(secondsAhead(replica)).isBetween(-122L, -118L);

    skew.close();
    assertThat(secondsAhead(replica)).as("the other still counts").isBetween(-122L, -118L);
    behind.close();

    assertThat(secondsAhead(replica)).isBetween(-2L, 2L);
  }

  @Test
  void statementsAreCountedWithoutTheCountItself() throws SQLException {
    try (Connection connection = application(replica, 5_000)) {
      Map<String, Long> before = replica.statementCounts();
      for (int i = 0; i < 10; i++) {
        Jdbc.queryString(connection, "SELECT COUNT(*) FROM t");
      }
      replica.statementCounts();

      assertThat(replica.statementsSince(before)).isEqualTo(Map.of("Com_select", 10L));
    }
  }

  @Test
  void theLogTellsWhichStatementsReachedAServerAndFromWhom() throws SQLException {
    var start = replica.startLogging();
    try (Connection connection = application(replica, 5_000)) {
      Jdbc.queryString(connection, "SELECT 'needle', COUNT(*) FROM t");
    }
    replica.queryString("SELECT 'by the administrator'");

    assertThat(replica.loggedStatements(start))
        .filteredOn(statement -> statement.text().contains("needle"))
        .singleElement()
        .satisfies(statement -> assertThat(statement.user()).isEqualTo("app"));
    assertThat(replica.loggedStatements(start))
        .noneMatch(statement -> statement.text().contains("by the administrator"));
  }

  /** The log's table called itself crashed after a kill while it was on. */
  @Test
  void theLogWorksAgainAfterAKillWhileItWasOn() throws SQLException {
    replica.startLogging();
    replica.kill();
    replica.restart();

    var start = replica.startLogging();
    try (Connection connection = application(replica, 5_000)) {
      Jdbc.queryString(connection, "SELECT 'after the kill'");
    }

    assertThat(replica.loggedStatements(start))
        .anyMatch(statement -> statement.text().contains("after the kill"));
  }

  @Test
  void whatIsDoneOnOneServerOnlyStaysThere() throws SQLException {
    schema.execute("CREATE TABLE whoami (name VARCHAR(10))").awaitReplicated();
    String before = replica.executedGtids();

    replica.executeHereOnly("INSERT INTO " + schema.name() + ".whoami VALUES ('R1')");

    assertThat(replica.queryString("SELECT name FROM " + schema.name() + ".whoami"))
        .isEqualTo("R1");
    assertThat(other.queryString("SELECT name FROM " + schema.name() + ".whoami")).isNull();
    assertThat(replica.executedGtids()).isEqualTo(before);
    assertThat(replica.queryString("SELECT @@global.super_read_only")).isEqualTo("1");
  }

  @Test
  void aFaultOfTheWrongRoleIsRefused() {
    assertThatThrownBy(() -> primary.delay(Duration.ofSeconds(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "testkit - delay: primary is no replica (expected: one of [replica-1, replica-2])");
    assertThatThrownBy(() -> replica.blockHeartbeatWriter("a.b"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("expected: the primary");
    assertThatThrownBy(() -> replica.delay(Duration.ofMillis(1500)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("testkit - delay: PT1.5S (expected: whole seconds, zero or more)");
  }

  private static Replication.Status status(MySqlServer server) {
    return Replication.status(server).orElseThrow();
  }

  private void write(int id) throws SQLException {
    schema.execute("INSERT INTO t VALUES (" + id + ")");
  }

  private boolean sees(MySqlServer server, int id) throws SQLException {
    return server.queryString("SELECT id FROM " + schema.name() + ".t WHERE id=" + id) != null;
  }

  /** The server's clock against another server's on the same machine. */
  private long secondsAhead(MySqlServer server) throws SQLException {
    String here = String.valueOf(primary.queryString("SELECT UNIX_TIMESTAMP()"));
    String there = String.valueOf(server.queryString("SELECT UNIX_TIMESTAMP(NOW())"));
    return Long.parseLong(there) - Long.parseLong(here);
  }

  private Connection application(MySqlServer server, int timeoutMillis) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", server.user());
    properties.setProperty("password", server.password());
    properties.setProperty("connectTimeout", Integer.toString(timeoutMillis));
    properties.setProperty("socketTimeout", Integer.toString(timeoutMillis));
    return DriverManager.getConnection(server.jdbcUrl(schema.name()), properties);
  }
}
