package dev.leeway.testkit;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The little JDBC the testkit needs for itself. */
final class Jdbc {
  /** For questions that a healthy server answers at once. */
  static final Duration SHORT = Duration.ofSeconds(10);

  private static final Driver DRIVER = driver();

  private Jdbc() {}

  private static Driver driver() {
    try {
      return new com.mysql.cj.jdbc.Driver();
    } catch (SQLException e) {
      throw new IllegalStateException("MySQL Connector/J cannot be loaded", e);
    }
  }

  static String url(ServerProcess.Address address, String schema) {
    return url(address.host(), address.port(), schema);
  }

  /**
   * Plain text on loopback: encryption would hide statements from the relay and slow every test.
   * The password still travels encrypted, by the server's public key.
   */
  static String url(String host, int port, String schema) {
    return "jdbc:mysql://"
        + host
        + ":"
        + port
        + "/"
        + schema
        + "?sslMode=DISABLED&allowPublicKeyRetrieval=true";
  }

  /** Connects with a bound on everything that is later read from the connection too. */
  static Connection connect(
      ServerProcess.Address address, String schema, Accounts.Account account, Duration bound)
      throws SQLException {
    Properties properties = login(account);
    properties.setProperty("connectTimeout", Long.toString(bound.toMillis()));
    properties.setProperty("socketTimeout", Long.toString(bound.toMillis()));
    return connect(url(address, schema), properties);
  }

  /** Connects with a bound on connecting only; what is run then may take as long as it likes. */
  static Connection connect(ServerProcess.Address address, String schema, Accounts.Account account)
      throws SQLException {
    Properties properties = login(account);
    properties.setProperty("connectTimeout", Long.toString(SHORT.toMillis()));
    return connect(url(address, schema), properties);
  }

  private static Connection connect(String url, Properties properties) throws SQLException {
    // Not by DriverManager, which may know of another driver for the same address.
    Connection connection = DRIVER.connect(url, properties);
    if (connection == null) {
      throw new SQLException("MySQL Connector/J does not accept the address " + url);
    }
    return connection;
  }

  private static Properties login(Accounts.Account account) {
    Properties properties = new Properties();
    properties.setProperty("user", account.user());
    properties.setProperty("password", account.password());
    return properties;
  }

  static void execute(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** The first column of the first row; null if there is no row or it is NULL. */
  static @Nullable String queryString(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getString(1) : null;
    }
  }

  static List<String> queryStrings(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    }
  }
}
