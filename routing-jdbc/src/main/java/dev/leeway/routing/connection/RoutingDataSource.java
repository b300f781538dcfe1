package dev.leeway.routing.connection;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Hands out connections that find their server when a statement runs. Thread-safe. */
public final class RoutingDataSource implements DataSource {
  private final RoutingCore core;

  /** Over a core that the caller owns. */
  public RoutingDataSource(RoutingCore core) {
    this.core = core;
  }

  @Override
  public Connection getConnection() throws SQLException {
    if (core.isClosed()) {
      throw new SQLException(core.name() + " - it is closed (expected: an open one)", "08003");
    }
    return new RoutedConnection(core);
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException(
        core.name() + " - connections for another account than the configured one");
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) {
    // Leeway logs through SLF4J.
  }

  @Override
  public void setLoginTimeout(int seconds) {
    // PoolSettings says how long a statement waits for a connection.
  }

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException(core.name() + " - java.util.logging");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw new SQLException(core.name() + " - the data source wraps no " + type.getName());
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type.isInstance(this);
  }

  @Override
  public String toString() {
    return core.name() + " routing data source";
  }
}
