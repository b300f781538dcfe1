package dev.leeway.testkit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Watches what a server executes without adding to it.
 *
 * <p>It keeps one connection, because opening one executes statements, and takes its own statements
 * out of the counts.
 */
final class Observer {
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS");

  private final MySqlServer server;
  private final Map<String, Long> own = new HashMap<>();
  private @Nullable Connection connection;

  /** What is done with the connection. */
  @FunctionalInterface
  private interface Work<T> {
    T with(Connection connection) throws SQLException;
  }

  Observer(MySqlServer server) {
    this.server = server;
  }

  /** How often the server has executed each kind of statement since its start, without ours. */
  synchronized Map<String, Long> counts() {
    return observe(
        current -> {
          mine("Com_show_status", 1);
          Map<String, Long> counts = new TreeMap<>();
          try (Statement statement = current.createStatement();
              ResultSet rows = statement.executeQuery("SHOW GLOBAL STATUS LIKE 'Com\\_%'")) {
            while (rows.next()) {
              counts.put(rows.getString(1), rows.getLong(2));
            }
          }
          own.forEach((kind, count) -> counts.merge(kind, -count, Long::sum));
          return counts;
        });
  }

  /** Switches the general log on; returns the server's own time at which it is on. */
  synchronized Instant startLogging() {
    return observe(
        current -> {
          mine("Com_set_option", 2);
          Jdbc.execute(current, "SET GLOBAL log_output='TABLE'", "SET GLOBAL general_log=ON");
          mine("Com_select", 1);
          String now = Jdbc.queryString(current, "SELECT UTC_TIMESTAMP(6)");
          return LocalDateTime.parse(String.valueOf(now), MICROS).toInstant(ZoneOffset.UTC);
        });
  }

  synchronized void stopLogging() {
    observe(
        current -> {
          mine("Com_set_option", 1);
          Jdbc.execute(current, "SET GLOBAL general_log=OFF");
          return true;
        });
  }

  /** The statements in the general log since then, oldest first, without an administrator's. */
  synchronized List<LoggedStatement> logged(Instant since) {
    // Rows are chosen by time: the log of a read-only server cannot be emptied.
    String query =
        "SELECT SUBSTRING_INDEX(user_host, '[', 1), thread_id, CONVERT(argument USING utf8mb4)"
            + " FROM mysql.general_log WHERE event_time >= CONVERT_TZ(?, '+00:00', @@time_zone)"
            + " AND command_type IN ('Query', 'Execute') AND user_host NOT LIKE ?"
            + " ORDER BY event_time";
    String from =
        MICROS.format(
            since.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC).toLocalDateTime());
    return observe(
        current -> {
          mine("Com_select", 1);
          try (PreparedStatement statement = current.prepareStatement(query)) {
            statement.setString(1, from);
            statement.setString(2, Accounts.ADMIN.user() + "[%");
            try (ResultSet rows = statement.executeQuery()) {
              List<LoggedStatement> statements = new ArrayList<>();
              while (rows.next()) {
                statements.add(
                    new LoggedStatement(rows.getString(1), rows.getLong(2), rows.getString(3)));
              }
              return List.copyOf(statements);
            }
          }
        });
  }

  private <T> T observe(Work<T> work) {
    Connection current = connection;
    if (current != null) {
      try {
        return work.with(current);
      } catch (SQLException e) {
        // The server has been away, or has closed what was idle. Another connection will tell.
        disconnect();
      }
    }
    try {
      current = server.shortConnection();
      connection = current;
      return work.with(current);
    } catch (SQLException e) {
      disconnect();
      throw new ClusterException(
          server.name() + " - does not tell what it executes: " + e.getMessage(), e);
    }
  }

  private void mine(String kind, long count) {
    own.merge(kind, count, Long::sum);
  }

  /** A server that is started again counts from zero. */
  synchronized void serverEnds() {
    disconnect();
    own.clear();
  }

  synchronized void disconnect() {
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
