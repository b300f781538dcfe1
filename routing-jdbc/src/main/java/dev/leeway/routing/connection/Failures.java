package dev.leeway.routing.connection;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/** What an exception of the driver or the pool means for routing. */
final class Failures {
  /** Causes are followed this far; a longer chain has a loop. */
  /** How many causes are looked at. */
  static final int MAX_DEPTH = 8;

  private static final int SERVER_SHUTDOWN = 1053;
  private static final int ABORTING_CONNECTION = 1152;
  private static final int NETWORK_FIRST = 1158;
  private static final int NETWORK_LAST = 1161;
  private static final int LOCK_TABLE_FULL = 1206;
  private static final int DEADLOCK = 1213;
  private static final int READ_ONLY_OPTION = 1290;
  private static final int READ_ONLY_TRANSACTION = 1792;
  private static final int READ_ONLY_MODE = 1836;
  private static final int CONNECTION_KILLED = 1927;
  private static final int GONE_AWAY = 2006;
  private static final int LOST_DURING_QUERY = 2013;
  private static final int SESSION_WAS_KILLED = 3169;
  private static final int DISCONNECTED_FOR_INACTIVITY = 4031;

  private Failures() {}

  /**
   * Whether the connection was lost or never made, as opposed to a statement that was answered with
   * an error. A statement that ran out of its own time is not a lost connection.
   */
  static boolean isConnectionFailure(SQLException failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MAX_DEPTH; depth++) {
      if (cause instanceof SQLTimeoutException) {
        return false;
      }
      if (cause instanceof SQLException sql && saysConnection(sql)) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  private static boolean saysConnection(SQLException failure) {
    String state = failure.getSQLState();
    return (state != null && state.startsWith("08"))
        || failure instanceof SQLTransientConnectionException
        || failure instanceof SQLNonTransientConnectionException
        || failure instanceof SQLRecoverableException
        || switch (failure.getErrorCode()) {
          case SERVER_SHUTDOWN,
              ABORTING_CONNECTION,
              CONNECTION_KILLED,
              GONE_AWAY,
              LOST_DURING_QUERY,
              SESSION_WAS_KILLED,
              DISCONNECTED_FOR_INACTIVITY ->
              true;
          default ->
              failure.getErrorCode() >= NETWORK_FIRST && failure.getErrorCode() <= NETWORK_LAST;
        };
  }

  /**
   * Whether the server has rolled the whole transaction back, although its connection goes on. A
   * lock that was waited for in vain undoes the statement only.
   */
  static boolean isRollbackByServer(SQLException failure) {
    return failure.getErrorCode() == DEADLOCK || failure.getErrorCode() == LOCK_TABLE_FULL;
  }

  /** Whether the server refused to write because of what it is, not because of what was written. */
  static boolean isReadOnlyServer(SQLException failure) {
    return switch (failure.getErrorCode()) {
      case READ_ONLY_MODE, READ_ONLY_TRANSACTION -> true;
      // The same code says that other options forbid something, such as secure_file_priv.
      case READ_ONLY_OPTION -> says(failure.getMessage(), "read-only");
      default -> false;
    };
  }

  private static boolean says(@Nullable String message, String words) {
    return message != null && message.contains(words);
  }

  /** The first exception of a type among the causes. */
  static <T extends Throwable> @Nullable T causeOf(Throwable failure, Class<T> type) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MAX_DEPTH; depth++) {
      if (type.isInstance(cause)) {
        return type.cast(cause);
      }
      cause = cause.getCause();
    }
    return null;
  }
}
