package dev.leeway.routing.it;

import static dev.leeway.routing.it.Sql.REPLICA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.routing.Leeway;
import dev.leeway.routing.Reason;
import dev.leeway.routing.RequestScope;
import dev.leeway.testkit.LoggedStatement;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.TestSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What routing costs the servers: statements, counted by the servers themselves. */
class StatementCountsIT {
  private static final int N = 20;
  private static final String READ = "SELECT status FROM orders WHERE id = 1";

  private static TestSchema schema;
  private static Leeway leeway;

  @BeforeAll
  static void start() throws Exception {
    schema = Servers.newSchema();
    leeway = Servers.ready(Servers.builder("counts", schema).start());
    for (int i = 0; i < 50; i++) {
      Sql.read(leeway, REPLICA, READ);
      Sql.write(leeway, "UPDATE orders SET note = " + i + " WHERE id = 2");
    }
    Servers.CLUSTER.awaitCaughtUp(Duration.ofSeconds(20));
  }

  @AfterAll
  static void stop() {
    leeway.close();
    schema.close();
  }

  @Test
  void aRoutedReadIsOneStatement() throws Exception {
    List<String> sent =
        during(
            () -> {
              try (RequestScope scope = leeway.openScope()) {
                assertThat(scope.isClosed()).isFalse();
                for (int i = 0; i < N; i++) {
                  Sql.read(leeway, REPLICA, READ);
                  assertThat(lastRole()).isEqualTo(Reason.Role.REPLICA);
                }
              }
            });

    assertThat(sent).hasSize(N).allMatch(READ::equals);
  }

  @Test
  void aReadOnlyTransactionOfNReadsIsTwoMore() throws Exception {
    List<String> sent =
        during(
            () -> {
              try (RequestScope scope = leeway.openScope();
                  Connection connection = leeway.dataSource().getConnection()) {
                assertThat(scope.isClosed()).isFalse();
                connection.setReadOnly(true);
                connection.setAutoCommit(false);
                leeway.run(
                    REPLICA,
                    () -> {
                      for (int i = 0; i < N; i++) {
                        Sql.prepared(connection, READ);
                      }
                    });
                connection.commit();
              }
            });

    assertThat(sent).hasSize(N + 2);
    assertThat(sent.get(0)).isEqualTo("START TRANSACTION READ ONLY");
    assertThat(sent.subList(1, N + 1)).allMatch(READ::equals);
    assertThat(sent.get(N + 1)).isEqualTo("COMMIT");
  }

  @Test
  void aWriteWhosePositionIsTakenIsOneStatement() throws Exception {
    List<String> sent =
        during(
            () -> {
              try (RequestScope scope = leeway.openScope()) {
                for (int i = 0; i < N; i++) {
                  Sql.write(leeway, "UPDATE orders SET note = 'n" + i + "' WHERE id = 2");
                }
                assertThat(scope.position().gtids().transactionCount()).isEqualTo(N);
              }
            });

    assertThat(sent).hasSize(N).allMatch(text -> text.startsWith("UPDATE orders"));
  }

  @Test
  void aReadAfterOnesOwnWriteIsAtMostOneStatementMore() throws Exception {
    try (RequestScope scope = leeway.openScope()) {
      Instant[] since = startLogging();
      for (int i = 0; i < N; i++) {
        Sql.write(leeway, "UPDATE orders SET note = 'r" + i + "' WHERE id = 1");
        Sql.read(leeway, REPLICA, READ);
      }
      List<LoggedStatement> all = stopLogging(since);

      assertThat(scope.position().gtids().transactionCount()).isEqualTo(N);
      assertThat(all.stream().filter(s -> s.text().contains("orders"))).hasSize(2 * N);
      assertThat(all.stream().filter(s -> s.text().contains("WAIT_FOR_EXECUTED_GTID_SET")).count())
          .isLessThanOrEqualTo(N);
      assertThat(kindsOfOurConnections(all)).containsOnly("UPDATE", "SELECT");
    }
  }

  @Test
  void aReadOfAPositionThatAReplicaIsKnownToHaveAsksNothing() throws Exception {
    try (RequestScope scope = leeway.openScope()) {
      Sql.write(leeway, "UPDATE orders SET note = 'known' WHERE id = 1");
      Servers.await(
          "a replica is known to have the write", () -> leeway.gate().hasReached(scope.position()));
      Instant[] since = startLogging();
      for (int i = 0; i < N; i++) {
        Sql.read(leeway, REPLICA, READ);
        assertThat(lastRole()).isEqualTo(Reason.Role.REPLICA);
      }
      List<LoggedStatement> all = stopLogging(since);

      assertThat(all.stream().filter(s -> s.text().contains("WAIT_FOR_EXECUTED"))).isEmpty();
      assertThat(all.stream().filter(s -> s.text().equals(READ))).hasSize(N);
    }
  }

  @Test
  void aReadWriteTransactionIsWhatThePoolItselfWouldSend() throws Exception {
    List<String> sent =
        during(
            () -> {
              try (Connection connection = leeway.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                for (int i = 0; i < N; i++) {
                  Sql.update(connection, "UPDATE orders SET note = 't" + i + "' WHERE id = 3");
                }
                connection.commit();
              }
            });

    assertThat(sent).hasSize(N + 3);
    assertThat(sent.get(0)).isEqualTo("SET autocommit=0");
    assertThat(sent.get(N + 1)).isEqualTo("COMMIT");
    assertThat(sent.get(N + 2)).isEqualTo("SET autocommit=1");
  }

  @Test
  void whatOnlyLooksAtTheConnectionSendsNothing() throws Exception {
    List<String> sent =
        during(
            () -> {
              try (Connection connection = leeway.dataSource().getConnection();
                  PreparedStatement unused = connection.prepareStatement(READ)) {
                assertThat(unused.isClosed()).isFalse();
                connection.isValid(1);
                connection.getMetaData().getURL();
                connection.getMetaData().getDatabaseProductName();
                connection.setReadOnly(true);
                connection.isReadOnly();
                connection.getWarnings();
                connection.getCatalog();
                connection.getTransactionIsolation();
                connection.setAutoCommit(false);
                connection.commit();
                connection.createClob().free();
                connection.createBlob().free();
                connection.setReadOnly(false);
                connection.setAutoCommit(true);
                // One that can be found in the log.
                try (ResultSet rows = unused.executeQuery()) {
                  rows.next();
                }
              }
            });

    assertThat(sent).containsExactly(READ);
  }

  private static Reason.Role lastRole() {
    return leeway.lastDecision().orElseThrow().role();
  }

  /**
   * What a piece of code sent to whichever server, over the connections it used for the test's
   * tables.
   */
  private static List<String> during(SqlWork work) throws Exception {
    List<LoggedStatement> all = logged(work);
    // A pool may fill up meanwhile; what opening a connection costs is not what is counted here.
    for (int again = 0; again < 5 && !openedMeanwhile(all).isEmpty(); again++) {
      all = logged(work);
    }
    Set<String> ours = connectionsOf(all);
    return all.stream()
        .filter(statement -> ours.contains(key(statement)))
        .map(LoggedStatement::text)
        .toList();
  }

  private static List<LoggedStatement> logged(SqlWork work) throws Exception {
    Instant[] since = startLogging();
    work.run();
    return stopLogging(since);
  }

  /** Those of our connections that greeted their server, as the driver does with this comment. */
  private static Set<String> openedMeanwhile(List<LoggedStatement> all) {
    Set<String> opened =
        all.stream()
            .filter(statement -> statement.text().startsWith("/* mysql-connector-j"))
            .map(StatementCountsIT::key)
            .collect(Collectors.toSet());
    opened.retainAll(connectionsOf(all));
    return opened;
  }

  private static List<String> kindsOfOurConnections(List<LoggedStatement> all) {
    Set<String> ours = connectionsOf(all);
    ours.removeAll(openedMeanwhile(all));
    return all.stream()
        .filter(statement -> ours.contains(key(statement)))
        .map(statement -> statement.text().split(" ", 2)[0])
        .distinct()
        .toList();
  }

  private static Set<String> connectionsOf(List<LoggedStatement> all) {
    return all.stream()
        .filter(statement -> statement.text().contains("orders"))
        .map(StatementCountsIT::key)
        .collect(Collectors.toSet());
  }

  private static String key(LoggedStatement statement) {
    return statement.user() + statement.connectionId();
  }

  private static Instant[] startLogging() {
    return Servers.CLUSTER.servers().stream()
        .map(MySqlServer::startLogging)
        .toArray(Instant[]::new);
  }

  private static List<LoggedStatement> stopLogging(Instant[] since) {
    List<LoggedStatement> all = new ArrayList<>();
    List<MySqlServer> servers = Servers.CLUSTER.servers();
    for (int i = 0; i < servers.size(); i++) {
      MySqlServer server = servers.get(i);
      for (LoggedStatement statement : server.loggedStatements(since[i])) {
        // Numbers of connections are the server's own.
        all.add(
            new LoggedStatement(
                server.name() + "/" + statement.user(),
                statement.connectionId(),
                statement.text()));
      }
      server.stopLogging();
    }
    return all;
  }

  private interface SqlWork {
    void run() throws SQLException;
  }
}
