package dev.leeway.routing.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.gate.GtidSet;
import dev.leeway.gate.WritePosition;
import dev.leeway.routing.AfterCommit;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.OutcomeUnknownException;
import dev.leeway.routing.RequestScope;
import dev.leeway.testkit.DroppedReply;
import dev.leeway.testkit.TestSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is bound to a commit: case D15. */
class AfterCommitIT {
  private static final String INSERT = "INSERT INTO orders(status) VALUES ('job')";

  private static TestSchema schema;
  private static Leeway leeway;

  private final List<String> events = new ArrayList<>();
  private final List<WritePosition> positions = new ArrayList<>();
  private Connection connection;

  @BeforeAll
  static void start() throws Exception {
    schema = Servers.newSchema();
    leeway = Servers.ready(Servers.builder("after-commit", schema).start());
  }

  @AfterAll
  static void stop() {
    leeway.close();
    schema.close();
  }

  @BeforeEach
  void open() throws SQLException {
    connection = leeway.dataSource().getConnection();
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private void send(String job) {
    leeway.afterCommit(
        new AfterCommit() {
          @Override
          public void committed(WritePosition position) {
            events.add("sent " + job);
            positions.add(position);
          }

          @Override
          public void dropped(String why) {
            events.add("dropped " + job + ": " + why);
          }
        });
  }

  private WritePosition onlyPosition() {
    assertThat(positions).hasSize(1);
    return positions.get(0);
  }

  @Test
  void whatIsSentInATransactionLeavesAfterTheCommitWithTheGtidOfTheCommit() throws Exception {
    try (RequestScope scope = leeway.openScope()) {
      connection.setAutoCommit(false);
      Sql.update(connection, INSERT);
      send("a");
      Sql.update(connection, INSERT);
      assertThat(events).isEmpty();

      connection.commit();

      assertThat(events).containsExactly("sent a");
      assertThat(onlyPosition()).isEqualTo(scope.position());
      assertThat(onlyPosition().gtids().transactionCount()).isEqualTo(1);
    }
  }

  @Test
  void thePositionHoldsWhatTheScopeHadWrittenBefore() throws Exception {
    try (RequestScope scope = leeway.openScope()) {
      Sql.update(connection, INSERT);
      GtidSet before = scope.position().gtids();
      connection.setAutoCommit(false);
      Sql.update(connection, INSERT);
      send("a");
      connection.commit();

      assertThat(onlyPosition().gtids().contains(before)).isTrue();
      assertThat(onlyPosition().gtids().transactionCount()).isEqualTo(2);
    }
  }

  @Test
  void aScopeThatIsClosedBeforeTheCommitDoesNotHideTheCommit() throws Exception {
    connection.setAutoCommit(false);
    try (RequestScope scope = leeway.openScope()) {
      Sql.update(connection, INSERT);
      send("a");
      assertThat(scope.isClosed()).isFalse();
    }
    connection.commit();

    assertThat(onlyPosition().gtids().transactionCount()).isEqualTo(1);
  }

  @Test
  void afterARollbackNothingLeaves() throws Exception {
    connection.setAutoCommit(false);
    Sql.update(connection, INSERT);
    send("a");
    connection.rollback();
    Sql.update(connection, INSERT);
    send("b");
    connection.close();

    assertThat(events)
        .containsExactly(
            "dropped a: it was rolled back, or its connection was closed",
            "dropped b: it was rolled back, or its connection was closed");
  }

  @Test
  void outsideATransactionItLeavesAtOnceWithWhatWasWritten() throws Exception {
    try (RequestScope scope = leeway.openScope()) {
      Sql.update(connection, INSERT);
      send("a");

      assertThat(events).containsExactly("sent a");
      assertThat(onlyPosition()).isEqualTo(scope.position());
    }
  }

  @Test
  void aCommitWhoseGtidDidNotComeBackGivesAnIncompletePosition() throws Exception {
    try (RequestScope scope = leeway.openScope()) {
      connection.setAutoCommit(false);
      Sql.update(connection, "UPDATE orders SET status = status WHERE id = 1");
      send("a");
      connection.commit();

      assertThat(onlyPosition().isComplete()).isFalse();
      assertThat(scope.isClosed()).isFalse();
    }
  }

  @Test
  void whatARollbackToASavepointUndoesTakesItsJobsWithIt() throws Exception {
    connection.setAutoCommit(false);
    Sql.update(connection, INSERT);
    send("outer");
    Savepoint first = connection.setSavepoint("first");
    send("inner");
    Savepoint unnamed = connection.setSavepoint();
    send("innermost");
    connection.rollback(unnamed);
    send("second try");
    connection.rollback(first);
    send("third try");
    connection.commit();

    assertThat(events.stream().filter(event -> event.startsWith("sent")))
        .containsExactly("sent outer", "sent third try");
    assertThat(events).hasSize(5);
  }

  @Test
  void savepointsByTextCountAsWell() throws Exception {
    Sql.execute(connection, "/* checkout */ BEGIN");
    Sql.update(connection, INSERT);
    send("outer");
    Sql.execute(connection, "-- nested\n savepoint `a b`");
    send("inner");
    Sql.execute(connection, "/* undo */ rollback work to savepoint `A B`;");
    send("second try");
    Sql.execute(connection, "COMMIT");

    assertThat(events)
        .containsExactly(
            "dropped inner: the part of the transaction it belongs to was rolled back to a savepoint",
            "sent outer",
            "sent second try");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"COMMIT", "COMMIT AND CHAIN", "BEGIN", "CREATE TABLE IF NOT EXISTS d15 (a INT)"})
  void everyTextThatCommitsSends(String end) throws Exception {
    try (RequestScope scope = leeway.openScope()) {
      Sql.execute(connection, "BEGIN");
      Sql.update(connection, INSERT);
      send("a");
      Sql.execute(connection, end);

      assertThat(events).containsExactly("sent a");
      assertThat(onlyPosition().gtids().isEmpty()).isFalse();
      assertThat(scope.isClosed()).isFalse();
    }
    Sql.execute(connection, "ROLLBACK");
  }

  @Test
  void switchingAutocommitOnByTextSends() throws Exception {
    Sql.execute(connection, "SET autocommit = 0");
    Sql.update(connection, INSERT);
    send("a");
    assertThat(events).isEmpty();
    Sql.execute(connection, "SET autocommit = 1");

    assertThat(events).containsExactly("sent a");
    assertThat(onlyPosition().gtids().transactionCount()).isPositive();
  }

  @Test
  void aTransactionInsideAnotherOneSendsByItself() throws Exception {
    connection.setAutoCommit(false);
    Sql.update(connection, INSERT);
    send("outer");
    try (Connection inner = leeway.dataSource().getConnection()) {
      inner.setAutoCommit(false);
      Sql.update(inner, INSERT);
      send("inner");
      inner.commit();
    }
    assertThat(events).containsExactly("sent inner");
    connection.rollback();

    assertThat(events).hasSize(2);
    assertThat(events.get(1)).startsWith("dropped outer");
  }

  @Test
  void aCommitWhoseAnswerIsLostDropsBecauseNobodyKnows() throws Exception {
    connection.setAutoCommit(false);
    Sql.update(connection, INSERT);
    send("a");
    try (DroppedReply lost = Servers.CLUSTER.primary().dropReplyAfter("commit")) {
      assertThatThrownBy(connection::commit).isInstanceOf(OutcomeUnknownException.class);
      assertThat(lost.hasHappened()).isTrue();
    }

    assertThat(events).containsExactly("dropped a: whether it was committed is not known");
  }

  @Test
  void aDeadlockRollsBackAndDropsEvenIfTheCallerGoesOn() throws Exception {
    try (Connection other = leeway.dataSource().getConnection()) {
      other.setAutoCommit(false);
      connection.setAutoCommit(false);
      // The victim is the one that has changed less.
      Sql.update(other, "UPDATE orders SET note = 'x' WHERE id = 1");
      Sql.update(other, "INSERT INTO orders(status) VALUES ('a'), ('b'), ('c'), ('d')");
      Sql.update(connection, "UPDATE orders SET note = 'y' WHERE id = 2");
      send("undone");
      Thread waiter =
          new Thread(
              () -> {
                try {
                  Sql.update(other, "UPDATE orders SET note = 'x' WHERE id = 2");
                } catch (SQLException e) {
                  events.add("the other one lost: " + e.getMessage());
                }
              },
              "deadlock");
      waiter.start();
      String waiting =
          "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'";
      Servers.await(
          "the other transaction waits for a lock",
          () -> !"0".equals(Servers.ask(Servers.CLUSTER.primary(), waiting)));
      assertThatThrownBy(() -> Sql.update(connection, "UPDATE orders SET note = 'y' WHERE id = 1"))
          .hasMessageContaining("Deadlock");
      waiter.join(20_000);
      other.rollback();
    }
    send("after");
    connection.commit();

    assertThat(events).hasSize(2);
    assertThat(events.get(0)).startsWith("dropped undone: the server rolled it back");
    assertThat(events.get(1)).isEqualTo("sent after");
  }

  @Test
  void anActionThatFailsIsNoFailureOfTheCommit() throws Exception {
    connection.setAutoCommit(false);
    Sql.update(connection, INSERT);
    leeway.afterCommit(
        position -> {
          throw new IllegalStateException("the broker is away");
        });
    send("b");
    connection.commit();

    assertThat(events).containsExactly("sent b");
  }
}
