package dev.leeway.routing.connection;

import java.sql.Connection;
import java.sql.SQLException;

/** What HikariCP does not do by itself. */
final class PooledConnections {
  private PooledConnections() {}

  /**
   * Gives a connection back.
   *
   * <p>A pool that is closed while its connections are in use takes the driver's connection out of
   * them, and then fails with a NullPointerException when they are given back.
   */
  static void close(Connection pooled) throws SQLException {
    try {
      pooled.close();
    } catch (NullPointerException e) {
      throw new SQLException("the pool was closed while the connection was in use", "08003", e);
    }
  }
}
