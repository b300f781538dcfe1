package dev.leeway.routing.it;

import static dev.leeway.routing.it.Sql.PRIMARY;
import static dev.leeway.routing.it.Sql.REPLICA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.annotation.Fallback;
import dev.leeway.gate.Health;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.NoEligibleReplicaException;
import dev.leeway.routing.OutcomeUnknownException;
import dev.leeway.routing.PoolSettings;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.Reason;
import dev.leeway.routing.RequestScope;
import dev.leeway.testkit.DroppedReply;
import dev.leeway.testkit.Fault;
import dev.leeway.testkit.LoggedStatement;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.TestSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lost connections: case D10, and reads that are repeated. */
class FailuresIT {
  private static TestSchema schema;

  private final List<Fault> faults = new ArrayList<>();
  private Leeway leeway;

  @BeforeAll
  static void createSchema() throws Exception {
    schema = Servers.newSchema();
  }

  @AfterAll
  static void dropSchema() {
    schema.close();
  }

  /** For each test anew: pools still hold connections that an earlier test has broken. */
  @BeforeEach
  void start() throws Exception {
    schema.awaitReplicated();
    leeway =
        Servers.ready(
            Servers.builder("failures", schema)
                .pools(
                    PoolSettings.defaults().timeouts(Duration.ofMillis(500), Duration.ofSeconds(5)))
                .start());
  }

  @AfterEach
  void undo() {
    leeway.close();
    faults.forEach(Fault::close);
  }

  @Test
  void aWriteWhoseReplyIsLostIsNotRepeatedAndItsOutcomeIsCalledUnknown() throws Exception {
    MySqlServer primary = Servers.CLUSTER.primary();
    Instant since = primary.startLogging();
    DroppedReply dropped = primary.dropReplyAfter("INSERT INTO orders(status) VALUES ('once')");
    faults.add(dropped);
    try (RequestScope scope = leeway.openScope()) {
      assertThatThrownBy(() -> Sql.write(leeway, "INSERT INTO orders(status) VALUES ('once')"))
          .isInstanceOf(OutcomeUnknownException.class)
          .hasMessageStartingWith(
              "failures - the connection to primary broke after the statement was sent and before its"
                  + " answer came, so its outcome is unknown");
      assertThat(dropped.hasHappened()).isTrue();
      assertThat(scope.position().isComplete()).as("it may have written").isFalse();
      // The row is seen by the very next read of the scope.
      assertThat(Sql.read(leeway, REPLICA, countOf("once"))).isEqualTo("1");
      assertThat(leeway.lastDecision().orElseThrow().role()).isEqualTo(Reason.Role.PRIMARY);
    }
    assertThat(timesSent(primary, since, "'once'")).isEqualTo(1);
  }

  @Test
  void aCommitWhoseReplyIsLostIsNotRepeatedAndItsOutcomeIsCalledUnknown() throws Exception {
    MySqlServer primary = Servers.CLUSTER.primary();
    try (RequestScope scope = leeway.openScope();
        Connection connection = leeway.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      Sql.update(connection, "INSERT INTO orders(status) VALUES ('commit')");
      DroppedReply dropped = primary.dropReplyAfter("COMMIT");
      faults.add(dropped);

      assertThatThrownBy(connection::commit)
          .isInstanceOf(OutcomeUnknownException.class)
          .hasMessageContaining("broke after the commit was sent");
      assertThat(dropped.hasHappened()).isTrue();
      assertThat(scope.position().isComplete()).isFalse();

      // The connection is of use again, on a new physical one.
      assertThat(Sql.query(connection, countOf("commit"))).isEqualTo("1");
      connection.commit();
    }
  }

  @Test
  void aTransactionThatIsLostWithItsConnectionIsNotContinuedOnAnother() throws Exception {
    try (Connection connection = leeway.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      Sql.update(connection, "INSERT INTO orders(status) VALUES ('lost')");
      killOwnConnection(connection);

      assertThatThrownBy(() -> Sql.update(connection, "INSERT INTO orders(status) VALUES ('lost')"))
          .isInstanceOf(SQLException.class)
          .isNotInstanceOf(OutcomeUnknownException.class);
      assertThatThrownBy(() -> Sql.update(connection, "INSERT INTO orders(status) VALUES ('lost')"))
          .hasMessageContaining("was lost with its connection; nothing more was sent");
      assertThatThrownBy(connection::commit).hasMessageContaining("was lost with its connection");

      connection.rollback();
      Sql.update(connection, "INSERT INTO orders(status) VALUES ('anew')");
      connection.commit();
    }
    assertThat(Sql.read(leeway, PRIMARY, countOf("lost"))).isEqualTo("0");
    assertThat(Sql.read(leeway, PRIMARY, countOf("anew"))).isEqualTo("1");
  }

  private static void killOwnConnection(Connection connection) throws Exception {
    String id = Sql.query(connection, "SELECT CONNECTION_ID()");
    Servers.CLUSTER.primary().execute("KILL " + id);
    Servers.await(
        "connection " + id + " is gone",
        () -> {
          try {
            return "0"
                .equals(
                    Servers.CLUSTER
                        .primary()
                        .queryString(
                            "SELECT COUNT(*) FROM information_schema.processlist WHERE id = "
                                + id));
          } catch (SQLException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void aReadWhoseReplicaConnectionIsKilledIsRepeatedOnceOnTheOther() throws Exception {
    ExecutorService reader = Executors.newSingleThreadExecutor();
    try {
      for (boolean scoped : new boolean[] {true, false}) {
        Future<List<String>> answer =
            reader.submit(
                () -> {
                  try (RequestScope scope = scoped ? leeway.openScope() : null) {
                    String name =
                        Sql.read(leeway, REPLICA, "SELECT name FROM whoami WHERE SLEEP(3) = 0");
                    return List.of(
                        String.valueOf(name), leeway.lastDecision().orElseThrow().reason().name());
                  }
                });
        String killed = killWhoeverSleeps();

        assertThat(answer.get(20, TimeUnit.SECONDS).get(0))
            .startsWith("replica-")
            .isNotEqualTo(killed);
        assertThat(answer.get().get(1)).isEqualTo(Reason.RETRIED_ON_REPLICA.name());
        Servers.ready(leeway);
      }
    } finally {
      reader.shutdownNow();
    }
  }

  @Test
  void aReadThatIsLostTwiceIsNotSentAThirdTime() {
    List<DroppedReply> dropped = dropOnEachReplica("'lost twice'");
    try (RequestScope scope = leeway.openScope()) {
      assertThatThrownBy(
              () -> Sql.read(leeway, REPLICA, "SELECT name FROM whoami WHERE name <> 'lost twice'"))
          .isInstanceOf(SQLException.class)
          .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    }
    assertThat(dropped).allMatch(DroppedReply::hasHappened);
  }

  @Test
  void aReadThatHasNoTimeLeftIsNotRepeated() throws Exception {
    List<DroppedReply> dropped = dropOnEachReplica("'no time left'");
    try (RequestScope scope = leeway.openScope();
        Connection connection = leeway.dataSource().getConnection();
        PreparedStatement select =
            connection.prepareStatement("SELECT name FROM whoami WHERE name <> 'no time left'")) {
      // Less than the whole second that a time limit is told in is left after any failure.
      select.setQueryTimeout(1);
      assertThatThrownBy(() -> leeway.run(REPLICA, select::executeQuery))
          .isInstanceOf(SQLException.class);
    }
    assertThat(dropped.stream().filter(DroppedReply::hasHappened)).hasSize(1);
  }

  /** The first reply to a statement with this text is lost on each replica. */
  private List<DroppedReply> dropOnEachReplica(String text) {
    List<DroppedReply> dropped = new ArrayList<>();
    for (MySqlServer replica : Servers.CLUSTER.replicas()) {
      dropped.add(replica.dropReplyAfter(text));
    }
    faults.addAll(dropped);
    return dropped;
  }

  @Test
  void anAnsweredErrorIsNotRepeated() {
    assertThatThrownBy(() -> Sql.read(leeway, REPLICA, "SELECT nothing FROM whoami"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("nothing");
    assertThat(leeway.lastDecision().orElseThrow().role()).isEqualTo(Reason.Role.REPLICA);
    assertThat(leeway.lastDecision().orElseThrow().reason())
        .isNotEqualTo(Reason.RETRIED_ON_REPLICA);
  }

  @Test
  void aReadInAReadOnlyTransactionIsNotMovedToAnotherSnapshot() throws Exception {
    try (Connection connection = leeway.dataSource().getConnection()) {
      connection.setReadOnly(true);
      connection.setAutoCommit(false);
      ReadIntent intent = REPLICA;
      leeway.run(intent, () -> Sql.query(connection, Sql.WHOAMI));
      CompletableFuture<Void> killing = CompletableFuture.runAsync(FailuresIT::killQuietly);
      assertThatThrownBy(
              () ->
                  leeway.run(
                      intent,
                      () -> Sql.query(connection, "SELECT name FROM whoami WHERE SLEEP(5) = 0")))
          .isInstanceOf(SQLException.class);
      killing.get(20, TimeUnit.SECONDS);
      assertThatThrownBy(() -> leeway.run(intent, () -> Sql.query(connection, Sql.WHOAMI)))
          .hasMessageContaining("was lost with its connection");
      connection.rollback();
      assertThat(leeway.read(intent, () -> Sql.query(connection, Sql.WHOAMI))).isNotNull();
      connection.rollback();
    }
  }

  private static void killQuietly() {
    try {
      killWhoeverSleeps();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Finds the replica on which a statement of ours sleeps, and kills its connection. */
  private static String killWhoeverSleeps() throws Exception {
    String[] killed = new String[1];
    Servers.await(
        "a statement sleeps on a replica",
        () -> {
          for (MySqlServer replica : Servers.CLUSTER.replicas()) {
            try {
              String id =
                  replica.queryString(
                      "SELECT MAX(id) FROM information_schema.processlist"
                          + " WHERE info LIKE 'SELECT name FROM whoami WHERE SLEEP%'");
              if (id != null) {
                replica.execute("KILL " + id);
                killed[0] = replica.name();
                return true;
              }
            } catch (SQLException e) {
              throw new AssertionError(e);
            }
          }
          return false;
        });
    return killed[0];
  }

  @Test
  void aReplicaThatRefusesConnectionsCostsNoReadItsAnswer() throws Exception {
    MySqlServer gone = Servers.CLUSTER.replicas().get(0);
    faults.add(gone.refuseConnections());
    for (int i = 0; i < 30; i++) {
      assertThat(Sql.whoami(leeway)).isNotEqualTo(gone.name());
    }
    faults.forEach(Fault::close);
    Servers.ready(leeway);
  }

  @Test
  void withoutReplicasReadsFallBackOrFailAsTheySay() throws Exception {
    for (MySqlServer replica : Servers.CLUSTER.replicas()) {
      faults.add(replica.refuseConnections());
    }
    Servers.await(
        "both are seen to be gone",
        () ->
            leeway.clusterState().servers().stream()
                    .filter(server -> server.health() == Health.UNREACHABLE)
                    .count()
                == 2);

    assertThat(Sql.whoami(leeway)).isEqualTo("primary");
    assertThat(leeway.lastDecision().orElseThrow().reason()).isEqualTo(Reason.NO_REPLICA_AVAILABLE);
    assertThatThrownBy(
            () -> Sql.read(leeway, REPLICA.fallback(Fallback.FAIL).named("list"), Sql.WHOAMI))
        .isInstanceOf(NoEligibleReplicaException.class)
        .hasMessageStartingWith(
            "failures - list (REPLICA, else FAIL) was not sent anywhere: no replica answers and is"
                + " trusted (replica-1 is UNREACHABLE")
        .hasMessageContaining("replica-2 is UNREACHABLE")
        .hasMessageEndingWith("Allow more staleness or catchUp, or another fallback than FAIL.");
  }

  private static String countOf(String status) {
    return "SELECT COUNT(*) FROM orders WHERE status = '" + status + "'";
  }

  private static long timesSent(MySqlServer server, Instant since, String part) {
    long times =
        server.loggedStatements(since).stream()
            .map(LoggedStatement::text)
            .filter(text -> text.startsWith("INSERT") && text.contains(part))
            .count();
    server.stopLogging();
    return times;
  }
}
