package dev.leeway.routing.it;

import static dev.leeway.routing.it.Sql.REPLICA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.gate.GateResult;
import dev.leeway.gate.GtidSet;
import dev.leeway.gate.MonitorSettings;
import dev.leeway.gate.PositionTokens;
import dev.leeway.gate.WritePosition;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.OpenTransactionException;
import dev.leeway.routing.Reason;
import dev.leeway.routing.RequestScope;
import dev.leeway.testkit.Fault;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.TestSchema;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Positions of writes: cases D13 and D15. */
class PositionsIT {
  private static TestSchema schema;
  private static Leeway leeway;

  private final List<Fault> faults = new ArrayList<>();
  private RequestScope scope;
  private Connection connection;

  @BeforeAll
  static void start() throws Exception {
    schema = Servers.newSchema();
    schema.execute("CREATE PROCEDURE wr() INSERT INTO orders(status) VALUES ('proc')");
    schema.awaitReplicated();
    leeway =
        Servers.ready(Servers.builderWith("positions", schema, "allowMultiQueries=true").start());
  }

  @AfterAll
  static void stop() {
    leeway.close();
    schema.close();
  }

  @BeforeEach
  void open() throws Exception {
    schema.awaitReplicated();
    Servers.ready(leeway);
    scope = leeway.openScope();
    connection = leeway.dataSource().getConnection();
  }

  @AfterEach
  void close() throws Exception {
    connection.close();
    scope.close();
    faults.forEach(Fault::close);
  }

  private static long transactionsAfter(RequestScope scope, Connection connection, String... texts)
      throws SQLException {
    GtidSet before = scope.position().gtids();
    for (String text : texts) {
      Sql.execute(connection, text);
    }
    GtidSet after = scope.position().gtids();
    assertThat(after.contains(before)).as("what was known is kept").isTrue();
    return after.subtract(before).transactionCount();
  }

  @Test
  void everyKindOfCommitGivesItsGtidsAndNothingElseDoes() throws Exception {
    // Polls so rare that none falls between two steps: what the primary says of itself after a
    // write without a GTID is known from then on, too, and would be counted here.
    MonitorSettings rarely = Servers.monitoring().pollInterval(Duration.ofSeconds(30)).build();
    try (Leeway unpolled =
            Servers.builderWith("unpolled", schema, "allowMultiQueries=true")
                .monitoring(rarely)
                .start();
        RequestScope own = unpolled.openScope();
        Connection session = unpolled.dataSource().getConnection()) {
      assertThat(transactionsAfter(own, session, "INSERT INTO orders(status) VALUES ('1')"))
          .isEqualTo(1);
      assertThat(own.position().isComplete()).isTrue();

      assertThat(transactionsAfter(own, session, "UPDATE orders SET status=status WHERE id=1"))
          .isZero();
      assertThat(transactionsAfter(own, session, "UPDATE orders SET status='q' WHERE id=-1"))
          .isZero();
      assertThat(
              transactionsAfter(
                  own, session, "BEGIN", "INSERT INTO orders(status) VALUES ('4')", "ROLLBACK"))
          .isZero();
      assertThat(
              transactionsAfter(
                  own, session, "BEGIN", "INSERT INTO orders(status) VALUES ('5')", "COMMIT"))
          .isEqualTo(1);
      assertThat(transactionsAfter(own, session, "BEGIN", "SELECT * FROM orders", "COMMIT"))
          .isZero();
      assertThat(
              transactionsAfter(
                  own,
                  session,
                  "BEGIN",
                  "INSERT INTO orders(status) VALUES ('7')",
                  "CREATE TABLE d13(a INT)"))
          .isEqualTo(2);
      assertThat(
              transactionsAfter(
                  own,
                  session,
                  "INSERT INTO orders(status) VALUES ('8a'); INSERT INTO orders(status) VALUES ('8b')"))
          .isEqualTo(2);
      assertThat(transactionsAfter(own, session, "CALL wr()")).isEqualTo(1);
      assertThat(
              transactionsAfter(
                  own,
                  session,
                  "CREATE TEMPORARY TABLE d13t (a INT)",
                  "INSERT INTO d13t VALUES (1)"))
          .isZero();
      assertThat(
              transactionsAfter(
                  own,
                  session,
                  "SET autocommit=0",
                  "INSERT INTO orders(status) VALUES ('11')",
                  "SET autocommit=1"))
          .isEqualTo(1);
    }
  }

  @Test
  void theSameByMethodsOfTheConnection() throws Exception {
    connection.setAutoCommit(false);
    Sql.update(connection, "INSERT INTO orders(status) VALUES ('a')");
    connection.rollback();
    assertThat(scope.position().gtids().isEmpty()).isTrue();
    assertThat(scope.position().isComplete()).as("a rollback writes nothing").isTrue();

    Sql.query(connection, "SELECT COUNT(*) FROM orders");
    connection.commit();
    assertThat(scope.position().gtids().isEmpty()).isTrue();
    assertThat(scope.position().isComplete()).isTrue();

    Sql.update(connection, "INSERT INTO orders(status) VALUES ('b')");
    connection.commit();
    assertThat(scope.position().gtids().transactionCount()).isEqualTo(1);

    Sql.update(connection, "INSERT INTO orders(status) VALUES ('c')");
    connection.setAutoCommit(true);
    assertThat(scope.position().gtids().transactionCount()).isEqualTo(2);

    try (Statement batch = connection.createStatement()) {
      batch.addBatch("INSERT INTO orders(status) VALUES ('d')");
      batch.addBatch("INSERT INTO orders(status) VALUES ('e')");
      batch.executeBatch();
    }
    assertThat(scope.position().gtids().transactionCount()).isEqualTo(4);
  }

  @Test
  void aWriteWithoutAGtidMakesAPositionThatAsksForThePrimary() throws Exception {
    for (MySqlServer replica : Servers.CLUSTER.replicas()) {
      faults.add(replica.pauseApplier());
    }
    Sql.update(connection, "UPDATE orders SET status = status WHERE id = 1");
    WritePosition position = scope.position();

    assertThat(position.isComplete()).isFalse();
    assertThat(leeway.gate().hasReached(position)).isFalse();
    assertThat(leeway.gate().await(position, Duration.ofMillis(500)).outcome())
        .isEqualTo(GateResult.Outcome.USE_PRIMARY);
    assertThat(Sql.whoami(leeway)).isEqualTo("primary");
    assertThat(leeway.lastDecision().orElseThrow().reason())
        .isEqualTo(Reason.NO_REPLICA_REACHED_POSITION);
  }

  @Test
  void aRowThatIsChangedThroughAResultIsReadBack() throws Exception {
    try (Connection connection = leeway.dataSource().getConnection();
        Statement statement =
            connection.createStatement(
                ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
        ResultSet rows = statement.executeQuery("SELECT id, status FROM orders WHERE id = 2")) {
      rows.next();
      WritePosition before = scope.position();
      rows.updateString("status", "in place");
      rows.updateRow();

      WritePosition updated = scope.position();
      assertThat(updated.gtids().subtract(before.gtids()).transactionCount()).isOne();
      rows.moveToInsertRow();
      rows.updateLong("id", 77);
      rows.updateString("status", "in place");
      rows.insertRow();
      assertThat(scope.position().gtids().subtract(updated.gtids()).transactionCount()).isOne();
    }
    assertThat(Sql.read(leeway, REPLICA, "SELECT COUNT(*) FROM orders WHERE status = 'in place'"))
        .isEqualTo("2");
  }

  @Test
  void aDuplicateThatWasRefusedCountsAsSeen() throws Exception {
    Sql.update(connection, "INSERT INTO idem VALUES ('retried', 1)");
    try (RequestScope retried = leeway.openScope()) {
      for (MySqlServer replica : Servers.CLUSTER.replicas()) {
        faults.add(replica.pauseApplier());
      }
      assertThatThrownBy(() -> Sql.write(leeway, "INSERT INTO idem VALUES ('retried', 1)"))
          .hasMessageContaining("Duplicate");
      assertThat(Sql.read(leeway, REPLICA, "SELECT order_id FROM idem WHERE k = 'retried'"))
          .isEqualTo("1");
      assertThat(leeway.lastDecision().orElseThrow().role()).isEqualTo(Reason.Role.PRIMARY);
      assertThat(retried.isClosed()).isFalse();
    }
  }

  @Test
  void anIncompletePositionIsMadeCompleteByWhatThePrimarySaysLater() throws Exception {
    Sql.update(connection, "UPDATE orders SET status = status WHERE id = 1");

    Servers.await("the primary was asked after the write", () -> scope.position().isComplete());

    assertThat(leeway.gate().hasReached(scope.position(), Duration.ofSeconds(5))).isTrue();
  }

  @Test
  void withoutScopesAWriteIsReadBackByTheNextConnection() throws Exception {
    connection.close();
    scope.close();
    for (MySqlServer replica : Servers.CLUSTER.replicas()) {
      faults.add(replica.pauseApplier());
    }
    Sql.write(leeway, "UPDATE orders SET note = 'unscoped' WHERE id = 2");

    assertThat(Sql.read(leeway, REPLICA, "SELECT note FROM orders WHERE id = 2"))
        .isEqualTo("unscoped");
    try (RequestScope other = leeway.openScope()) {
      assertThat(other.isClosed()).isFalse();
      assertThat(Sql.whoami(leeway)).as("scoped requests are untouched").startsWith("replica-");
    }
  }

  @Test
  void theNextRequestOfTheSameUserReadsWhatTheFirstOneWrote() throws Exception {
    for (MySqlServer replica : Servers.CLUSTER.replicas()) {
      faults.add(replica.pauseApplier());
    }
    Sql.update(connection, "UPDATE orders SET note = 'mine' WHERE id = 1");
    String token = scope.toToken();

    try (RequestScope next = leeway.openScope(token)) {
      assertThat(next.position()).isEqualTo(scope.position());
      assertThat(Sql.read(leeway, REPLICA, "SELECT note FROM orders WHERE id = 1"))
          .isEqualTo("mine");
    }
    connection.close();
    scope.close();
    try (RequestScope stranger = leeway.openScope()) {
      assertThat(stranger.isClosed()).isFalse();
      assertThat(Sql.whoami(leeway)).startsWith("replica-");
    }
    try (RequestScope garbage = leeway.openScope("garbage")) {
      assertThat(garbage.position().gtids().isEmpty()).isTrue();
      assertThat(Sql.whoami(leeway)).as("garbage costs the primary nothing").startsWith("replica-");
    }
  }

  @Test
  void aSignedTokenIsAcceptedAndAForgedOneIsNot() throws Exception {
    byte[] secret = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    try (Leeway signing =
        Servers.ready(
            Servers.builder("positions", schema)
                .tokens(PositionTokens.builder().key("k1", secret).build())
                .start())) {
      String token;
      try (RequestScope first = signing.openScope()) {
        Sql.write(signing, "UPDATE orders SET note = 'signed' WHERE id = 1");
        token = first.toToken();
      }
      try (RequestScope next = signing.openScope(token)) {
        assertThat(next.position().gtids().transactionCount()).isEqualTo(1);
      }
      char last = token.charAt(token.length() - 1);
      String forged = token.substring(0, token.length() - 1) + (last == 'A' ? 'B' : 'A');
      try (RequestScope next = signing.openScope(forged)) {
        assertThat(next.position().gtids().isEmpty()).isTrue();
      }
    }
  }

  @Test
  void aJobCannotBeGivenAPositionBeforeTheCommitThatMakesIt() throws Exception {
    for (MySqlServer replica : Servers.CLUSTER.replicas()) {
      faults.add(replica.pauseApplier());
    }
    connection.setAutoCommit(false);
    assertThatThrownBy(scope::position).isInstanceOf(OpenTransactionException.class);
    Sql.update(connection, "INSERT INTO orders(id, status) VALUES (1001, 'job')");
    assertThatThrownBy(scope::toToken)
        .isInstanceOf(OpenTransactionException.class)
        .hasMessage(
            "positions - the write position was asked for inside an open transaction (expected: after"
                + " its commit). What it writes has no position yet, and will have none if it is"
                + " rolled back.");
    Sql.update(connection, "INSERT INTO orders(id, status) VALUES (1002, 'job')");
    connection.commit();

    WritePosition position = scope.position();
    assertThat(position.gtids().transactionCount()).isEqualTo(1);
    ExecutorService worker = Executors.newSingleThreadExecutor();
    try {
      Future<String> found =
          worker.submit(
              () -> {
                try (RequestScope job = leeway.openScope()) {
                  job.adopt(position);
                  return Sql.read(
                      leeway, REPLICA, "SELECT COUNT(*) FROM orders WHERE id IN (1001, 1002)");
                }
              });
      assertThat(found.get()).isEqualTo("2");
    } finally {
      worker.shutdown();
    }
  }

  @Test
  void afterARollbackThereIsNothingToHandOver() throws Exception {
    connection.setAutoCommit(false);
    Sql.update(connection, "INSERT INTO orders(id, status) VALUES (1003, 'job')");
    connection.rollback();

    assertThat(scope.position().gtids().isEmpty()).isTrue();
  }

  @Test
  void whereTrackingIsSwitchedOffAWriteIsStillReadBack() throws Exception {
    for (MySqlServer replica : Servers.CLUSTER.replicas()) {
      faults.add(replica.pauseApplier());
    }
    Sql.execute(connection, "SET SESSION session_track_gtids = OFF");
    Sql.update(connection, "UPDATE orders SET note = 'untracked' WHERE id = 1");

    assertThat(scope.position().isComplete()).isFalse();
    connection.close();
    assertThat(Sql.read(leeway, REPLICA, "SELECT note FROM orders WHERE id = 1"))
        .isEqualTo("untracked");
  }
}
