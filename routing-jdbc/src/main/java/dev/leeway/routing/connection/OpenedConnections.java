package dev.leeway.routing.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The driver's connections that a pool has opened and not yet closed, whether at rest or in use.
 * Thread-safe. Asked and told only when a connection is opened, so that borrowing costs nothing.
 */
final class OpenedConnections {
  private final Set<Connection> open = ConcurrentHashMap.newKeySet();

  Connection opened(Connection connection) {
    open.removeIf(OpenedConnections::isClosed);
    open.add(connection);
    return connection;
  }

  private static boolean isClosed(Connection connection) {
    try {
      return connection.isClosed();
    } catch (SQLException e) {
      return true;
    }
  }

  /**
   * Cuts all of them, so that whoever waits for an answer waits no longer.
   *
   * @return how many there were
   */
  int cut() {
    int cut = 0;
    for (Connection connection : open) {
      if (open.remove(connection) && !isClosed(connection)) {
        try {
          connection.abort(Runnable::run);
          cut++;
        } catch (SQLException e) {
          // It has been closed meanwhile.
          continue;
        }
      }
    }
    return cut;
  }
}
