package dev.leeway.testkit;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads how often a server has executed each kind of statement.
 *
 * <p>It keeps one connection for this, because opening one executes statements too, and takes its
 * own questions out of the count.
 */
final class StatementCounter {
  private static final String OWN = "Com_show_status";

  private final MySqlServer server;
  private @Nullable Connection connection;
  private long ownQuestions;

  StatementCounter(MySqlServer server) {
    this.server = server;
  }

  synchronized Map<String, Long> counts() {
    Connection current = connection;
    if (current != null) {
      try {
        return counts(current);
      } catch (SQLException e) {
        // The server has been away; its counts begin anew, and so does the connection.
        close();
      }
    }
    try {
      current = server.shortConnection();
      connection = current;
      ownQuestions = 0;
      return counts(current);
    } catch (SQLException e) {
      close();
      throw new ClusterException(
          server.name() + " - does not tell what it has executed: " + e.getMessage(), e);
    }
  }

  private Map<String, Long> counts(Connection current) throws SQLException {
    ownQuestions++;
    Map<String, Long> counts = new TreeMap<>();
    try (Statement statement = current.createStatement();
        ResultSet rows = statement.executeQuery("SHOW GLOBAL STATUS LIKE 'Com\\_%'")) {
      while (rows.next()) {
        counts.put(rows.getString(1), rows.getLong(2));
      }
    }
    counts.merge(OWN, -ownQuestions, Long::sum);
    return counts;
  }

  synchronized void close() {
    Connection current = connection;
    connection = null;
    if (current != null) {
      try {
        current.close();
      } catch (SQLException e) {
        // The server is gone, and the connection with it.
      }
    }
  }
}
