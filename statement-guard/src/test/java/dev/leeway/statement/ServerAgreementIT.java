package dev.leeway.statement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.testkit.MySqlCluster;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.TestSchema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the guard says of a text, held against what a real server does with it. */
class ServerAgreementIT {
  /** Refused because it would write: on a read-only server, in a read-only transaction. */
  private static final Set<Integer> REFUSED_AS_WRITE = Set.of(1290, 1792, 1836);

  private static final int NO_SUCH_FUNCTION = 1305;
  private static final int NO_SUCH_VARIABLE = 1193;
  private static final int HAS_NO_SESSION_VALUE = 1238;

  private static MySqlCluster cluster;
  private static TestSchema schema;

  private final StatementGuard guard = StatementGuard.create();

  @BeforeAll
  static void createTables() throws SQLException {
    cluster = MySqlCluster.shared(1);
    schema = cluster.newSchema();
    // Else a function that writes is not created, or stops the replica that hears of it.
    for (MySqlServer server : cluster.servers()) {
      server.execute("SET GLOBAL log_bin_trust_function_creators = ON");
    }
    schema.execute(
        "CREATE TABLE orders (id BIGINT PRIMARY KEY AUTO_INCREMENT, status VARCHAR(20) NOT NULL,"
            + " note VARCHAR(200), next_no INT, i INT, j INT, `for` INT, `update` INT, `lock` INT,"
            + " x INT, KEY i (i), KEY j (j), FULLTEXT (note))",
        "INSERT INTO orders (id, status) VALUES (1, 'new'), (2, 'new'), (3, 'new')",
        "CREATE TABLE idem (k VARCHAR(40) PRIMARY KEY, order_id BIGINT NOT NULL)",
        "CREATE TABLE whoami (name VARCHAR(4) NOT NULL)",
        "INSERT INTO whoami VALUES ('P')",
        "CREATE TABLE t (id INT PRIMARY KEY, a INT, b INT, c INT, x INT, y INT, `1abc` INT,"
            + " `5for` INT, j JSON, note VARCHAR(20), FULLTEXT (note), FULLTEXT (a_text),"
            + " a_text VARCHAR(20))",
        "INSERT INTO t (id, a, j) VALUES (1, 1, '{\"a\": 1}')",
        "CREATE TABLE a (id INT, x INT, c INT)",
        "CREATE TABLE b (id INT, x INT, c INT)",
        "CREATE FUNCTION next_no() RETURNS BIGINT MODIFIES SQL DATA BEGIN INSERT INTO orders(status)"
            + " VALUES ('fn'); RETURN LAST_INSERT_ID(); END");
    schema.awaitReplicated();
  }

  @AfterAll
  static void dropTables() {
    schema.close();
  }

  @Test
  void everyPlainReadRunsOnAReplicaThatRefusesWrites() throws SQLException {
    Map<String, SQLException> failures = new TreeMap<>();
    try (Connection replica = cluster.replicas().get(0).connect(schema.name())) {
      for (String sql : Corpus.allPlainReads()) {
        try {
          run(replica, sql);
        } catch (SQLException e) {
          assertThat(e.getErrorCode()).as(sql + " - " + e).isNotIn(REFUSED_AS_WRITE);
          failures.put(sql, e);
        }
      }
    }
    // Some name tables that nobody has, or hold a question mark; if most fail, nothing was shown.
    assertThat(failures.size()).as("%s", failures).isLessThan(Corpus.allPlainReads().size() / 4);
  }

  @Test
  void noPlainReadWritesLocksOrLeavesAnythingBehind() throws SQLException {
    String before = cluster.primary().executedGtids();
    try (Watched watched = new Watched()) {
      for (String sql : Corpus.allPlainReads()) {
        watched.runAndCheck(sql);
      }
    }
    assertThat(cluster.primary().executedGtids()).isEqualTo(before);
  }

  @Test
  void noTextThatChanceMadeAndTheGuardCallsPlainWritesOrLocks() throws SQLException {
    String before = cluster.primary().executedGtids();
    TextMutations mutations = new TextMutations(new Random(7));
    int plain = 0;
    try (Watched watched = new Watched()) {
      for (int i = 0; i < 20_000; i++) {
        String sql = mutations.next();
        if (guard.classify(sql) == StatementKind.PLAIN_READ) {
          watched.runAndCheck(sql);
          plain++;
        }
      }
    }
    assertThat(plain).isGreaterThan(1_000);
    assertThat(cluster.primary().executedGtids()).isEqualTo(before);
  }

  @Test
  void functionsThatCountAsBuiltInAreBuiltIn() throws SQLException {
    // Came with MySQL 9, or left the server with it.
    Set<String> notEverywhere =
        Set.of(
            "STRING_TO_VECTOR",
            "TO_VECTOR",
            "VECTOR_TO_STRING",
            "FROM_VECTOR",
            "VECTOR_DIM",
            "MD5",
            "SHA",
            "SHA1",
            "JSON_MERGE",
            "MASTER_POS_WAIT",
            "WAIT_UNTIL_SQL_THREAD_AFTER_GTIDS");
    List<String> unknown = new ArrayList<>();
    try (Connection primary = cluster.primary().connect(schema.name())) {
      Vocabulary.words()
          .forEach(
              (name, word) -> {
                if (isFunction(word)
                    && !notEverywhere.contains(name)
                    && errorOf(primary, "SELECT " + name + "()") == NO_SUCH_FUNCTION) {
                  unknown.add(name);
                }
              });
    }
    assertThat(unknown).isEmpty();
  }

  private static boolean isFunction(Word word) {
    return switch (word) {
      case FUNCTION, SUBSTRING, SESSION_FUNCTION, SESSION_CHANGING_FUNCTION -> true;
      case INSTANCE_FUNCTION, LAST_INSERT_ID, TRUNCATE -> true;
      default -> false;
    };
  }

  @Test
  void theServersReservedWordsAreOurs() throws SQLException {
    // Reserved by some versions only; each is refused or harmless where a name may not stand.
    Set<String> newer =
        Set.of("EXTERNAL", "LIBRARY", "MANUAL", "PARALLEL", "QUALIFY", "TABLESAMPLE", "INTERSECT");
    List<String> missing = new ArrayList<>();
    List<String> tooMany = new ArrayList<>();
    try (Connection primary = cluster.primary().connect("");
        Statement statement = primary.createStatement();
        ResultSet words =
            statement.executeQuery("SELECT word, reserved FROM information_schema.keywords")) {
      while (words.next()) {
        String word = words.getString(1);
        boolean name = Vocabulary.find(word, 0, word.length()).mayBeName();
        if (words.getBoolean(2) && name && !newer.contains(word)) {
          missing.add(word);
        } else if (!words.getBoolean(2) && !name) {
          tooMany.add(word);
        }
      }
    }
    assertThat(missing).as("reserved by the server, a name to us").isEmpty();
    assertThat(tooMany).as("a name to the server, reserved to us").isEmpty();
  }

  @Test
  void variablesThatCountAsFactsHaveNoValueOfTheSession() throws SQLException {
    try (Connection primary = cluster.primary().connect("")) {
      for (String name : SystemVariables.FACTS) {
        assertThat(errorOf(primary, "SELECT @@session." + name))
            .as(name)
            .isIn(HAS_NO_SESSION_VALUE, NO_SUCH_VARIABLE);
      }
    }
  }

  @Test
  void autocommitIsWhatTheGuardSays() throws SQLException {
    for (boolean on : new boolean[] {false, true}) {
      for (String sql : on ? Corpus.AUTOCOMMIT_ON : Corpus.AUTOCOMMIT_OFF) {
        try (Connection primary = cluster.primary().connect("");
            Statement statement = primary.createStatement()) {
          statement.execute("SET autocommit = " + (on ? 0 : 1));
          for (String part : sql.split(";", -1)) {
            if (part.isBlank()) {
              continue;
            }
            statement.execute(part);
          }
          assertThat(valueOf(statement, "SELECT @@autocommit")).as(sql).isEqualTo(on ? "1" : "0");
        }
      }
    }
    cluster.primary().execute("SET GLOBAL max_connections = DEFAULT");
  }

  @Test
  void whatEndsATransactionCommitsIt() throws SQLException {
    for (String sql :
        List.of(
            "BEGIN",
            "START TRANSACTION READ ONLY",
            "COMMIT",
            "COMMIT AND CHAIN",
            "CREATE TABLE made (a INT)",
            "CREATE INDEX n ON made (a)",
            "ALTER TABLE made ADD b INT",
            "RENAME TABLE made TO made2",
            "TRUNCATE made2",
            "DROP TABLE made2",
            "CREATE OR REPLACE VIEW v AS SELECT 1 AS one",
            "DROP VIEW v",
            "ANALYZE TABLE orders",
            "OPTIMIZE TABLE orders",
            "CHECK TABLE orders",
            "REPAIR TABLE orders",
            "FLUSH STATUS",
            "FLUSH TABLES",
            "CREATE USER IF NOT EXISTS leeway_guard_it",
            "GRANT SELECT ON *.* TO leeway_guard_it",
            "REVOKE SELECT ON *.* FROM leeway_guard_it",
            "DROP USER leeway_guard_it",
            "CREATE PROCEDURE made_procedure() SELECT 1",
            "DROP PROCEDURE made_procedure")) {
      assertThat(guard.classify(sql).endsTransaction()).as(sql).isTrue();
      assertThat(commitsAnOpenTransaction(sql)).as(sql).isTrue();
    }
  }

  @Test
  void whatDoesNotEndATransactionLeavesItOpen() throws SQLException {
    List<String> texts =
        new ArrayList<>(
            List.of(
                "SET autocommit = 1",
                "SET autocommit = 0",
                "SAVEPOINT s",
                "CHECKSUM TABLE orders",
                "CREATE TEMPORARY TABLE made (a INT)",
                "DROP TEMPORARY TABLE IF EXISTS made",
                "SET SESSION TRANSACTION READ WRITE",
                "SET ROLE NONE",
                "SET GLOBAL max_connections = DEFAULT",
                "UNLOCK TABLES",
                "HANDLER orders OPEN",
                "PREPARE s FROM 'SELECT 1'",
                "INSERT INTO idem VALUES ('x', 1)",
                "SELECT next_no()",
                "DO 1",
                "USE " + schema.name()));
    texts.addAll(Corpus.SESSION_CHANGES);
    texts.addAll(Corpus.allPlainReads());
    for (String sql : texts) {
      assertThat(guard.classify(sql).endsTransaction()).as(sql).isFalse();
      assertThat(commitsAnOpenTransaction(sql)).as(sql).isFalse();
    }
  }

  private static boolean commitsAnOpenTransaction(String sql) throws SQLException {
    try (Connection connection = cluster.primary().connect(schema.name());
        Connection other = cluster.primary().connect(schema.name());
        Statement statement = connection.createStatement();
        Statement observer = other.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute("START TRANSACTION");
      statement.execute("INSERT INTO whoami VALUES ('open')");
      try {
        statement.execute(sql);
      } catch (SQLException e) {
        // A text that the server refuses commits nothing either; or it does, and that shows.
        assertThat(e.getMessage()).isNotBlank();
      }
      String seen = valueOf(observer, "SELECT COUNT(*) FROM whoami WHERE name = 'open'");
      statement.execute("ROLLBACK");
      observer.execute("DELETE FROM whoami WHERE name = 'open'");
      return !"0".equals(seen);
    }
  }

  private static int errorOf(Connection connection, String sql) {
    try {
      run(connection, sql);
      return 0;
    } catch (SQLException e) {
      return e.getErrorCode();
    }
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      run(statement, sql);
    }
  }

  /** Runs one text and reads all of its rows. Several statements in it are the server's error. */
  private static void run(Statement statement, String sql) throws SQLException {
    if (statement.execute(sql)) {
      try (ResultSet rows = statement.getResultSet()) {
        int seen = 0;
        while (rows.next() && seen < 1_000) {
          seen++;
        }
      }
    }
  }

  private static String valueOf(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      assertThat(row.next()).isTrue();
      return String.valueOf(row.getString(1));
    }
  }

  /**
   * Runs texts on the primary, each in a read-only transaction, where a write is refused, while a
   * second connection tries to lock every row.
   */
  private static final class Watched implements AutoCloseable {
    private final Connection connection = cluster.primary().connect(schema.name());
    private final Connection other = cluster.primary().connect(schema.name());
    private final Set<String> tables = new TreeSet<>(Set.of("orders", "idem", "whoami", "t", "a"));

    Watched() throws SQLException {
      // Chance may make a statement that runs long; that is not what is looked for.
      run(connection, "SET SESSION max_execution_time = 300");
    }

    void runAndCheck(String sql) throws SQLException {
      try (Statement statement = connection.createStatement();
          Statement locker = other.createStatement()) {
        statement.setEscapeProcessing(false);
        statement.execute("START TRANSACTION READ ONLY");
        try {
          run(statement, sql);
        } catch (SQLException e) {
          assertThat(e.getErrorCode()).as(sql + " - " + e).isNotIn(REFUSED_AS_WRITE);
        }
        for (String table : tables) {
          try {
            run(locker, "SELECT 1 FROM " + table + " FOR UPDATE NOWAIT");
          } catch (SQLException e) {
            throw new AssertionError("rows of " + table + " are locked by: " + sql, e);
          }
        }
        String left =
            valueOf(
                statement,
                "SELECT CONCAT_WS(',', @x, @y, @n, @a, @c, @i, @id, IS_USED_LOCK('a'),"
                    + " NULLIF(LAST_INSERT_ID(), 0), NULLIF(@@autocommit, 1))");
        assertThat(left).as("left behind by: " + sql).isEmpty();
        statement.execute("ROLLBACK");
      }
    }

    @Override
    public void close() throws SQLException {
      connection.close();
      other.close();
    }
  }
}
