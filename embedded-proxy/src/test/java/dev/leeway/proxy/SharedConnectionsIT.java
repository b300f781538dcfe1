package dev.leeway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.proxy.Differential.Step;
import dev.leeway.proxy.wire.Capabilities;
import dev.leeway.proxy.wire.Command;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.MySqlTopology;
import dev.leeway.testkit.Server;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sessions that share connections never notice each other. */
@ExtendWith(NoLeaks.class)
@Timeout(120)
@MySqlTopology(replicas = 0, options = "--local-infile=ON")
class SharedConnectionsIT {
  private static final int SESSIONS = 8;
  private static final int STEPS = 300;

  private final MySqlServer primary;
  private EmbeddedProxy proxy;

  SharedConnectionsIT(@Server("primary") MySqlServer primary) {
    this.primary = primary;
  }

  @BeforeEach
  void start() throws SQLException {
    proxy =
        EmbeddedProxy.builder()
            .primary("db-1", primary.host(), primary.port())
            .user(primary.user(), primary.password())
            .threads(1)
            .shareConnections(2)
            .connectionWait(Duration.ofSeconds(30))
            .hold(Duration.ofSeconds(5))
            .start();
    for (int i = 0; i < SESSIONS; i++) {
      primary.execute("DROP DATABASE IF EXISTS lw_share" + i, "CREATE DATABASE lw_share" + i);
    }
  }

  @AfterEach
  void stop() throws SQLException {
    proxy.close();
    for (int i = 0; i < SESSIONS; i++) {
      primary.execute("DROP DATABASE IF EXISTS lw_share" + i);
    }
  }

  private Connection connect(String schema, String options) throws SQLException {
    return DriverManager.getConnection(
        proxy.jdbcUrl(schema) + "&socketTimeout=60000" + options,
        primary.user(),
        primary.password());
  }

  /**
   * What a session can do with a connection that is not its own for long. Each has a schema of its
   * own, so that its outcomes do not depend on the others'.
   */
  private static List<Step> steps(int session) {
    Random random = new Random(session);
    List<Step> steps = new ArrayList<>();
    steps.add(Differential.text("CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(60))"));
    steps.add(Differential.text("INSERT INTO t VALUES (1, 'session " + session + "'), (2, 'x')"));
    for (int i = 0; i < STEPS; i++) {
      int k = random.nextInt(6);
      switch (random.nextInt(20)) {
        case 0, 1, 2, 3 -> steps.add(Differential.text("SELECT * FROM t ORDER BY id"));
        case 4 -> steps.add(Differential.text("SELECT DATABASE(), @@sql_mode, @@sort_buffer_size"));
        case 5 -> steps.add(Differential.text("SET sort_buffer_size = " + (300_000 + 1000 * k)));
        case 6 ->
            steps.add(
                Differential.text("SET sql_mode = '" + (k < 3 ? "" : "STRICT_ALL_TABLES") + "'"));
        case 7 -> steps.add(Differential.text("SET time_zone = '+0" + k + ":00'"));
        case 8 ->
            steps.add(Differential.text("SELECT @@time_zone, @@autocommit, @@max_execution_time"));
        case 9 -> steps.add(Differential.text("SET NAMES " + (k < 3 ? "latin1" : "utf8mb4")));
        case 10 ->
            steps.add(
                Differential.text("SELECT 'é', @@character_set_results, @@collation_connection"));
        case 11 ->
            steps.add(
                Differential.text(
                    "UPDATE t SET v = CONCAT('s" + session + "-', " + i + ") WHERE id = 1"));
        case 12 ->
            steps.add(
                connection ->
                    Differential.text("UPDATE t SET v = 'x" + k + "'").run(connection)
                        + Differential.text("SELECT ROW_COUNT()").run(connection));
        case 13 ->
            steps.add(
                connection ->
                    Differential.text("SELECT CAST('y" + k + "' AS SIGNED)").run(connection)
                        + Differential.text("SHOW WARNINGS").run(connection));
        case 14 -> {
          steps.add(Differential.text("START TRANSACTION"));
          steps.add(
              Differential.text("INSERT INTO t VALUES (" + (100 + i) + ", 'in transaction')"));
          steps.add(Differential.text("SELECT COUNT(*) FROM t"));
          steps.add(Differential.text(k < 3 ? "COMMIT" : "ROLLBACK"));
        }
        case 15 -> {
          steps.add(Differential.text("SET autocommit = 0"));
          steps.add(Differential.text("DELETE FROM t WHERE id > 100"));
          steps.add(Differential.text("ROLLBACK"));
          steps.add(Differential.text("SET autocommit = 1"));
        }
        case 16 -> steps.add(Differential.text("SELECT missing" + k));
        case 17 ->
            steps.add(
                Differential.text(
                    "SET SESSION TRANSACTION ISOLATION LEVEL "
                        + (k < 3 ? "READ COMMITTED" : "REPEATABLE READ")));
        case 18 -> steps.add(Differential.text("SELECT @@transaction_isolation, CURRENT_USER()"));
        default -> steps.add(Differential.prepared("SELECT v FROM t WHERE id = ?", 1));
      }
    }
    if (session % 2 == 0) {
      // From here on the session needs a connection of its own; half of them at most get one.
      steps.add(Differential.text("SET @mine = " + session));
      steps.add(Differential.text("SELECT @mine"));
    }
    return steps;
  }

  private List<String> run(int session, Connection connection) {
    List<String> outcomes = new ArrayList<>();
    for (Step step : steps(session)) {
      outcomes.add(Differential.outcome(connection, step));
    }
    return outcomes;
  }

  @Test
  void sessionsOnTwoConnectionsSeeWhatTheyWouldSeeOnTheirOwn() throws Exception {
    List<List<String>> direct = new ArrayList<>();
    for (int i = 0; i < SESSIONS; i++) {
      try (Connection connection =
          DriverManager.getConnection(
              primary.jdbcUrl("lw_share" + i), primary.user(), primary.password())) {
        direct.add(run(i, connection));
      }
      primary.execute("DROP DATABASE lw_share" + i, "CREATE DATABASE lw_share" + i);
    }

    ExecutorService threads = Executors.newFixedThreadPool(SESSIONS);
    try {
      List<Future<List<String>>> running = new ArrayList<>();
      for (int i = 0; i < SESSIONS; i++) {
        int session = i;
        running.add(
            threads.submit(
                () -> {
                  try (Connection connection = connect("lw_share" + session, "")) {
                    return run(session, connection);
                  }
                }));
      }
      for (int i = 0; i < SESSIONS; i++) {
        assertThat(running.get(i).get(120, TimeUnit.SECONDS))
            .as("session %d", i)
            .isEqualTo(direct.get(i));
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(proxy.stats().handovers()).isGreaterThan(100);
    assertThat(proxy.stats().serverConnections()).isLessThanOrEqualTo(2);
  }

  @Test
  void manyIdleClientsNeedFewServerConnections() throws Exception {
    List<RawClient> clients = new ArrayList<>();
    try {
      for (int i = 0; i < 200; i++) {
        clients.add(raw(""));
      }
      for (RawClient client : clients) {
        assertThat(client.ask(client.query("SELECT 1"))).hasSizeGreaterThan(20);
      }
      assertThat(proxy.stats().clients()).isEqualTo(200);
      assertThat(proxy.stats().serverConnections()).isLessThanOrEqualTo(2);
    } finally {
      for (RawClient client : clients) {
        client.close();
      }
    }
  }

  @Test
  void whoFindsAllConnectionsTakenGetsAnErrorWithinItsTime() throws Exception {
    try (EmbeddedProxy small =
        EmbeddedProxy.builder()
            .primary("db-1", primary.host(), primary.port())
            .user(primary.user(), primary.password())
            .threads(1)
            .shareConnections(1)
            .connectionWait(Duration.ofMillis(300))
            .start()) {
      try (Connection first =
              DriverManager.getConnection(
                  small.jdbcUrl("lw_share0") + "&socketTimeout=20000",
                  primary.user(),
                  primary.password());
          Connection second =
              DriverManager.getConnection(
                  small.jdbcUrl("lw_share0") + "&socketTimeout=20000",
                  primary.user(),
                  primary.password())) {
        first.createStatement().execute("SET @mine = 1");
        assertThatThrownBy(() -> second.createStatement().execute("SELECT 1"))
            .isInstanceOfSatisfying(
                SQLException.class,
                e -> {
                  assertThat(e.getErrorCode()).isEqualTo(2003);
                  assertThat(e.getMessage())
                      .contains("all 1 connections are in use, and none became free within 300 ms");
                });
        first.createStatement().execute("SELECT @mine");
      }
    }
  }

  @Test
  void whatTheLastStatementLeftIsNeverAnothersButAnError() throws Exception {
    try (RawClient one = raw("lw_share0");
        RawClient two = raw("lw_share0");
        RawClient three = raw("lw_share0")) {
      one.ask(one.query("SELECT 1 UNION SELECT 2 UNION SELECT 3"));
      assertThat(text(one.ask(one.query("SELECT FOUND_ROWS()")))).contains("\u00013");
      one.ask(one.query("SELECT 1 UNION SELECT 2 UNION SELECT 3"));
      for (int i = 0; i < 4; i++) {
        two.ask(two.query("SET sort_buffer_size = 30000" + i));
        two.ask(two.query("SELECT 1"));
        three.ask(three.query("SET sort_buffer_size = 40000" + i));
        three.ask(three.query("SELECT 1"));
      }
      assertThat(text(one.ask(one.query("SELECT FOUND_ROWS()"))))
          .contains("what the last statement left is no longer there");
      assertThat(text(one.ask(one.query("SELECT 5")))).contains("\u00015");
    }
  }

  @Test
  void aKillNeverHitsTheSessionThatGotTheConnectionAfterwards() throws Exception {
    try (RawClient idle = raw("");
        RawClient killer = raw("")) {
      String id = Integer.toUnsignedString(idle.greeting.connectionId());
      assertThat(killer.ask(killer.query("KILL QUERY " + id))[4]).isZero();
      assertThat(idle.ask(new byte[] {Command.PING})[4]).isZero();
      assertThat(killer.ask(killer.query("KILL " + id))[4]).isZero();
      assertThat(idle.isClosed()).isTrue();
      assertThat(killer.ask(new byte[] {Command.PING})[4]).isZero();
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private RawClient raw(String schema) throws IOException {
    return RawClient.connect(
        proxy.address().getHostString(),
        proxy.address().getPort(),
        primary.user(),
        primary.password(),
        schema,
        Capabilities.TRANSACTIONS | Capabilities.DEPRECATE_EOF);
  }
}
