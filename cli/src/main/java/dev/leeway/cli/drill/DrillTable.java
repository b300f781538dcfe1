package dev.leeway.cli.drill;

import dev.leeway.gate.ServerEndpoint;
import dev.leeway.testkit.Await;
import dev.leeway.testkit.ClusterException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * A table for one drill, on servers that belong to somebody else. Closing it drops it.
 *
 * <p>Closing is safe from any thread and at any time, also while the table is being made: then it
 * waits for that.
 */
final class DrillTable implements AutoCloseable {
  private static final Duration CONNECT_BOUND = Duration.ofSeconds(10);
  private static final Duration STATEMENT_BOUND = Duration.ofSeconds(30);
  private static final Duration REPLICATION_BOUND = Duration.ofSeconds(60);
  private static final int UNKNOWN_SCHEMA = 1049;
  private static final int NO_SUCH_SCHEMA_ACCESS = 1044;
  private static final int NO_SUCH_TABLE_ACCESS = 1142;
  private static final int READ_ONLY = 1290;

  private final ServerEndpoint primary;
  private final String name;
  private boolean closed;
  private boolean mayExist;

  private DrillTable(ServerEndpoint primary, String name) {
    this.primary = primary;
    this.name = name;
  }

  /** The name for statements, with its schema. */
  String name() {
    return name;
  }

  /**
   * Makes the table on the primary and waits until all replicas have it.
   *
   * @param owner gets the table before it exists, and closes it if the run does not get to that
   * @throws DrillSetupException if the account may not, or a replica does not get it
   */
  static DrillTable create(
      ServerEndpoint primary,
      List<ServerEndpoint> replicas,
      String schema,
      Consumer<DrillTable> owner) {
    String plain = "leeway_drill_%08x".formatted(ThreadLocalRandom.current().nextInt());
    String name = "`" + schema + "`.`" + plain + "`";
    DrillTable table = new DrillTable(primary, name);
    owner.accept(table);
    try {
      table.make();
    } catch (SQLException e) {
      throw refused(primary, schema, e);
    }
    try {
      for (ServerEndpoint replica : replicas) {
        Await.until(
            replica.name() + " has the drill's table " + name,
            REPLICATION_BOUND,
            () -> exists(replica, schema, plain));
      }
      return table;
    } catch (ClusterException e) {
      table.close();
      throw new DrillSetupException(
          "drill - %s. Is its replication running? See: leeway lag".formatted(e.getMessage()), e);
    }
  }

  private synchronized void make() throws SQLException {
    if (closed) {
      throw new DrillSetupException("drill - it was ended before it made its table");
    }
    try (Connection connection = connect(primary, STATEMENT_BOUND);
        Statement statement = connection.createStatement()) {
      mayExist = true;
      statement.execute(
          "CREATE TABLE "
              + name
              + " (id BIGINT PRIMARY KEY AUTO_INCREMENT, iteration INT NOT NULL)");
    } catch (SQLException e) {
      // A server that answers with an error has made nothing; one that does not answer may have.
      mayExist &= ServerFailure.isSilence(e);
      throw e;
    }
  }

  private static boolean exists(ServerEndpoint server, String schema, String table)
      throws SQLException {
    try (Connection connection = connect(server);
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SHOW TABLES FROM `" + schema + "` LIKE '" + table + "'")) {
      return rows.next();
    }
  }

  private static DrillSetupException refused(
      ServerEndpoint primary, String schema, SQLException e) {
    String what =
        switch (e.getErrorCode()) {
          case UNKNOWN_SCHEMA ->
              "there is no schema '%s' (expected: one for the drill's table). Make it with: CREATE"
                      .formatted(schema)
                  + " SCHEMA `%s`".formatted(schema);
          case NO_SUCH_SCHEMA_ACCESS, NO_SUCH_TABLE_ACCESS ->
              "user '%s' may not make a table in schema '%s'. Allow it with: GRANT CREATE, DROP,"
                      .formatted(primary.user(), schema)
                  + " SELECT, INSERT ON `%s`.* TO that user".formatted(schema);
          case READ_ONLY ->
              "it is read-only, so it is no primary. Name the server that takes writes";
          default -> "the drill's table cannot be made: " + e.getMessage();
        };
    return new DrillSetupException("drill - " + primary.name() + ": " + what, e);
  }

  /**
   * Drops the table; replicas follow.
   *
   * @throws DrillSetupException if that fails; the message names the table
   */
  @Override
  public synchronized void close() {
    closed = true;
    if (!mayExist) {
      return;
    }
    mayExist = false;
    try (Connection connection = connect(primary, STATEMENT_BOUND);
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS " + name);
    } catch (SQLException e) {
      throw new DrillSetupException(
          "drill - %s: the drill's table could not be dropped: %s. Drop it with: DROP TABLE %s"
              .formatted(primary.name(), e.getMessage(), name),
          e);
    }
  }

  /**
   * A connection to one certain server, past every router.
   *
   * @throws SQLException naming the server, where it is, what is wrong and what to do
   */
  static Connection connect(ServerEndpoint server) throws SQLException {
    return connect(server, Duration.ZERO);
  }

  /**
   * As {@link #connect(ServerEndpoint)}.
   *
   * @param answer bounds each answer; zero for no bound
   */
  private static Connection connect(ServerEndpoint server, Duration answer) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", server.user());
    properties.setProperty("password", server.password());
    // Without it a host that swallows packets is waited for as long as the operating system likes.
    properties.setProperty("connectTimeout", String.valueOf(CONNECT_BOUND.toMillis()));
    properties.setProperty("socketTimeout", String.valueOf(answer.toMillis()));
    try {
      return DriverManager.getConnection(server.jdbcUrl(), properties);
    } catch (SQLException e) {
      throw ServerFailure.connecting(server, e);
    }
  }
}
