package dev.leeway.samples.shop.naive;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * A data source that sends {@code SELECT} to some replica and everything else to the primary.
 *
 * <p>A transaction stays on the primary, and so does a {@code SELECT … FOR UPDATE}; that is all it
 * knows. Safe for any number of threads; owns its pools and closes them.
 */
public final class NaiveSplitter implements DataSource, AutoCloseable {
  private final HikariDataSource primary;
  private final List<HikariDataSource> replicas;

  private NaiveSplitter(HikariDataSource primary, List<HikariDataSource> replicas) {
    this.primary = primary;
    this.replicas = List.copyOf(replicas);
  }

  /** One server and how to log in to it. Prints without the password. */
  public record Server(String url, String user, String password) {
    @Override
    public String toString() {
      return url;
    }
  }

  /**
   * Connects to all servers.
   *
   * @param replicas at least one
   * @throws RuntimeException if a server cannot be reached; nothing is left open then
   */
  public static NaiveSplitter over(Server primary, List<Server> replicas) {
    if (replicas.isEmpty()) {
      throw new IllegalArgumentException(
          "naive splitter - no replica was given (expected: at least one)");
    }
    List<HikariDataSource> opened = new ArrayList<>();
    try {
      opened.add(pool("naive-primary", primary));
      for (Server replica : replicas) {
        opened.add(pool("naive-replica-" + opened.size(), replica));
      }
      return new NaiveSplitter(opened.get(0), opened.subList(1, opened.size()));
    } catch (RuntimeException e) {
      opened.forEach(HikariDataSource::close);
      throw e;
    }
  }

  private static HikariDataSource pool(String name, Server server) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setJdbcUrl(server.url());
    config.setUsername(server.user());
    config.setPassword(server.password());
    config.setMaximumPoolSize(8);
    config.setMinimumIdle(1);
    return new HikariDataSource(config);
  }

  @Override
  public Connection getConnection() {
    return SplitConnection.over(primary, this::someReplica);
  }

  private DataSource someReplica() {
    return replicas.get(ThreadLocalRandom.current().nextInt(replicas.size()));
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("naive splitter - the account is the pools'");
  }

  @Override
  public void close() {
    replicas.forEach(HikariDataSource::close);
    primary.close();
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    return primary.getLogWriter();
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    primary.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    primary.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return primary.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    return primary.getParentLogger();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (isWrapperFor(type)) {
      return type.cast(this);
    }
    throw new SQLException("naive splitter - does not wrap a " + type.getName());
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type.isInstance(this);
  }
}
