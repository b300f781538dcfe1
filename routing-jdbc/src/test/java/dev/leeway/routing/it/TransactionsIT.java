package dev.leeway.routing.it;

import static dev.leeway.routing.it.Sql.PRIMARY;
import static dev.leeway.routing.it.Sql.REPLICA;
import static dev.leeway.routing.it.Sql.WHOAMI;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.routing.IntentViolationException;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.OpenTransactionException;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.Reason;
import dev.leeway.routing.RequestScope;
import dev.leeway.testkit.Fault;
import dev.leeway.testkit.LoggedStatement;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.TestSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A transaction lives on one connection: case D01, and what else opens and ends one. */
class TransactionsIT {
  private static TestSchema schema;
  private static Leeway leeway;

  private final List<Fault> faults = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    schema = Servers.newSchema();
    leeway = Servers.ready(Servers.builder("transactions", schema).start());
  }

  @AfterAll
  static void stop() {
    leeway.close();
    schema.close();
  }

  @BeforeEach
  void sameRowsForAll() throws Exception {
    schema.execute(
        "UPDATE orders SET status = 'new', note = NULL", "DELETE FROM orders WHERE id > 3");
    schema.awaitReplicated();
    Servers.ready(leeway);
  }

  @AfterEach
  void undo() {
    faults.forEach(Fault::close);
  }

  private void freezeReplicas() {
    for (MySqlServer replica : Servers.CLUSTER.replicas()) {
      faults.add(replica.pauseApplier());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "setAutoCommit(false)",
        "BEGIN",
        "begin work",
        "START TRANSACTION",
        "START TRANSACTION WITH CONSISTENT SNAPSHOT",
        "/* x */ BEGIN",
        "SET autocommit=0",
        "SET @@session.autocommit = OFF",
        "SET SESSION time_zone='+00:00', autocommit=0"
      })
  void everythingInAReadWriteTransactionRunsOnThePrimaryHoweverItWasOpened(String opener)
      throws Exception {
    freezeReplicas();
    Map<MySqlServer, Instant> since = startLogging();
    try (RequestScope scope = leeway.openScope();
        Connection connection = leeway.dataSource().getConnection()) {
      leeway.run(REPLICA, () -> open(connection, opener));

      assertThat(statusOfFirstOrder(connection)).isEqualTo("new");
      leeway.run(
          ReadIntent.write(),
          () -> Sql.update(connection, "UPDATE orders SET status = 'paid' WHERE id = 1"));
      assertThat(statusOfFirstOrder(connection)).isEqualTo("paid");
      assertThat(leeway.read(REPLICA, () -> Sql.query(connection, WHOAMI))).isEqualTo("primary");
      assertThat(leeway.lastDecision().orElseThrow().reason()).isEqualTo(Reason.IN_TRANSACTION);
      assertThatThrownBy(scope::position).isInstanceOf(OpenTransactionException.class);

      commit(connection, opener);
      assertThat(scope.position().isComplete()).isTrue();
      assertThat(scope.position().gtids().transactionCount()).isEqualTo(1);
    }

    for (MySqlServer replica : Servers.CLUSTER.replicas()) {
      assertThat(textsIn(replica, since.get(replica))).as(replica.name()).isEmpty();
    }
    assertThat(textsIn(Servers.CLUSTER.primary(), since.get(Servers.CLUSTER.primary())))
        .anyMatch(text -> text.startsWith("UPDATE orders"));

    try (RequestScope next = leeway.openScope()) {
      assertThat(next.position().gtids().isEmpty()).isTrue();
      assertThat(Sql.whoami(leeway)).startsWith("replica-");
    }
  }

  private static void open(Connection connection, String opener) throws SQLException {
    if (opener.startsWith("setAutoCommit")) {
      connection.setAutoCommit(false);
    } else {
      Sql.execute(connection, opener);
    }
  }

  private static void commit(Connection connection, String opener) throws SQLException {
    if (opener.startsWith("setAutoCommit")) {
      connection.commit();
    } else {
      Sql.execute(connection, "COMMIT");
    }
  }

  private static String statusOfFirstOrder(Connection connection) throws SQLException {
    return leeway.read(
        REPLICA, () -> Sql.prepared(connection, "SELECT status FROM orders WHERE id = 1"));
  }

  @Test
  void whenAutocommitWasSwitchedOffByTextReadsStayOnThePrimaryUntilItIsOnAgain() throws Exception {
    freezeReplicas();
    try (RequestScope scope = leeway.openScope();
        Connection connection = leeway.dataSource().getConnection()) {
      leeway.run(
          REPLICA,
          () -> {
            Sql.execute(connection, "SET autocommit=0");
            assertThat(Sql.query(connection, "SELECT status FROM orders WHERE id=1"))
                .isEqualTo("new");
            assertThat(Sql.query(connection, "SELECT @@autocommit")).isEqualTo("0");
            Sql.update(connection, "UPDATE orders SET status='paid' WHERE id=1");
            assertThat(Sql.query(connection, "SELECT status FROM orders WHERE id=1"))
                .isEqualTo("paid");
            Sql.execute(connection, "COMMIT");
            assertThat(Sql.query(connection, WHOAMI)).isEqualTo("primary");
            Sql.execute(connection, "ROLLBACK");
            assertThat(Sql.query(connection, WHOAMI)).isEqualTo("primary");
            Sql.execute(connection, "ROLLBACK");
            Sql.execute(connection, "SET autocommit=1");
          });
      assertThat(scope.position().gtids().transactionCount()).isEqualTo(1);
    }
    try (RequestScope next = leeway.openScope()) {
      assertThat(next.isClosed()).isFalse();
      assertThat(Sql.whoami(leeway)).startsWith("replica-");
    }
  }

  @Test
  void setAutoCommitCommitsWhatWasWrittenAfterAutocommitWasSwitchedOffByText() throws Exception {
    freezeReplicas();
    try (RequestScope scope = leeway.openScope()) {
      try (Connection connection = leeway.dataSource().getConnection()) {
        Sql.execute(connection, "SET autocommit=0");
        Sql.update(connection, "UPDATE orders SET status='paid' WHERE id=1");
        connection.setAutoCommit(true);

        assertThat(scope.position().gtids().transactionCount()).isEqualTo(1);
        Sql.update(connection, "UPDATE orders SET status='paid' WHERE id=2");
        assertThat(scope.position().gtids().transactionCount()).isEqualTo(2);
      }
      assertThat(Sql.read(leeway, REPLICA, "SELECT COUNT(*) FROM orders WHERE status = 'paid'"))
          .isEqualTo("2");
    }
  }

  @Test
  void aReadOnlyTransactionLeavesNothingBehindForTheNextOneThatWrites() throws Exception {
    freezeReplicas();
    try (RequestScope scope = leeway.openScope()) {
      leeway.run(
          REPLICA,
          () -> {
            try (Connection connection = leeway.dataSource().getConnection()) {
              connection.setReadOnly(true);
              connection.setAutoCommit(false);
              assertThat(Sql.prepared(connection, WHOAMI)).startsWith("replica-");
              connection.commit();
            }
          });
      try (Connection connection = leeway.dataSource().getConnection()) {
        connection.setAutoCommit(false);
        assertThat(Sql.update(connection, "INSERT INTO orders(status) VALUES ('b')")).isEqualTo(1);
        connection.commit();
      }
      assertThat(scope.position().gtids().transactionCount()).isEqualTo(1);
    }
  }

  @Test
  void aReadOnlyTransactionOfAReplicaMethodIsOneReplicaAndOneSnapshot() throws Exception {
    try (Connection connection = leeway.dataSource().getConnection()) {
      connection.setReadOnly(true);
      connection.setAutoCommit(false);
      leeway.run(
          REPLICA,
          () -> {
            String server = Sql.prepared(connection, WHOAMI);
            assertThat(server).startsWith("replica-");
            assertThat(Sql.prepared(connection, "SELECT note FROM orders WHERE id = 1")).isNull();

            schema.execute("UPDATE orders SET note = 'changed' WHERE id = 1");
            Servers.CLUSTER.awaitCaughtUp(Duration.ofSeconds(20));

            assertThat(Sql.prepared(connection, "SELECT note FROM orders WHERE id = 1")).isNull();
            assertThat(Sql.prepared(connection, WHOAMI)).isEqualTo(server);
          });
      connection.commit();
    }
  }

  @Test
  void aReadOnlyTransactionBegunByTextLivesOnOneReplica() throws Exception {
    freezeReplicas();
    try (RequestScope scope = leeway.openScope();
        Connection connection = leeway.dataSource().getConnection()) {
      leeway.run(
          REPLICA,
          () -> {
            Sql.execute(connection, "START TRANSACTION READ ONLY");
            String server = Sql.query(connection, WHOAMI);
            assertThat(server).startsWith("replica-");
            assertThat(Sql.prepared(connection, WHOAMI)).isEqualTo(server);
            assertThat(scope.position().gtids().isEmpty()).isTrue();
            Sql.execute(connection, "COMMIT");
            Sql.update(connection, "UPDATE orders SET note = 'x' WHERE id = 1");
          });
      assertThat(scope.position().gtids().transactionCount()).isEqualTo(1);
    }
  }

  @Test
  void inAReadOnlyTransactionOnAReplicaNeitherAPrimaryMethodNorAWriteIsSent() throws Exception {
    try (Connection connection = leeway.dataSource().getConnection()) {
      connection.setReadOnly(true);
      connection.setAutoCommit(false);
      leeway.run(
          REPLICA, () -> assertThat(Sql.prepared(connection, WHOAMI)).startsWith("replica-"));

      assertThatThrownBy(() -> leeway.run(PRIMARY, () -> Sql.prepared(connection, WHOAMI)))
          .isInstanceOf(IntentViolationException.class)
          .hasMessageContaining("primary (PRIMARY)")
          .hasMessageContaining("lives on replica replica-");
      assertThatThrownBy(() -> Sql.update(connection, "DELETE FROM orders"))
          .isInstanceOf(IntentViolationException.class)
          .hasMessageContaining("something else than a plain read (WRITE");

      // A helper that declares nothing is part of the transaction.
      assertThat(Sql.prepared(connection, WHOAMI)).startsWith("replica-");
      connection.rollback();
    }
  }

  @Test
  void aReadOnlyTransactionWithoutAReplicaIntentIsOnThePrimaryAndReadOnlyThere() throws Exception {
    try (Connection connection = leeway.dataSource().getConnection()) {
      connection.setReadOnly(true);
      connection.setAutoCommit(false);
      assertThat(Sql.prepared(connection, WHOAMI)).isEqualTo("primary");
      assertThatThrownBy(() -> Sql.update(connection, "DELETE FROM orders"))
          .isInstanceOf(IntentViolationException.class)
          .hasMessageContaining("a write (WRITE");
      // Under a replica intent it stays where it is.
      assertThat(leeway.read(REPLICA, () -> Sql.prepared(connection, WHOAMI))).isEqualTo("primary");
      connection.commit();
    }
  }

  @Test
  void aConnectionThatIsClosedWithAnOpenTransactionRollsItBack() throws Exception {
    for (String opener : List.of("setAutoCommit(false)", "BEGIN")) {
      try (Connection connection = leeway.dataSource().getConnection()) {
        open(connection, opener);
        Sql.update(connection, "UPDATE orders SET status = 'lost' WHERE id = 1");
      }
      assertThat(Sql.read(leeway, PRIMARY, "SELECT status FROM orders WHERE id = 1"))
          .as(opener)
          .isEqualTo("new");
    }
  }

  @Test
  void savepointsWork() throws Exception {
    try (Connection connection = leeway.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      Savepoint beginning = connection.setSavepoint();
      Sql.update(connection, "UPDATE orders SET status = 'one' WHERE id = 1");
      Savepoint middle = connection.setSavepoint("middle");
      Sql.update(connection, "UPDATE orders SET status = 'two' WHERE id = 1");
      connection.rollback(middle);
      assertThat(Sql.query(connection, "SELECT status FROM orders WHERE id = 1")).isEqualTo("one");
      connection.releaseSavepoint(beginning);
      connection.commit();
    }
    assertThat(Sql.read(leeway, PRIMARY, "SELECT status FROM orders WHERE id = 1"))
        .isEqualTo("one");
  }

  @Test
  void aSecondConnectionHasATransactionOfItsOwn() throws Exception {
    try (RequestScope scope = leeway.openScope();
        Connection outer = leeway.dataSource().getConnection()) {
      outer.setAutoCommit(false);
      Sql.update(outer, "UPDATE orders SET status = 'outer' WHERE id = 1");
      try (Connection inner = leeway.dataSource().getConnection()) {
        inner.setAutoCommit(false);
        Sql.update(inner, "UPDATE orders SET status = 'inner' WHERE id = 2");
        inner.commit();
      }
      assertThatThrownBy(scope::position).isInstanceOf(OpenTransactionException.class);
      outer.rollback();
      assertThat(scope.position().gtids().transactionCount()).isEqualTo(1);
    }
    assertThat(Sql.read(leeway, PRIMARY, "SELECT GROUP_CONCAT(status ORDER BY id) FROM orders"))
        .isEqualTo("new,inner,new");
  }

  @Test
  void jdbiTransactionsAreOnThePrimaryAndItsHandlesFollowTheIntent() throws Exception {
    freezeReplicas();
    Jdbi jdbi = Jdbi.create(leeway.dataSource());
    try (RequestScope scope = leeway.openScope()) {
      leeway.run(
          REPLICA,
          () ->
              jdbi.useTransaction(
                  handle -> {
                    assertThat(handle.select(WHOAMI).mapTo(String.class).one())
                        .isEqualTo("primary");
                    handle.execute("UPDATE orders SET status = ? WHERE id = ?", "paid", 1);
                    assertThat(
                            handle
                                .select("SELECT status FROM orders WHERE id = ?", 1)
                                .mapTo(String.class)
                                .one())
                        .isEqualTo("paid");
                  }));
      assertThat(scope.position().gtids().transactionCount()).isEqualTo(1);
    }
    jdbi.useHandle(
        handle -> {
          assertThat(handle.select(WHOAMI).mapTo(String.class).one()).isEqualTo("primary");
          try (RequestScope scope = leeway.openScope()) {
            assertThat(scope.isClosed()).isFalse();
            leeway.run(
                REPLICA,
                () ->
                    assertThat(handle.select(WHOAMI).mapTo(String.class).one())
                        .startsWith("replica-"));
          }
          assertThat(handle.select(WHOAMI).mapTo(String.class).one()).isEqualTo("primary");
        });
  }

  @Test
  void aStatementPreparedOutsideATransactionRunsInside() throws Exception {
    freezeReplicas();
    try (RequestScope scope = leeway.openScope();
        Connection connection = leeway.dataSource().getConnection();
        var select = connection.prepareStatement("SELECT status FROM orders WHERE id = ?")) {
      assertThat(scope.isClosed()).isFalse();
      select.setInt(1, 1);
      leeway.run(
          REPLICA,
          () -> {
            try (var row = select.executeQuery()) {
              row.next();
              assertThat(row.getString(1)).isEqualTo("new");
              assertThat(row.getStatement()).isSameAs(select);
            }
            assertThat(leeway.lastDecision().orElseThrow().role()).isEqualTo(Reason.Role.REPLICA);
            connection.setAutoCommit(false);
            Sql.update(connection, "UPDATE orders SET status = 'paid' WHERE id = 1");
            try (var row = select.executeQuery()) {
              row.next();
              assertThat(row.getString(1)).isEqualTo("paid");
            }
            connection.rollback();
          });
    }
  }

  private static Map<MySqlServer, Instant> startLogging() {
    Map<MySqlServer, Instant> since = new HashMap<>();
    for (MySqlServer server : Servers.CLUSTER.servers()) {
      since.put(server, server.startLogging());
    }
    return since;
  }

  /** What reached the server of this test: the monitor's own statements name none of its tables. */
  private static List<String> textsIn(MySqlServer server, Instant since) {
    List<String> texts =
        server.loggedStatements(since).stream()
            .map(LoggedStatement::text)
            .filter(text -> text.contains("orders") || text.contains("whoami"))
            .toList();
    server.stopLogging();
    return texts;
  }
}
