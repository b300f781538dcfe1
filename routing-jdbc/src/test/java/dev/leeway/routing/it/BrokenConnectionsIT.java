package dev.leeway.routing.it;

import static dev.leeway.routing.it.Sql.PRIMARY;
import static dev.leeway.routing.it.Sql.REPLICA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mysql.cj.MysqlConnection;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.PoolSettings;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.Reason;
import dev.leeway.routing.RequestScope;
import dev.leeway.routing.RouteDecision;
import dev.leeway.testkit.Fault;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.TestSchema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection that broke, was aborted or was taken away is nobody else's trouble. */
class BrokenConnectionsIT {
  private static final String MANY_ROWS =
      "SELECT (SELECT name FROM whoami) FROM orders a, orders b, orders c, orders d, orders e,"
          + " orders f, orders g, orders h, orders i, orders j, orders k, orders l, orders m";

  private static TestSchema schema;
  private static Leeway leeway;

  @BeforeAll
  static void start() throws Exception {
    schema = Servers.newSchema();
    leeway =
        Servers.ready(
            Servers.builder("broken", schema)
                // One, so that whoever comes next gets the one that was given back.
                .pools(PoolSettings.defaults().maximum(1, 1).idle(0))
                .start());
  }

  @AfterAll
  static void stop() {
    leeway.close();
    schema.close();
  }

  @AfterEach
  void undo() {
    Servers.CLUSTER.undoFaults();
    Servers.ready(leeway);
  }

  private static ReadIntent intent(String where) {
    return where.equals("primary") ? PRIMARY : REPLICA;
  }

  private static void streamAndKill(Connection connection, String command) throws Exception {
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(Integer.MIN_VALUE);
      ResultSet rows = statement.executeQuery(MANY_ROWS);
      rows.next();
      String server = rows.getString(1);
      long id = connection.unwrap(MysqlConnection.class).getSession().getThreadId();
      Servers.CLUSTER.server(server).execute(command + " " + id);
      assertThatThrownBy(
              () -> {
                long read = 1;
                while (rows.next()) {
                  read++;
                }
                assertThat(read).as("all rows came").isZero();
              })
          .isInstanceOf(SQLException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"primary", "replica"})
  void aConnectionThatBrokeWhileItsRowsWereReadIsNotGivenToTheNextBorrower(String where)
      throws Exception {
    for (String command : List.of("KILL", "KILL QUERY")) {
      leeway.run(
          intent(where),
          () -> {
            try (Connection connection = leeway.dataSource().getConnection()) {
              streamAndKill(connection, command);
            }
          });
      for (int i = 0; i < 10; i++) {
        assertThat(Sql.read(leeway, intent(where), Sql.WHOAMI)).isNotNull();
        assertThat(leeway.lastDecision().map(RouteDecision::reason))
            .isNotIn(Reason.RETRIED_ON_REPLICA, Reason.RETRIED_ON_PRIMARY);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"primary", "replica"})
  void theBorrowWhoseRowsBrokeOffGoesOnWithAnotherConnection(String where) throws Exception {
    leeway.run(
        intent(where),
        () -> {
          try (Connection connection = leeway.dataSource().getConnection()) {
            streamAndKill(connection, "KILL");
            assertThat(Sql.query(connection, Sql.WHOAMI)).isNotNull();
          }
        });
  }

  @Test
  void aTransactionWhoseRowsBrokeOffIsLostAndSaysSo() throws Exception {
    try (Connection connection = leeway.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      Sql.update(connection, "UPDATE orders SET note = 'lost' WHERE id = 1");
      streamAndKill(connection, "KILL");
      assertThatThrownBy(() -> Sql.update(connection, "UPDATE orders SET note = 'x' WHERE id = 2"))
          .hasMessageContaining("the transaction or session was lost with its connection");
      connection.rollback();
      assertThat(Sql.query(connection, "SELECT COUNT(*) FROM orders WHERE note IN ('lost', 'x')"))
          .isEqualTo("0");
    }
  }

  @Test
  void aTransactionThatIsFoundLostAtASavepointIsLostAndSaysSo() throws Exception {
    try (Connection connection = leeway.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      Sql.update(connection, "UPDATE orders SET note = 'lost' WHERE id = 1");
      Savepoint savepoint = connection.setSavepoint("before");
      long id = connection.unwrap(MysqlConnection.class).getSession().getThreadId();
      Servers.CLUSTER.primary().execute("KILL " + id);

      assertThatThrownBy(() -> connection.rollback(savepoint)).isInstanceOf(SQLException.class);
      assertThatThrownBy(() -> Sql.update(connection, "UPDATE orders SET note = 'x' WHERE id = 2"))
          .hasMessageContaining("the transaction or session was lost with its connection");
      connection.rollback();
      assertThat(Sql.query(connection, "SELECT COUNT(*) FROM orders WHERE note IN ('lost', 'x')"))
          .isEqualTo("0");
    }
  }

  @Test
  void aReadOnlyTransactionDoesNotFailBecauseAConnectionBrokeWhileItWasAtRest() throws Exception {
    for (int i = 0; i < 10; i++) {
      leeway.run(
          REPLICA,
          () -> {
            String server;
            long id;
            try (Connection connection = leeway.dataSource().getConnection()) {
              connection.setReadOnly(true);
              connection.setAutoCommit(false);
              server = Sql.query(connection, Sql.WHOAMI);
              assertThat(Sql.query(connection, Sql.WHOAMI)).isEqualTo(server);
              id = connection.unwrap(MysqlConnection.class).getSession().getThreadId();
              connection.commit();
            }
            Servers.CLUSTER.server(server).execute("KILL " + id);
          });
    }
    // The last ones that broke are found, and are no trouble of other tests.
    for (int i = 0; i < 20; i++) {
      assertThat(Sql.whoami(leeway)).isNotNull();
    }
  }

  @Test
  void aReadIsAnsweredAlthoughTheConnectionsAtRestHaveAllBroken() throws Exception {
    for (int i = 0; i < 5; i++) {
      List<Long> first = sessionAt("replica-1");
      List<Long> second = sessionAt("replica-2");
      end("replica-1", first);
      end("replica-2", second);
      assertThat(Sql.whoami(leeway)).isNotNull();
    }
  }

  /** Of the only connection that the pool has there. */
  private static List<Long> sessionAt(String server) throws Exception {
    List<Long> found = new ArrayList<>();
    Servers.await(
        "a read at " + server,
        () -> {
          try {
            leeway.run(
                REPLICA,
                () -> {
                  try (Connection connection = leeway.dataSource().getConnection()) {
                    if (server.equals(Sql.query(connection, Sql.WHOAMI))) {
                      found.add(
                          connection.unwrap(MysqlConnection.class).getSession().getThreadId());
                    }
                  }
                });
            return !found.isEmpty();
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        });
    return found;
  }

  private static void end(String server, List<Long> sessions) throws Exception {
    for (long session : sessions) {
      Servers.CLUSTER.server(server).execute("KILL " + session);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"primary", "replica"})
  void anAbortedConnectionIsNotGivenToTheNextBorrowerEvenIfItIsCutLater(String where)
      throws Exception {
    List<Runnable> later = new ArrayList<>();
    leeway.run(
        intent(where),
        () -> {
          Connection aborted = leeway.dataSource().getConnection();
          Sql.query(aborted, Sql.WHOAMI);
          aborted.abort(later::add);
          assertThat(aborted.isClosed()).isTrue();

          try (Connection next = leeway.dataSource().getConnection()) {
            String before = Sql.query(next, Sql.WHOAMI);
            later.forEach(Runnable::run);
            assertThat(Sql.query(next, Sql.WHOAMI)).isEqualTo(before);
            assertThat(leeway.lastDecision().map(RouteDecision::reason))
                .isNotIn(Reason.RETRIED_ON_REPLICA, Reason.RETRIED_ON_PRIMARY);
          }
        });
    assertThat(later).isNotEmpty();
  }

  @Test
  void aReadThatWaitsForAReplicaWhichFellSilentIsMadeElsewhere() throws Exception {
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      Future<String> read =
          other.submit(
              () -> Sql.read(leeway, REPLICA, "SELECT name FROM whoami WHERE SLEEP(3) = 0"));
      String[] sleeper = new String[1];
      Servers.await(
          "the read waits",
          () -> {
            for (MySqlServer server : Servers.CLUSTER.replicas()) {
              if (hasSleeper(server)) {
                sleeper[0] = server.name();
              }
            }
            return sleeper[0] != null;
          });
      try (Fault frozen = Servers.CLUSTER.server(sleeper[0]).freeze()) {
        assertThat(frozen).isNotNull();
        assertThat(read.get(40, TimeUnit.SECONDS)).isNotNull().isNotEqualTo(sleeper[0]);
      }
    } finally {
      other.shutdownNow();
    }
  }

  private enum Ending {
    ABORT,
    CLOSE
  }

  @ParameterizedTest
  @ValueSource(strings = {"ABORT", "CLOSE"})
  void aReadWhoseConnectionAnotherThreadEndsIsNotRepeatedAndLeavesNoConnectionBehind(String how)
      throws Exception {
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      for (int i = 0; i < 4; i++) {
        leeway.run(
            REPLICA,
            () -> {
              Connection connection = leeway.dataSource().getConnection();
              String server = Sql.query(connection, Sql.WHOAMI);
              Future<?> ended =
                  other.submit(
                      () -> {
                        awaitSleeper(server);
                        if (Ending.valueOf(how) == Ending.ABORT) {
                          connection.abort(Runnable::run);
                        } else {
                          connection.close();
                        }
                        return null;
                      });
              if (Ending.valueOf(how) == Ending.ABORT) {
                assertThatThrownBy(() -> Sql.query(connection, "SELECT SLEEP(15)"))
                    .isInstanceOf(SQLException.class);
                assertThat(leeway.lastDecision().map(RouteDecision::server)).contains(server);
              } else {
                readOrBeRefused(connection);
              }
              ended.get(20, TimeUnit.SECONDS);
              assertThat(connection.isClosed()).isTrue();
            });
      }
    } finally {
      other.shutdownNow();
    }
    // A connection left behind would be the pool's only one, and its replica would not serve again.
    Set<String> served = new HashSet<>();
    Servers.await(
        "both replicas serve",
        () -> {
          try {
            served.add(Sql.whoami(leeway));
            assertThat(leeway.lastDecision().map(RouteDecision::reason))
                .isNotIn(Reason.RETRIED_ON_REPLICA, Reason.RETRIED_ON_PRIMARY);
            return served.containsAll(Set.of("replica-1", "replica-2"));
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static void readOrBeRefused(Connection connection) {
    try {
      Sql.query(connection, "SELECT SLEEP(0.5)");
    } catch (SQLException e) {
      assertThat(e.getMessage()).contains("closed");
    }
  }

  private static void awaitSleeper(String server) {
    Servers.await("the statement runs", () -> hasSleeper(Servers.CLUSTER.server(server)));
  }

  private static boolean hasSleeper(MySqlServer server) {
    try {
      return server.queryString(
              "SELECT 1 FROM information_schema.processlist WHERE db = '"
                  + schema.name()
                  + "' AND state = 'User sleep'")
          != null;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void rowsThatAreStillReadOutliveTheReplicasReplacementWithinTheirScope() throws Exception {
    try (RequestScope scope = leeway.openScope()) {
      leeway.run(
          REPLICA,
          () -> {
            try (Connection connection = leeway.dataSource().getConnection()) {
              readWhileItsReplicaIsReplaced(connection, scope);
            }
          });
    }
  }

  private static void readWhileItsReplicaIsReplaced(Connection connection, RequestScope scope)
      throws Exception {
    try (Statement outer = connection.createStatement();
        ResultSet rows = outer.executeQuery("SELECT id FROM orders ORDER BY id")) {
      rows.next();
      String first = scope.pinnedReplica().orElseThrow();
      try (Fault detached = Servers.CLUSTER.replica(first).detach()) {
        assertThat(detached).isNotNull();
        Servers.await(
            first + " is out and the scope reads elsewhere",
            () -> {
              try {
                return !first.equals(Sql.query(connection, Sql.WHOAMI))
                    && leeway.lastDecision().orElseThrow().reason() == Reason.REPLICA_CAUGHT_UP;
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            });
        int left = 0;
        while (rows.next()) {
          left++;
        }
        assertThat(left).isEqualTo(2);
      }
    }
  }
}
