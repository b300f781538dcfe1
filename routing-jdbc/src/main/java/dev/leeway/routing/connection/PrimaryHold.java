package dev.leeway.routing.connection;

import com.zaxxer.hikari.HikariDataSource;
import dev.leeway.routing.NoWritableServerException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;

/** The primary's physical connection of one borrow. */
final class PrimaryHold {
  private final ServerPools server;
  private final HikariDataSource pool;
  private final Connection connection;
  private final WriteSession session;
  private boolean autocommitSwitchedOff;
  private boolean readOnly;
  private boolean dirty;

  private PrimaryHold(
      ServerPools server, HikariDataSource pool, Connection connection, WriteSession session) {
    this.server = server;
    this.pool = pool;
    this.connection = connection;
    this.session = session;
  }

  /**
   * Takes a connection to the primary.
   *
   * <p>Waits in short turns, and asks before each who the primary is: whoever waits at a pool whose
   * server is replaced meanwhile must not wait there to the end.
   *
   * @throws NoWritableServerException if no server is known to take writes, or the one that is does
   *     not let itself be written to
   */
  static PrimaryHold borrow(RoutingCore core) throws SQLException {
    long started = System.nanoTime();
    while (true) {
      ServerPools server = core.pools(core.awaitPrimary());
      HikariDataSource pool = server.writing();
      try {
        Connection connection = pool.getConnection();
        return new PrimaryHold(server, pool, connection, connection.unwrap(WriteSession.class));
      } catch (SQLException e) {
        long waited = System.nanoTime() - started;
        if (!server.mayWaitOn(waited) || core.isClosed()) {
          throw unavailable(core, server, waited, e);
        }
      }
    }
  }

  private static SQLException unavailable(
      RoutingCore core, ServerPools server, long waitedNanos, SQLException failure) {
    Throwable refusal = failure.getCause();
    String why = String.valueOf((refusal == null ? failure : refusal).getMessage());
    String message =
        core.name()
            + " - no connection to "
            + server.name()
            + " that can write, after "
            + TimeUnit.NANOSECONDS.toMillis(waitedNanos)
            + " ms (expected: within "
            + server.writingTimeout().toMillis()
            + " ms). The statement was not sent. ("
            + why.replaceAll("\\s+", " ")
            + ")";
    return new NoWritableServerException(message, failure);
  }

  Connection connection() {
    return connection;
  }

  WriteSession session() {
    return session;
  }

  int server() {
    return server.index();
  }

  String serverName() {
    return server.name();
  }

  /**
   * Whether new statements may still use it: the server is the primary, and its pool is in service.
   */
  boolean isCurrent(int primaryIndex) {
    return server.index() == primaryIndex && server.openedWriting() == pool;
  }

  void autocommit(boolean on) throws SQLException {
    if (on == autocommitSwitchedOff) {
      connection.setAutoCommit(on);
      autocommitSwitchedOff = !on;
    }
  }

  void readOnly(boolean on) throws SQLException {
    if (on != readOnly) {
      connection.setReadOnly(on);
      readOnly = on;
    }
  }

  /** The session holds something that the next borrower must not find. */
  void makeDirty() {
    dirty = true;
  }

  /** Keeps this connection from being used again. */
  void evict() {
    pool.evictConnection(connection);
  }

  /** Keeps every connection of the pool from being used again. */
  void evictAll() {
    evict();
    RoutingCore.evictAll(pool);
  }

  void giveBack() throws SQLException {
    if (dirty || (session.autocommitOff() && !autocommitSwitchedOff)) {
      evict();
    }
    PooledConnections.close(connection);
  }
}
