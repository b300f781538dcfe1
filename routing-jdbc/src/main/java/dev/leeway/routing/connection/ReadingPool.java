package dev.leeway.routing.connection;

import com.zaxxer.hikari.HikariDataSource;
import dev.leeway.routing.decide.Moments;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Connections for reading, all to one server: the one that answered at its address when the pool
 * was made. Thread-safe.
 */
final class ReadingPool {
  /**
   * After a wait in vain, whoever comes within this time does not wait, unless the pool has got a
   * connection since. A server that is full or has locked the account answers its monitor as ever,
   * so that reads keep being sent to it; one of them a second is enough to see that it is better.
   */
  private static final long WAIT_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private volatile long waitedInVainAtNanos = Moments.NEVER;
  private final HikariDataSource connections;
  private final ConnectionShelf shelf;
  private final OpenedConnections opened;
  private final @Nullable UUID server;

  ReadingPool(HikariDataSource connections, OpenedConnections opened, @Nullable UUID server) {
    this.connections = connections;
    this.opened = opened;
    this.shelf = new ConnectionShelf(connections);
    this.server = server;
  }

  HikariDataSource connections() {
    return connections;
  }

  ConnectionShelf shelf() {
    return shelf;
  }

  OpenedConnections opened() {
    return opened;
  }

  /**
   * Takes a connection, or waits for one.
   *
   * @param nowNanos when it is asked for
   * @param elsewhere whether the read will be made elsewhere if there is none
   * @throws SQLTransientConnectionException if none was to be had in time, or it is no use to wait
   */
  Connection take(long nowNanos, boolean elsewhere) throws SQLException {
    long inVain = waitedInVainAtNanos;
    if (elsewhere
        && inVain != Moments.NEVER
        && nowNanos - inVain < WAIT_AGAIN_NANOS
        && connections.getHikariPoolMXBean().getTotalConnections() == 0) {
      throw new SQLTransientConnectionException(
          connections.getPoolName()
              + " - the server has given no connection for a while, so this read did not wait for one"
              + " (tried again every "
              + TimeUnit.NANOSECONDS.toMillis(WAIT_AGAIN_NANOS)
              + " ms)",
          "08001");
    }
    try {
      return connections.getConnection();
    } catch (SQLTransientConnectionException e) {
      waitedInVainAtNanos = System.nanoTime();
      throw e;
    }
  }

  /** Whether its connections lead to the server of this {@code server_uuid}. */
  boolean leadsTo(@Nullable UUID uuid) {
    return server == uuid || Objects.equals(server, uuid);
  }
}
