package dev.leeway.cli.drill;

import dev.leeway.gate.ServerEndpoint;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Says of a server's failure what whoever named that server in a file wants to know: which server,
 * where, why, and what to do. The driver alone says "Communications link failure" of all of them.
 */
final class ServerFailure {
  private static final int ACCESS_DENIED = 1045;
  private static final int UNKNOWN_SCHEMA = 1049;
  private static final String PREFIX = "jdbc:mysql://";

  private ServerFailure() {}

  /** The same failure, to connect to this server, in a message of one line. */
  static SQLException connecting(ServerEndpoint server, SQLException e) {
    return new SQLException(
        "drill - %s (%s): %s. %s"
            .formatted(server.name(), address(server.jdbcUrl()), cause(e), advice(e)),
        e.getSQLState(),
        e.getErrorCode(),
        e);
  }

  /** Whether the server gave no answer, rather than one that says no. */
  static boolean isSilence(SQLException e) {
    return e.getSQLState() == null || e.getSQLState().startsWith("08");
  }

  /** What lies behind it, in the first line of its message and without a full stop. */
  static String cause(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String text = firstLine(root);
    if (root instanceof UnknownHostException) {
      return "the host is not known (" + text + ")";
    }
    return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
  }

  private static String advice(SQLException e) {
    if (e.getErrorCode() == ACCESS_DENIED) {
      return "Check user and password of this server.";
    }
    if (e.getErrorCode() == UNKNOWN_SCHEMA) {
      return "Check the schema in its url, or leave it out.";
    }
    if (has(e, UnknownHostException.class)) {
      return "Check the host in its url.";
    }
    if (has(e, ConnectException.class)) {
      return "Is MySQL running there? Check host and port in its url.";
    }
    if (has(e, SocketTimeoutException.class)) {
      return "Is it up, and does a firewall let connections through?";
    }
    return isSilence(e)
        ? "See how all servers do with: leeway lag"
        : "A drill needs every server that the file names.";
  }

  private static boolean has(Throwable e, Class<? extends Throwable> type) {
    for (@Nullable Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return true;
      }
    }
    return false;
  }

  private static String address(String url) {
    return url.substring(PREFIX.length()).split("[/?]", 2)[0];
  }

  private static String firstLine(Throwable e) {
    return e.getMessage() == null
        ? e.getClass().getSimpleName()
        : e.getMessage().strip().lines().findFirst().orElse("").strip();
  }
}
