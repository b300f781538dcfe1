package dev.leeway.gate;

import com.mysql.cj.jdbc.Driver;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Opens the monitor's own connections, which must neither hang nor depend on the application's URL.
 */
final class Connections {
  /** How long a server keeps a session that says nothing. Ours say something every second. */
  static final int SERVER_GIVES_UP_SECONDS = 60;

  private Connections() {}

  /**
   * A connection that gives up instead of hanging. It belongs to the caller.
   *
   * @param purpose what it is for, shown to the server's operator as a connection attribute
   * @param connectTimeout bounds each step of connecting and logging in
   * @param answerTimeout bounds each answer from then on
   */
  static Connection open(
      ServerEndpoint endpoint, String purpose, Duration connectTimeout, Duration answerTimeout)
      throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", endpoint.user());
    properties.setProperty("password", endpoint.password());
    properties.setProperty("connectTimeout", millis(connectTimeout));
    properties.setProperty("socketTimeout", millis(connectTimeout));
    properties.setProperty("connectionAttributes", "program_name:leeway-" + purpose);
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("autoReconnect", "false");
    // The schema of the application's URL may be missing on a server that lags, or be none of this
    // account's business; nothing here needs one.
    properties.setProperty("dbname", "");
    properties.setProperty("forceConnectionTimeZoneToSession", "false");
    // If this process or its machine vanishes, the server ends the session and frees its locks
    // soon.
    properties.setProperty("sessionVariables", "wait_timeout=" + SERVER_GIVES_UP_SECONDS);
    properties.setProperty("createDatabaseIfNotExist", "false");
    Connection connection = new Driver().connect(endpoint.jdbcUrl(), properties);
    if (connection == null) {
      throw new SQLException(
          "Server '" + endpoint.name() + "' - Connector/J does not accept its URL", "08001");
    }
    try {
      connection.setNetworkTimeout(Runnable::run, Math.max(1, (int) answerTimeout.toMillis()));
      return connection;
    } catch (SQLException | RuntimeException e) {
      abort(connection);
      throw e;
    }
  }

  /** Closes the socket at once; a server that does not answer cannot delay it. */
  static void abort(@Nullable Connection connection) {
    if (connection == null) {
      return;
    }
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      // It is gone already, which is all that was wanted.
    }
  }

  /** Whether the answer did not come in time, rather than that the connection broke. */
  static boolean isTimeout(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SocketTimeoutException) {
        return true;
      }
    }
    return false;
  }

  /** Whether the connection is of no more use after this. */
  static boolean isBroken(SQLException failure) {
    String state = failure.getSQLState();
    return state == null || state.startsWith("08") || isTimeout(failure);
  }

  /** The failure on one line, with what lies behind it. */
  static String describe(Throwable failure) {
    StringBuilder text = new StringBuilder(firstLine(failure));
    Throwable root = failure;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    if (root != failure) {
      text.append(" (").append(firstLine(root)).append(')');
    }
    if (failure instanceof SQLException sql && sql.getErrorCode() != 0) {
      text.append(" [error ").append(sql.getErrorCode()).append(']');
    }
    return text.toString();
  }

  private static String firstLine(Throwable failure) {
    String message = failure.getMessage();
    if (message == null || message.isBlank()) {
      return failure.getClass().getSimpleName();
    }
    return message.strip().lines().findFirst().orElse("").strip();
  }

  private static String millis(Duration duration) {
    return Long.toString(Math.max(1, Math.min(Integer.MAX_VALUE, duration.toMillis())));
  }
}
