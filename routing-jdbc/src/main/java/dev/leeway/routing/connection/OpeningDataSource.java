package dev.leeway.routing.connection;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What HikariCP asks for new connections. */
final class OpeningDataSource implements DataSource {
  /** Opens one connection. */
  interface Opening {
    Connection open() throws SQLException;
  }

  private final Opening opening;
  private volatile int loginTimeoutSeconds;

  OpeningDataSource(Opening opening) {
    this.opening = opening;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return opening.open();
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("other accounts than the configured one");
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
    // Each attempt has bounds of its own. The pool only asks for this one back when it is closed:
    // so
    // long it waits for attempts under way, and for none if it is told zero.
    loginTimeoutSeconds = seconds;
  }

  @Override
  public int getLoginTimeout() {
    return loginTimeoutSeconds;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("java.util.logging");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("wraps nothing of type " + type.getName());
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
