package dev.leeway.proxy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;

/** Writes down everything that JDBC shows of a statement's outcome. */
final class Differential {
  private Differential() {}

  /** Something that is done with a connection. */
  interface Step {
    String run(Connection connection) throws SQLException;
  }

  /** The outcome of a step, errors included. */
  static String outcome(Connection connection, Step step) {
    try {
      return step.run(connection);
    } catch (SQLException e) {
      return "error " + e.getErrorCode() + " " + e.getSQLState() + " " + e.getMessage();
    } catch (RuntimeException e) {
      // A fault of the driver's own, which it must have in both cases.
      return "driver " + e.getClass().getName();
    }
  }

  /** Executes a text and shows all results, keys and warnings. */
  static Step text(String sql) {
    return connection -> {
      try (Statement statement = connection.createStatement()) {
        boolean rows = statement.execute(sql, Statement.RETURN_GENERATED_KEYS);
        return results(statement, rows);
      }
    };
  }

  /** The same by the server's prepared statement, or by the client's. */
  static Step prepared(String sql, Object... values) {
    return connection -> {
      try (var statement = connection.prepareStatement(sql)) {
        StringBuilder all = new StringBuilder();
        for (int round = 0; round < 2; round++) {
          for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
          }
          all.append(results(statement, statement.execute())).append('|');
        }
        return all.toString();
      }
    };
  }

  static String results(Statement statement, boolean first) throws SQLException {
    StringBuilder all = new StringBuilder();
    boolean rows = first;
    while (true) {
      if (rows) {
        try (ResultSet result = statement.getResultSet()) {
          all.append(rows(result));
        }
      } else {
        long count = statement.getLargeUpdateCount();
        if (count < 0) {
          break;
        }
        all.append("count ").append(count);
        if (statement.getConnection() != null && !(statement instanceof PreparedStatement)) {
          try (ResultSet keys = statement.getGeneratedKeys()) {
            while (keys.next()) {
              all.append(" key ").append(keys.getLong(1));
            }
          }
        }
        all.append(';');
      }
      for (SQLWarning w = statement.getWarnings(); w != null; w = w.getNextWarning()) {
        all.append(" warning ").append(w.getErrorCode()).append(' ').append(w.getMessage());
      }
      rows = statement.getMoreResults();
    }
    return all.toString();
  }

  static String rows(ResultSet result) throws SQLException {
    ResultSetMetaData meta = result.getMetaData();
    StringBuilder all = new StringBuilder("[");
    for (int i = 1; i <= meta.getColumnCount(); i++) {
      all.append(meta.getTableName(i))
          .append('.')
          .append(meta.getColumnName(i))
          .append(':')
          .append(meta.getColumnLabel(i))
          .append(':')
          .append(meta.getColumnTypeName(i))
          .append(meta.getPrecision(i))
          .append(meta.isAutoIncrement(i) ? "A" : "")
          .append(meta.isNullable(i))
          .append(meta.isSigned(i) ? "S" : "")
          .append(' ');
    }
    while (result.next()) {
      all.append('(');
      for (int i = 1; i <= meta.getColumnCount(); i++) {
        all.append(result.getString(i)).append(',');
      }
      all.append(')');
    }
    return all.append(']').toString();
  }
}
