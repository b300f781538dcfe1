package dev.leeway.routing.connection;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A replica's physical connection, taken from its pool. Belongs to one borrow at a time, or to the
 * {@link ConnectionShelf} between two of them.
 */
final class ReplicaHold {
  private final ServerPools server;
  private final ReadingPool pool;
  private final Connection pooled;
  private final Connection driver;

  /** When it was taken from its pool, in sweeps of the shelf. */
  private final int takenAtSweep;

  private boolean distrusted;

  ReplicaHold(ServerPools server, ReadingPool pool, long nowNanos, boolean elsewhere)
      throws SQLException {
    this.server = server;
    this.pool = pool;
    this.takenAtSweep = pool.shelf().sweeps();
    this.pooled = pool.take(nowNanos, elsewhere);
    this.driver = pooled.unwrap(Connection.class);
  }

  ServerPools server() {
    return server;
  }

  ReadingPool pool() {
    return pool;
  }

  /**
   * The driver's own connection, on which statements are made. What the pool's wrappers do for a
   * statement, which is to close it and to notice that the connection broke, is done by {@link
   * RoutedConnection}; those wrappers and their locks cost more than the rest of a read.
   */
  Connection driver() {
    return driver;
  }

  /**
   * The pool's wrapper, for settings that the pool takes back when the connection is given back.
   */
  Connection pooled() {
    return pooled;
  }

  int takenAtSweep() {
    return takenAtSweep;
  }

  /** Something has failed on it, so that it must not be used by anybody else. */
  void distrust() {
    distrusted = true;
  }

  boolean isDistrusted() {
    return distrusted;
  }

  /** Gives it back to its pool; if it broke, to be closed there. */
  void giveBack() throws SQLException {
    if (driver.isClosed()) {
      pool.connections().evictConnection(pooled);
    }
    PooledConnections.close(pooled);
  }

  /** Has its pool close it without its being given back. */
  void letGo() {
    pool.connections().evictConnection(pooled);
  }

  /** Gives it back to its pool to be closed. */
  void evict() throws SQLException {
    pool.connections().evictConnection(pooled);
    PooledConnections.close(pooled);
  }
}
