package dev.leeway.routing.it;

import static dev.leeway.routing.it.Sql.PRIMARY;
import static dev.leeway.routing.it.Sql.REPLICA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mysql.cj.jdbc.JdbcConnection;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.PoolSettings;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.Reason;
import dev.leeway.testkit.TestSchema;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.TimeZone;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The routed connection is a JDBC connection like any other. */
class ConnectionIT {
  private static final List<ReadIntent> BOTH = List.of(REPLICA, PRIMARY);

  private static TestSchema schema;
  private static Leeway leeway;

  @BeforeAll
  static void start() throws Exception {
    schema = Servers.newSchema();
    schema.execute(
        "CREATE TABLE types (id INT PRIMARY KEY, b TINYINT(1), y TINYINT, s SMALLINT, i INT, l BIGINT,"
            + " f FLOAT, d DOUBLE, n DECIMAL(20,5), t VARCHAR(50), x VARBINARY(50), dt DATE, ti TIME,"
            + " ts DATETIME(3), ldt DATETIME(6), c TEXT, bl BLOB, o VARCHAR(50), nul INT, u INT)");
    schema.awaitReplicated();
    leeway =
        Servers.ready(
            Servers.builder("connections", schema)
                .pools(PoolSettings.defaults().maximum(2, 2).idle(0))
                .start());
  }

  @AfterAll
  static void stop() {
    leeway.close();
    schema.close();
  }

  @Test
  void settingsMadeBeforeThereIsAServerReachItAndTheNextBorrowerFindsItClean() throws Exception {
    for (ReadIntent intent : BOTH) {
      leeway.run(
          intent,
          () -> {
            try (Connection connection = leeway.dataSource().getConnection()) {
              connection.setCatalog("information_schema");
              connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
              connection.setNetworkTimeout(Runnable::run, 4_321);
              connection.setClientInfo("ApplicationName", "settings-test");
              connection.setHoldability(ResultSet.HOLD_CURSORS_OVER_COMMIT);
              assertThat(connection.getCatalog()).isEqualTo("information_schema");
              assertThat(connection.getTransactionIsolation())
                  .isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
              assertThat(connection.getNetworkTimeout()).isEqualTo(4_321);
              assertThat(connection.getClientInfo("ApplicationName")).isEqualTo("settings-test");

              assertThat(Sql.prepared(connection, "SELECT COUNT(*) FROM tables WHERE 1 = 0"))
                  .isEqualTo("0");

              Connection physical = connection.unwrap(JdbcConnection.class);
              assertThat(physical.getCatalog()).isEqualTo("information_schema");
              assertThat(Sql.query(physical, "SELECT @@transaction_isolation"))
                  .isEqualTo("READ-COMMITTED");
              assertThat(physical.getNetworkTimeout()).isEqualTo(4_321);
              assertThat(physical.getClientInfo("ApplicationName")).isEqualTo("settings-test");
            }
            // More often than there are connections in the pool.
            for (int i = 0; i < 5; i++) {
              try (Connection next = leeway.dataSource().getConnection()) {
                Sql.prepared(next, Sql.WHOAMI);
                Connection physical = next.unwrap(JdbcConnection.class);
                assertThat(next.getCatalog()).isEqualTo(schema.name());
                assertThat(physical.getCatalog()).isEqualTo(schema.name());
                assertThat(Sql.query(physical, "SELECT @@transaction_isolation"))
                    .isEqualTo("REPEATABLE-READ");
                assertThat(physical.getNetworkTimeout()).isZero();
                assertThat(physical.getClientInfo("ApplicationName")).isNull();
                assertThat(physical.getAutoCommit()).isTrue();
              }
            }
          });
    }
  }

  @Test
  void aSchemaThatMeansTheDatabaseIsNotFoundByTheNextBorrower() throws Exception {
    try (Leeway other =
        Servers.ready(
            Servers.builderWith("schemas", schema, "databaseTerm=SCHEMA")
                .pools(PoolSettings.defaults().maximum(1, 1).idle(0))
                .start())) {
      for (ReadIntent intent : BOTH) {
        for (int i = 0; i < 3; i++) {
          other.run(
              intent,
              () -> {
                try (Connection connection = other.dataSource().getConnection()) {
                  connection.setSchema("information_schema");
                  assertThat(Sql.query(connection, "SELECT COUNT(*) FROM tables WHERE 1 = 0"))
                      .isEqualTo("0");
                }
                try (Connection next = other.dataSource().getConnection()) {
                  assertThat(Sql.query(next, Sql.WHOAMI)).isNotNull();
                }
              });
        }
      }
    }
  }

  @Test
  void whatWasSetOnAStatementIsNotFoundByWhoPreparesTheSameTextNext() throws Exception {
    try (Leeway other =
        Servers.ready(
            Servers.builderWith("cached", schema, "useServerPrepStmts=true&cachePrepStmts=true")
                .pools(PoolSettings.defaults().maximum(1, 1).idle(0))
                .start())) {
      for (ReadIntent intent : BOTH) {
        for (boolean leftOpen : new boolean[] {false, true}) {
          other.run(
              intent,
              () -> {
                try (Connection connection = other.dataSource().getConnection()) {
                  limited(connection, leftOpen);
                }
                try (Connection next = other.dataSource().getConnection();
                    PreparedStatement statement = next.prepareStatement("SELECT id FROM orders");
                    ResultSet rows = statement.executeQuery()) {
                  int count = 0;
                  while (rows.next()) {
                    count++;
                  }
                  assertThat(count).isGreaterThanOrEqualTo(3);
                  Statement physical = statement.unwrap(com.mysql.cj.jdbc.StatementImpl.class);
                  assertThat(physical.getMaxRows()).isZero();
                  assertThat(physical.getQueryTimeout()).isZero();
                  assertThat(physical.getFetchSize()).isZero();
                }
              });
        }
      }
    }
  }

  @Test
  void aStatementThatWasReadThroughACursorDoesNotDisturbWhoPreparesTheSameTextNext()
      throws Exception {
    try (Leeway other =
        Servers.ready(
            Servers.builderWith(
                    "cursors",
                    schema,
                    "useServerPrepStmts=true&cachePrepStmts=true&useCursorFetch=true"
                        + "&socketTimeout=5000")
                .pools(PoolSettings.defaults().maximum(1, 1).idle(0))
                .start())) {
      for (ReadIntent intent : BOTH) {
        for (int fetchSize : new int[] {2, Integer.MIN_VALUE, 2, 0, 0, Integer.MIN_VALUE, 0}) {
          other.run(
              intent,
              () -> {
                try (Connection connection = other.dataSource().getConnection();
                    PreparedStatement statement =
                        connection.prepareStatement("SELECT id FROM orders WHERE id < ?")) {
                  if (fetchSize != 0) {
                    statement.setFetchSize(fetchSize);
                  }
                  statement.setInt(1, 4);
                  try (ResultSet rows = statement.executeQuery()) {
                    int count = 0;
                    while (rows.next()) {
                      count++;
                    }
                    assertThat(count).as("fetch size %s", fetchSize).isEqualTo(3);
                  }
                }
              });
        }
      }
    }
  }

  private static void limited(Connection connection, boolean leftOpen) throws SQLException {
    for (int kind = 0; kind < 3; kind++) {
      PreparedStatement statement = connection.prepareStatement("SELECT id FROM orders");
      switch (kind) {
        case 0 -> statement.setMaxRows(1);
        case 1 -> statement.setQueryTimeout(7);
        default -> statement.setFetchSize(2);
      }
      try (ResultSet rows = statement.executeQuery()) {
        assertThat(rows.next()).isTrue();
      }
      statement.setMaxFieldSize(1);
      if (!leftOpen) {
        statement.close();
      }
    }
  }

  @Test
  void aSettingMadeLaterReachesWhatIsHeld() throws Exception {
    try (Connection connection = leeway.dataSource().getConnection()) {
      leeway.run(REPLICA, () -> Sql.prepared(connection, Sql.WHOAMI));
      Sql.prepared(connection, Sql.WHOAMI);
      connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      assertThat(
              leeway.read(
                  PRIMARY,
                  () -> Sql.prepared(connection, "SELECT @@session.transaction_isolation")))
          .isEqualTo("SERIALIZABLE");
    }
  }

  @Test
  void whatATextSetInTheSessionIsNotFoundByTheNextBorrower() throws Exception {
    for (int i = 0; i < 3; i++) {
      try (Connection connection = leeway.dataSource().getConnection()) {
        Sql.execute(connection, "SET SESSION sql_mode = ''");
        Sql.execute(connection, "USE information_schema");
        assertThat(Sql.query(connection, "SELECT @@sql_mode")).isEmpty();
        assertThat(connection.getCatalog()).isEqualTo("information_schema");
      }
      try (Connection next = leeway.dataSource().getConnection()) {
        assertThat(Sql.query(next, "SELECT @@sql_mode")).contains("STRICT");
        assertThat(Sql.query(next, "SELECT DATABASE()")).isEqualTo(schema.name());
      }
    }
  }

  @Test
  void everyTypeOfParameterArrivesOnThePrimaryAndOnAReplica() throws Exception {
    Timestamp moment = Timestamp.valueOf("2026-03-29 01:30:00.123");
    LocalDateTime local = LocalDateTime.of(2026, 3, 29, 1, 30, 0, 123_456_000);
    String insert =
        "INSERT INTO types (id,b,y,s,i,l,f,d,n,t,x,dt,ti,ts,ldt,c,bl,o,nul,u)"
            + " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
    try (Connection connection = leeway.dataSource().getConnection();
        PreparedStatement statement = connection.prepareStatement(insert)) {
      statement.setInt(1, 1);
      statement.setBoolean(2, true);
      statement.setByte(3, (byte) -3);
      statement.setShort(4, (short) -300);
      statement.setInt(5, -70_000);
      statement.setLong(6, Long.MIN_VALUE);
      statement.setFloat(7, 1.5f);
      statement.setDouble(8, -2.25);
      statement.setBigDecimal(9, new BigDecimal("12345.67890"));
      statement.setString(10, "zwölf");
      statement.setBytes(11, new byte[] {0, 1, -1});
      statement.setDate(12, Date.valueOf("2026-03-29"));
      statement.setTime(13, Time.valueOf("01:30:00"));
      statement.setTimestamp(14, moment);
      statement.setObject(15, local);
      statement.setCharacterStream(16, new StringReader("read once"));
      statement.setBinaryStream(
          17, new ByteArrayInputStream("bytes".getBytes(StandardCharsets.US_ASCII)));
      statement.setObject(18, 42, Types.VARCHAR);
      statement.setNull(19, Types.INTEGER);
      statement.setObject(20, null);
      assertThat(statement.executeUpdate()).isEqualTo(1);
    }
    schema.awaitReplicated();
    for (ReadIntent intent : BOTH) {
      leeway.run(
          intent,
          () -> {
            try (Connection connection = leeway.dataSource().getConnection();
                PreparedStatement select =
                    connection.prepareStatement(
                        "SELECT * FROM types WHERE id = ? AND b = ? AND y = ? AND s = ? AND i = ?"
                            + " AND l = ? AND f = ? AND d = ? AND n = ? AND t = ? AND x = ?"
                            + " AND dt = ? AND ti = ? AND ts = ? AND ldt = ? AND o = ?")) {
              select.setLong(1, 1);
              select.setBoolean(2, true);
              select.setByte(3, (byte) -3);
              select.setShort(4, (short) -300);
              select.setInt(5, -70_000);
              select.setLong(6, Long.MIN_VALUE);
              select.setFloat(7, 1.5f);
              select.setDouble(8, -2.25);
              select.setBigDecimal(9, new BigDecimal("12345.67890"));
              select.setString(10, "zwölf");
              select.setBytes(11, new byte[] {0, 1, -1});
              select.setDate(12, Date.valueOf("2026-03-29"), calendar());
              select.setTime(13, Time.valueOf("01:30:00"));
              select.setTimestamp(14, moment, calendar());
              select.setObject(15, local);
              select.setNString(16, "42");
              try (ResultSet row = select.executeQuery()) {
                assertThat(row.next()).as(intent.toString()).isTrue();
                assertThat(row.getString("c")).isEqualTo("read once");
                assertThat(row.getBytes("bl"))
                    .isEqualTo("bytes".getBytes(StandardCharsets.US_ASCII));
                assertThat(row.getObject("nul")).isNull();
                assertThat(row.getInt("u")).isZero();
                assertThat(row.wasNull()).isTrue();
              }
              select.clearParameters();
              assertThatThrownBy(select::executeQuery)
                  .isInstanceOf(SQLException.class)
                  .hasMessageContaining("parameter 1");
              assertThat(select.getParameterMetaData().getParameterCount()).isEqualTo(16);
            }
          });
    }
  }

  private static Calendar calendar() {
    return Calendar.getInstance(TimeZone.getDefault());
  }

  @Test
  void batchesAndGeneratedKeys() throws Exception {
    try (Connection connection = leeway.dataSource().getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO orders(status, note) VALUES (?, ?)",
                Statement.RETURN_GENERATED_KEYS)) {
      for (int i = 0; i < 3; i++) {
        insert.setString(1, "batch");
        insert.setInt(2, i);
        insert.addBatch();
      }
      insert.setString(1, "never added");
      assertThat(insert.executeBatch()).containsExactly(1, 1, 1);
      assertThat(insert.executeBatch()).isEmpty();
      List<Long> keys = new ArrayList<>();
      try (ResultSet rows = insert.getGeneratedKeys()) {
        assertThat(rows.getStatement()).isSameAs(insert);
        while (rows.next()) {
          keys.add(rows.getLong(1));
        }
      }
      assertThat(keys).hasSize(3).doesNotHaveDuplicates();
    }
    assertThat(
            Sql.read(
                leeway,
                PRIMARY,
                "SELECT GROUP_CONCAT(note ORDER BY id) FROM orders WHERE status = 'batch'"))
        .isEqualTo("0,1,2");
  }

  @Test
  void executeGivesResultsAndCounts() throws Exception {
    try (Connection connection = leeway.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      assertThat(statement.getResultSet()).isNull();
      assertThat(statement.getUpdateCount()).isEqualTo(-1);
      assertThat(statement.execute("SELECT 1")).isTrue();
      try (ResultSet rows = statement.getResultSet()) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getStatement()).isSameAs(statement);
      }
      assertThat(statement.getMoreResults()).isFalse();
      assertThat(statement.execute("UPDATE orders SET note = 'c' WHERE id < 3")).isFalse();
      assertThat(statement.getLargeUpdateCount()).isEqualTo(2);
      assertThat(statement.getConnection()).isSameAs(connection);
    }
  }

  @Test
  void rowsCanBeStreamedAndLimited() throws Exception {
    for (ReadIntent intent : BOTH) {
      leeway.run(
          intent,
          () -> {
            try (Connection connection = leeway.dataSource().getConnection();
                PreparedStatement many =
                    connection.prepareStatement("SELECT a.id FROM orders a, orders b, orders c")) {
              many.setMaxRows(7);
              assertThat(count(many)).isEqualTo(7);
              many.setMaxRows(0);
              many.setFetchSize(Integer.MIN_VALUE);
              assertThat(count(many)).isGreaterThanOrEqualTo(27);
            }
          });
      assertThat(leeway.budget().inUse()).isZero();
    }
  }

  private static int count(PreparedStatement statement) throws SQLException {
    int rows = 0;
    try (ResultSet all = statement.executeQuery()) {
      while (all.next()) {
        rows++;
      }
    }
    return rows;
  }

  @Test
  void metadataDoesNotChooseAServer() throws Exception {
    try (Connection connection = leeway.dataSource().getConnection()) {
      assertThat(connection.getMetaData().getDatabaseProductName()).isEqualTo("MySQL");
      assertThat(connection.getMetaData().getConnection()).isSameAs(connection);
      try (ResultSet tables =
          connection.getMetaData().getTables(schema.name(), null, "orders", null)) {
        assertThat(tables.next()).isTrue();
      }
      assertThat(leeway.read(REPLICA, () -> Sql.prepared(connection, Sql.WHOAMI)))
          .startsWith("replica-");
      try (PreparedStatement select =
          connection.prepareStatement("SELECT id, status FROM orders")) {
        assertThat(select.getMetaData().getColumnCount()).isEqualTo(2);
      }
    }
  }

  @Test
  void oneConnectionServesReadsAndWritesInTurn() throws Exception {
    try (Connection connection = leeway.dataSource().getConnection();
        PreparedStatement select = connection.prepareStatement(Sql.WHOAMI)) {
      for (int i = 0; i < 5; i++) {
        assertThat(leeway.read(PRIMARY, () -> first(select))).isEqualTo("primary");
        // It has just seen the primary, and does not go back in time without proof.
        assertThat(leeway.read(REPLICA, () -> first(select))).isNotNull();
      }
    }
  }

  private static String first(PreparedStatement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      rows.next();
      return rows.getString(1);
    }
  }

  @Test
  void statementsLeftOpenAreClosedWithTheirConnection() throws Exception {
    for (ReadIntent intent : BOTH) {
      leeway.run(
          intent,
          () -> {
            JdbcConnection physical;
            PreparedStatement forgotten;
            Connection connection = leeway.dataSource().getConnection();
            try (connection) {
              for (int i = 0; i < 10; i++) {
                forgotten = connection.prepareStatement(Sql.WHOAMI);
                forgotten.executeQuery();
              }
              forgotten = connection.prepareStatement(Sql.WHOAMI);
              forgotten.executeQuery();
              physical = connection.unwrap(JdbcConnection.class);
              assertThat(physical.getActiveStatementCount()).isEqualTo(11);
            }
            assertThat(physical.getActiveStatementCount()).isZero();
            assertThat(forgotten.isClosed()).isTrue();
            assertThat(connection.isClosed()).isTrue();
            assertThatThrownBy(connection::createStatement)
                .hasMessage("connections - the connection is closed (expected: open)");
            assertThatThrownBy(forgotten::executeQuery).isInstanceOf(SQLException.class);
          });
    }
  }

  @Test
  void aClosedStatementSaysSo() throws Exception {
    try (Connection connection = leeway.dataSource().getConnection()) {
      PreparedStatement statement = connection.prepareStatement("SELECT 1");
      statement.close();
      statement.close();
      assertThat(statement.isClosed()).isTrue();
      assertThatThrownBy(statement::executeQuery)
          .hasMessage("connections - the statement is closed (expected: open)");
      assertThatThrownBy(() -> connection.prepareStatement("SELECT 1").executeQuery("SELECT 2"))
          .hasMessageContaining("a prepared statement was given another text");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void manyThreadsShareFewConnections(boolean mixed) throws Exception {
    ExecutorService readers = Executors.newFixedThreadPool(12);
    List<Future<Integer>> counts = new ArrayList<>();
    for (int thread = 0; thread < 12; thread++) {
      boolean writes = mixed && thread % 4 == 0;
      counts.add(
          readers.submit(
              () -> {
                int right = 0;
                for (int i = 0; i < 150; i++) {
                  if (writes) {
                    Sql.write(leeway, "UPDATE orders SET note = " + i + " WHERE id = 2");
                    right++;
                  } else if (Sql.whoami(leeway) != null) {
                    right++;
                  }
                }
                return right;
              }));
    }
    for (Future<Integer> count : counts) {
      assertThat(count.get(60, TimeUnit.SECONDS)).isEqualTo(150);
    }
    readers.shutdown();
    assertThat(leeway.budget().inUse()).isZero();
  }

  @Test
  void whoWaitsAtThePoolIsNotForgottenWhileConnectionsLieOnTheShelf() throws Exception {
    ExecutorService holders = Executors.newFixedThreadPool(2);
    try (Leeway narrow =
        Servers.ready(
            Servers.builder("narrow", schema)
                .pools(
                    PoolSettings.defaults()
                        .maximum(1, 1)
                        .timeouts(Duration.ofSeconds(20), Duration.ofSeconds(20)))
                .start())) {
      List<Future<Boolean>> done = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        done.add(
            holders.submit(
                () -> {
                  for (int n = 0; n < 400; n++) {
                    Sql.whoami(narrow);
                    if (narrow.lastDecision().orElseThrow().role() != Reason.Role.REPLICA) {
                      return false;
                    }
                  }
                  return true;
                }));
      }
      for (Future<Boolean> each : done) {
        assertThat(each.get(60, TimeUnit.SECONDS)).isTrue();
      }
    } finally {
      holders.shutdownNow();
    }
  }
}
