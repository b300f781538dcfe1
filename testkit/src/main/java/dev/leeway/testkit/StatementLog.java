package dev.leeway.testkit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Reads a server's general log, which is kept in a table. */
final class StatementLog {
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS");

  private StatementLog() {}

  /** Switches the log on; returns the server's own time at which it is on. */
  static Instant start(MySqlServer server) {
    server.order("SET GLOBAL log_output='TABLE'", "SET GLOBAL general_log=ON");
    return LocalDateTime.parse(server.ask("SELECT UTC_TIMESTAMP(6)"), MICROS)
        .toInstant(ZoneOffset.UTC);
  }

  static void stop(MySqlServer server) {
    server.order("SET GLOBAL general_log=OFF");
  }

  static List<LoggedStatement> statements(MySqlServer server, Instant since) {
    // Rows are chosen by time: the log of a read-only server cannot be emptied.
    String query =
        "SELECT SUBSTRING_INDEX(user_host, '[', 1), thread_id, CONVERT(argument USING utf8mb4)"
            + " FROM mysql.general_log WHERE event_time >= ? AND command_type IN"
            + " ('Query', 'Execute') AND user_host NOT LIKE ? ORDER BY event_time";
    try (Connection connection = server.shortConnection()) {
      Jdbc.execute(connection, "SET time_zone='+00:00'");
      try (PreparedStatement statement = connection.prepareStatement(query)) {
        statement.setString(
            1,
            MICROS.format(
                since.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC).toLocalDateTime()));
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
    } catch (SQLException e) {
      throw new ClusterException(
          server.name() + " - its general log cannot be read: " + e.getMessage(), e);
    }
  }
}
