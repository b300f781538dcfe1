package dev.leeway.routing.connection;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;

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

  static PrimaryHold borrowFrom(ServerPools server) throws SQLException {
    HikariDataSource pool = server.writing();
    Connection connection = pool.getConnection();
    return new PrimaryHold(server, pool, connection, connection.unwrap(WriteSession.class));
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
    connection.close();
  }
}
