package dev.leeway.testkit.drill;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * What one read of a drill saw, and which server showed it.
 *
 * @param current whether the read saw what had been written just before
 * @param serverUuid the {@code @@server_uuid} of the server that answered, read by the same
 *     statement
 */
public record Seen(boolean current, String serverUuid) {

  public static Seen current(String serverUuid) {
    return new Seen(true, serverUuid);
  }

  /** The read missed the write, or saw an older value. */
  public static Seen stale(String serverUuid) {
    return new Seen(false, serverUuid);
  }

  /**
   * Asks in one statement whether a query has rows and which server answers.
   *
   * @param query a SELECT that has a row if, and only if, the write is visible
   * @param parameters the values of its question marks
   */
  public static Seen ifExists(Connection connection, String query, Object... parameters)
      throws SQLException {
    // One statement, because two could be answered by two servers.
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT EXISTS(" + query + "), @@server_uuid")) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return new Seen(row.getBoolean(1), row.getString(2));
      }
    }
  }
}
