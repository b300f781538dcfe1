package dev.leeway.testkit;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One server of a {@link MySqlCluster}.
 *
 * <p>Safe for use from any thread.
 */
public final class MySqlServer {
  private final String name;
  private final ServerProcess process;

  MySqlServer(String name, ServerProcess process) {
    this.name = name;
    this.process = process;
  }

  /** {@code primary}, {@code replica-1} and so on: the role it was started in. */
  public String name() {
    return name;
  }

  /** Where an application connects. */
  public String host() {
    return process.address().host();
  }

  /** Where an application connects. */
  public int port() {
    return process.address().port();
  }

  /**
   * The address for an application's connections, without account.
   *
   * @param schema the schema to start in; empty for none
   */
  public String jdbcUrl(String schema) {
    return Jdbc.url(host(), port(), schema);
  }

  /**
   * The application's account: it may read, write and migrate, and is bound by read-only servers.
   */
  public String user() {
    return Accounts.APPLICATION.user();
  }

  public String password() {
    return Accounts.APPLICATION.password();
  }

  /** An account that may do everything. */
  public String adminUser() {
    return Accounts.ADMIN.user();
  }

  public String adminPassword() {
    return Accounts.ADMIN.password();
  }

  /**
   * A new connection as administrator; the caller closes it.
   *
   * @param schema the schema to start in; empty for none
   */
  public Connection connect(String schema) throws SQLException {
    return Jdbc.connect(process.address(), schema, Accounts.ADMIN);
  }

  /** Runs statements as administrator, in one connection, without a schema of its own. */
  public void execute(String... sql) throws SQLException {
    try (Connection connection = connect("")) {
      Jdbc.execute(connection, sql);
    }
  }

  /**
   * Runs a query as administrator: the first column of the first row as text, or null if there is
   * no row or it holds NULL.
   */
  public @Nullable String queryString(String sql) throws SQLException {
    try (Connection connection = connect("")) {
      return Jdbc.queryString(connection, sql);
    }
  }

  /** {@code @@server_uuid}. */
  public String serverUuid() {
    return ask("SELECT @@server_uuid");
  }

  /** {@code @@global.gtid_executed}, on one line. */
  public String executedGtids() {
    return ask("SELECT @@global.gtid_executed").replace("\n", "");
  }

  /** Memory this server really uses, where the operating system tells. */
  public OptionalLong residentBytes() {
    return process.residentBytes();
  }

  /** A short question of the testkit itself, with a bound and an answer. */
  String ask(String sql) {
    try (Connection connection = shortConnection()) {
      String answer = Jdbc.queryString(connection, sql);
      if (answer == null) {
        throw new ClusterException(name + " - gave no answer to: " + sql);
      }
      return answer;
    } catch (SQLException e) {
      throw new ClusterException(name + " - cannot be asked '" + sql + "': " + e.getMessage(), e);
    }
  }

  /** Statements of the testkit itself, with a bound on each. */
  void order(String... sql) {
    try (Connection connection = shortConnection()) {
      Jdbc.execute(connection, sql);
    } catch (SQLException e) {
      throw new ClusterException(
          name + " - cannot execute " + String.join("; ", sql) + ": " + e.getMessage(), e);
    }
  }

  Connection shortConnection() throws SQLException {
    return Jdbc.connect(process.address(), "", Accounts.ADMIN, Jdbc.SHORT);
  }

  ServerProcess process() {
    return process;
  }

  void close() {}

  @Override
  public String toString() {
    return name;
  }
}
