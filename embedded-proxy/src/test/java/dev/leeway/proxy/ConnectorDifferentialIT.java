package dev.leeway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.proxy.Differential.Step;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.MySqlTopology;
import dev.leeway.testkit.Server;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connector/J sees the same through the proxy as directly, in each of its ways to work. */
@ExtendWith(NoLeaks.class)
@Timeout(120)
@MySqlTopology(replicas = 0, options = "--local-infile=ON")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConnectorDifferentialIT {
  private static final String SCHEMA = "lw_jdbc";

  private final MySqlServer primary;
  private EmbeddedProxy proxy;
  private EmbeddedProxy sharing;

  ConnectorDifferentialIT(@Server("primary") MySqlServer primary) {
    this.primary = primary;
  }

  @BeforeAll
  void start() {
    proxy =
        EmbeddedProxy.builder()
            .primary("db-1", primary.host(), primary.port())
            .user(primary.user(), primary.password())
            .start();
    sharing =
        EmbeddedProxy.builder()
            .primary("db-1", primary.host(), primary.port())
            .user(primary.user(), primary.password())
            .shareConnections(4)
            .start();
  }

  @AfterAll
  void stop() throws SQLException {
    proxy.close();
    sharing.close();
    primary.execute("DROP DATABASE IF EXISTS " + SCHEMA);
  }

  private List<Step> script() {
    List<Step> steps = new ArrayList<>();
    for (String sql :
        List.of(
            "CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, a VARCHAR(40), n DECIMAL(10,3),"
                + " d DATETIME(6), j JSON, b LONGBLOB, UNIQUE (a))",
            "INSERT INTO t (a, n, d, j) VALUES ('x', 1.5, '2026-01-02 03:04:05.678901', '{\"k\": 1}')",
            "INSERT INTO t (a) VALUES ('y'), ('z')",
            "INSERT INTO t (a) VALUES ('x')",
            "INSERT IGNORE INTO t (a) VALUES ('x')",
            "INSERT INTO t (a) VALUES ('x') ON DUPLICATE KEY UPDATE n = 3",
            "REPLACE INTO t (id, a) VALUES (2, 'yy')",
            "SELECT * FROM t ORDER BY id",
            "SELECT a AS label, COUNT(*) OVER () FROM t ORDER BY a",
            "SELECT 1; SELECT 2; UPDATE t SET n = 9 WHERE id = 1; SELECT 3",
            "SELECT 1; SELECT broken",
            "SELECT CAST('12x' AS SIGNED)",
            "SHOW WARNINGS",
            "SELECT broken",
            "SHOW WARNINGS",
            "SHOW ERRORS",
            "SET @x = 5",
            "SELECT @x",
            "CREATE TEMPORARY TABLE tmp AS SELECT id FROM t",
            "SELECT COUNT(*) FROM tmp",
            "CREATE PROCEDURE p(IN n INT, OUT m INT) BEGIN SELECT n; SELECT a FROM t ORDER BY id; SET m = n * 2; END",
            "CREATE FUNCTION f(n INT) RETURNS INT DETERMINISTIC RETURN n + 1",
            "SELECT f(4)",
            "SELECT GET_LOCK('lw_jdbc', 0), IS_FREE_LOCK('lw_jdbc')",
            "SELECT SQL_CALC_FOUND_ROWS id FROM t LIMIT 1",
            "SELECT FOUND_ROWS()",
            "UPDATE t SET n = n + 1",
            "SELECT ROW_COUNT()",
            "SELECT LAST_INSERT_ID() > 0",
            "SELECT REPEAT('é', 100000)",
            "KILL QUERY 3999999999",
            "EXPLAIN FORMAT=TREE SELECT 1")) {
      steps.add(Differential.text(sql));
    }
    steps.add(Differential.prepared("SELECT ?, a FROM t WHERE id < ? ORDER BY id", "p", 100));
    steps.add(Differential.prepared("INSERT INTO t (a, n) VALUES (NULL, ?)", 7));
    steps.add(Differential.prepared("SELECT id, b FROM t ORDER BY id"));
    steps.add(Differential.prepared("SELECT nothing"));
    steps.add(Differential.prepared("SHOW TABLES"));
    steps.add(
        connection -> {
          try (CallableStatement call = connection.prepareCall("{call p(?, ?)}")) {
            call.setInt(1, 21);
            call.registerOutParameter(2, Types.INTEGER);
            return Differential.results(call, call.execute()) + call.getInt(2);
          }
        });
    steps.add(
        connection -> {
          try (PreparedStatement insert =
              connection.prepareStatement("UPDATE t SET b = ? WHERE id = 1")) {
            insert.setBinaryStream(1, new ByteArrayInputStream(new byte[2_000_000]));
            return "rows " + insert.executeUpdate();
          }
        });
    steps.add(Differential.text("SELECT LENGTH(b), CRC32(b) FROM t WHERE id = 1"));
    steps.add(
        connection -> {
          try (PreparedStatement batch =
              connection.prepareStatement("INSERT INTO t (a) VALUES (?)")) {
            for (int i = 0; i < 50; i++) {
              batch.setString(1, "batch" + i % 45);
              batch.addBatch();
            }
            return Arrays.toString(batch.executeBatch());
          }
        });
    steps.add(
        connection -> {
          try (Statement batch = connection.createStatement()) {
            batch.addBatch("INSERT INTO t (a) VALUES ('b1')");
            batch.addBatch("UPDATE t SET n = 0 WHERE a = 'b1'");
            batch.addBatch("DELETE FROM t WHERE a = 'b1'");
            return Arrays.toString(batch.executeBatch());
          }
        });
    steps.add(
        connection -> {
          connection.setAutoCommit(false);
          String seen = Differential.text("INSERT INTO t (a) VALUES ('tx1')").run(connection);
          Savepoint savepoint = connection.setSavepoint("s1");
          seen += Differential.text("INSERT INTO t (a) VALUES ('tx2')").run(connection);
          connection.rollback(savepoint);
          seen += Differential.text("SELECT a FROM t WHERE a LIKE 'tx%'").run(connection);
          connection.rollback();
          connection.setAutoCommit(true);
          return seen + Differential.text("SELECT a FROM t WHERE a LIKE 'tx%'").run(connection);
        });
    steps.add(
        connection -> {
          connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
          connection.setReadOnly(true);
          String seen = Differential.text("SELECT @@transaction_isolation").run(connection);
          seen += Differential.outcome(connection, Differential.text("DELETE FROM t"));
          connection.setReadOnly(false);
          connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
          return seen;
        });
    steps.add(
        connection -> {
          connection.setCatalog("information_schema");
          String seen = Differential.text("SELECT DATABASE()").run(connection);
          connection.setCatalog(SCHEMA);
          return seen + connection.getCatalog();
        });
    steps.add(connection -> "valid " + connection.isValid(5));
    steps.add(
        connection -> {
          try (ResultSet columns = connection.getMetaData().getColumns(SCHEMA, null, "t", "%")) {
            return Differential.rows(columns);
          }
        });
    steps.add(
        connection -> {
          var driver = connection.unwrap(com.mysql.cj.jdbc.JdbcConnection.class);
          try (var statement = connection.createStatement()) {
            statement
                .unwrap(com.mysql.cj.jdbc.JdbcStatement.class)
                .setLocalInfileInputStream(
                    new ByteArrayInputStream(
                        "load1\nload2\nload2\n".getBytes(StandardCharsets.UTF_8)));
            String seen =
                Differential.results(
                    statement,
                    statement.execute("LOAD DATA LOCAL INFILE 'x' IGNORE INTO TABLE t (a)"));
            return seen + driver.getServerVersion();
          }
        });
    steps.add(Differential.text("SELECT a FROM t WHERE a LIKE 'load%' ORDER BY id"));
    steps.add(
        connection -> {
          var driver = connection.unwrap(com.mysql.cj.jdbc.JdbcConnection.class);
          driver.resetServerState();
          return Differential.text("SELECT @x, DATABASE()").run(connection);
        });
    steps.add(
        connection -> {
          // On a connection of its own: the driver's KILL QUERY may come late and hit what comes
          // next.
          try (Connection own =
                  DriverManager.getConnection(
                      connection.getMetaData().getURL(), primary.user(), primary.password());
              Statement statement = own.createStatement()) {
            statement.setQueryTimeout(1);
            return Differential.results(statement, statement.execute("SELECT SLEEP(20)"));
          }
        });
    steps.add(
        connection -> {
          var driver = connection.unwrap(com.mysql.cj.jdbc.JdbcConnection.class);
          driver.changeUser("app", "app-secret");
          return Differential.text("SELECT CURRENT_USER(), DATABASE(), @@character_set_client")
              .run(connection);
        });
    steps.add(
        connection -> {
          var driver = connection.unwrap(com.mysql.cj.jdbc.JdbcConnection.class);
          driver.changeUser("app", "not-it");
          return "changed";
        });
    // How the driver says that the server has closed depends on when it finds out.
    steps.add(
        connection -> {
          String after = Differential.outcome(connection, Differential.text("SELECT 1"));
          return after.startsWith("error 0 08S01") || after.startsWith("driver ")
              ? "closed"
              : after;
        });
    return steps;
  }

  private List<String> outcomes(String baseUrl, String options, List<Step> steps)
      throws SQLException {
    primary.execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    List<String> outcomes = new ArrayList<>();
    Connection connection =
        DriverManager.getConnection(
            baseUrl + "&allowLoadLocalInfile=true&socketTimeout=20000&" + options,
            primary.user(),
            primary.password());
    try {
      for (int i = 0; i < steps.size(); i++) {
        outcomes.add(i + ": " + withoutChance(Differential.outcome(connection, steps.get(i))));
      }
    } finally {
      closeWhatMayBeClosed(connection);
    }
    return outcomes;
  }

  /** The script's last steps make the server close; the driver may find out only now. */
  private static void closeWhatMayBeClosed(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      assertThat(e.getSQLState()).as("closing").isEqualTo("08S01");
    }
  }

  /** Times since the last packet are in messages of lost connections. */
  private static String withoutChance(String outcome) {
    return outcome.replaceAll("[\\d,]+ milliseconds ago", "N milliseconds ago");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "allowMultiQueries=true",
        "allowMultiQueries=true&useServerPrepStmts=true",
        "allowMultiQueries=true&useServerPrepStmts=true&cachePrepStmts=true&rewriteBatchedStatements=true",
        "allowMultiQueries=true&useServerPrepStmts=true&useCursorFetch=true&defaultFetchSize=2",
        "trackSessionState=true&useServerPrepStmts=true"
      })
  void aScriptHasTheSameOutcomes(String options) throws SQLException {
    List<String> direct = outcomes(primary.jdbcUrl(SCHEMA), options, script());
    List<String> proxied = outcomes(proxy.jdbcUrl(SCHEMA), options, script());
    List<String> shared = outcomes(sharing.jdbcUrl(SCHEMA), options, script());

    for (int i = 0; i < direct.size(); i++) {
      assertThat(proxied.get(i)).isEqualTo(direct.get(i));
      assertThat(shared.get(i)).as("shared").isEqualTo(direct.get(i));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void generatedSessionsHaveTheSameOutcomes(int seed) throws SQLException {
    String options =
        seed % 2 == 0 ? "useServerPrepStmts=true&allowMultiQueries=true" : "allowMultiQueries=true";
    List<String> direct = outcomes(primary.jdbcUrl(SCHEMA), options, generated(seed));
    List<String> proxied = outcomes(proxy.jdbcUrl(SCHEMA), options, generated(seed));

    assertThat(proxied).isEqualTo(direct);
    assertThat(outcomes(sharing.jdbcUrl(SCHEMA), options, generated(seed))).isEqualTo(direct);
  }

  private static List<Step> generated(int seed) {
    List<Step> steps = new ArrayList<>();
    for (String sql : GeneratedStatements.setUp()) {
      steps.add(Differential.text(sql));
    }
    GeneratedStatements statements = new GeneratedStatements(new Random(seed));
    for (int i = 0; i < 400; i++) {
      steps.add(statements.next());
    }
    return steps;
  }
}
