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

/** A table for one drill, on servers that belong to somebody else. Closing it drops it. */
final class DrillTable implements AutoCloseable {
  private static final Duration CONNECT_BOUND = Duration.ofSeconds(10);
  private static final Duration REPLICATION_BOUND = Duration.ofSeconds(60);
  private static final int UNKNOWN_SCHEMA = 1049;
  private static final int NO_SUCH_SCHEMA_ACCESS = 1044;
  private static final int NO_SUCH_TABLE_ACCESS = 1142;
  private static final int READ_ONLY = 1290;

  private final ServerEndpoint primary;
  private final String name;

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
   * @throws DrillSetupException if the account may not, or a replica does not get it
   */
  static DrillTable create(ServerEndpoint primary, List<ServerEndpoint> replicas, String schema) {
    String plain = "leeway_drill_%08x".formatted(ThreadLocalRandom.current().nextInt());
    String name = "`" + schema + "`.`" + plain + "`";
    try (Connection connection = connect(primary);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE "
              + name
              + " (id BIGINT PRIMARY KEY AUTO_INCREMENT, iteration INT NOT NULL)");
    } catch (SQLException e) {
      throw refused(primary, schema, e);
    }
    DrillTable table = new DrillTable(primary, name);
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

  /** Drops the table; replicas follow. */
  @Override
  public void close() {
    try (Connection connection = connect(primary);
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS " + name);
    } catch (SQLException e) {
      throw new DrillSetupException(
          "drill - %s: the drill's table could not be dropped: %s. Drop it with: DROP TABLE %s"
              .formatted(primary.name(), e.getMessage(), name),
          e);
    }
  }

  static Connection connect(ServerEndpoint server) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", server.user());
    properties.setProperty("password", server.password());
    // Without it a host that swallows packets is waited for as long as the operating system likes.
    properties.setProperty("connectTimeout", String.valueOf(CONNECT_BOUND.toMillis()));
    return DriverManager.getConnection(server.jdbcUrl(), properties);
  }
}
