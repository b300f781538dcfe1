package dev.leeway.routing.it;

import dev.leeway.routing.Leeway;
import dev.leeway.routing.ReadIntent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** Short ways to run statements, each on a connection of its own or on one that is given. */
final class Sql {
  static final String WHOAMI = "SELECT name FROM whoami";
  static final ReadIntent REPLICA = ReadIntent.replica();
  static final ReadIntent PRIMARY = ReadIntent.primary("the test says so");

  private Sql() {}

  /** The first column of the first row; null if there is no row. */
  static @Nullable String read(Leeway leeway, ReadIntent intent, String sql) throws SQLException {
    return leeway.read(
        intent,
        () -> {
          try (Connection connection = leeway.dataSource().getConnection()) {
            return prepared(connection, sql);
          }
        });
  }

  /** Who answers a replica method. */
  static @Nullable String whoami(Leeway leeway) throws SQLException {
    return read(leeway, REPLICA, WHOAMI);
  }

  static int write(Leeway leeway, String sql) throws SQLException {
    return leeway.write(
        () -> {
          try (Connection connection = leeway.dataSource().getConnection()) {
            return update(connection, sql);
          }
        });
  }

  static @Nullable String prepared(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      return rows.next() ? rows.getString(1) : null;
    }
  }

  static @Nullable String query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getString(1) : null;
    }
  }

  static int update(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    }
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Runs a text of any kind and gives the first column of the first row, if it has rows. */
  static @Nullable String any(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return null;
      }
      try (ResultSet rows = statement.getResultSet()) {
        return rows.next() ? rows.getString(1) : null;
      }
    }
  }
}
