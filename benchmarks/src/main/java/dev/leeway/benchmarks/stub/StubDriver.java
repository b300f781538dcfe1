package dev.leeway.benchmarks.stub;

import java.io.PrintWriter;
import java.lang.reflect.Constructor;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Map;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A data source whose connections do nothing: every result set has one row with the number 1.
 *
 * <p>Thread-safe; each connection belongs to one thread at a time.
 */
public final class StubDriver implements DataSource {
  private static final Constructor<? extends Connection> CONNECTION = compile();

  private static Constructor<? extends Connection> compile() {
    StubClasses stubs = new StubClasses();
    stubs.add("StubMetaData", DatabaseMetaData.class, "", Map.of());
    stubs.add(
        "StubResultSet",
        ResultSet.class,
        "private boolean seen;",
        Map.of("next", "boolean first = !seen; seen = true; return first;", "getInt", "return 1;"));
    stubs.add(
        "StubPreparedStatement",
        PreparedStatement.class,
        "private final java.sql.Connection c; StubPreparedStatement(java.sql.Connection c) { this.c = c; }",
        Map.of("executeQuery", "return new StubResultSet();", "getConnection", "return c;"));
    stubs.add(
        "StubStatement",
        Statement.class,
        "",
        Map.of("executeQuery", "return new StubResultSet();"));
    stubs.add(
        "StubConnection",
        Connection.class,
        "private boolean autoCommit = true;",
        Map.of(
            "prepareStatement", "return new StubPreparedStatement(this);",
            "createStatement", "return new StubStatement();",
            "getMetaData", "return new StubMetaData();",
            "getAutoCommit", "return autoCommit;",
            "setAutoCommit", "autoCommit = p0;",
            "isValid", "return true;"));
    stubs.compile();
    try {
      return stubs.loadClass("StubConnection").asSubclass(Connection.class).getConstructor();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the compiled stub connection is not usable", e);
    }
  }

  @Override
  public Connection getConnection() throws SQLException {
    try {
      return CONNECTION.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new SQLException("the stub connection could not be made", e);
    }
  }

  @Override
  public Connection getConnection(String username, String password) throws SQLException {
    return getConnection();
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(PrintWriter out) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("the stub driver does not log");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("the stub driver wraps nothing (asked for " + type.getName() + ")");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
