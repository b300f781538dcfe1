package dev.leeway.routing.connection;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leeway.routing.PoolSettings;
import dev.leeway.routing.decide.ServerLoad;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The pools of one server: one for reading while it is a replica, one for writing while it is the
 * primary. Each is made when it is first needed. Thread-safe.
 */
final class ServerPools implements AutoCloseable {
  /** After this long at the latest, whoever waits for the primary asks again who it is. */
  private static final long LONGEST_TURN_MILLIS = 500;

  private final String leeway;
  private final String name;
  private final int index;
  private final ConnectionSource source;
  private final String database;
  private final PoolSettings settings;
  private final ServerLoad load;
  private volatile @Nullable HikariDataSource reading;
  private volatile @Nullable ConnectionShelf shelf;
  private volatile @Nullable HikariDataSource writing;
  private boolean closed;

  ServerPools(
      String leeway,
      String name,
      int index,
      ConnectionSource source,
      String database,
      PoolSettings settings,
      ServerLoad load) {
    this.leeway = leeway;
    this.name = name;
    this.index = index;
    this.source = source;
    this.database = database;
    this.settings = settings;
    this.load = load;
  }

  String name() {
    return name;
  }

  int index() {
    return index;
  }

  ServerLoad load() {
    return load;
  }

  ConnectionSource source() {
    return source;
  }

  /** How long a statement waits for a connection of the writing pool in all. */
  Duration writingTimeout() {
    return settings.writingTimeout();
  }

  /**
   * Whether whoever has waited this long for a connection of the writing pool may go on waiting.
   */
  boolean mayWaitOn(long waitedNanos) {
    return waitedNanos < settings.writingTimeout().toNanos();
  }

  HikariDataSource reading() throws SQLException {
    HikariDataSource pool = reading;
    return pool != null ? pool : openReading();
  }

  HikariDataSource writing() throws SQLException {
    HikariDataSource pool = writing;
    return pool != null ? pool : openWriting();
  }

  /** The writing pool if there is one. */
  @Nullable HikariDataSource openedWriting() {
    return writing;
  }

  /** The reading pool if there is one. */
  @Nullable HikariDataSource openedReading() {
    return reading;
  }

  /**
   * Takes a connection for reading.
   *
   * @param nowNanos the moment of the decision
   */
  ReplicaHold takeReading(long nowNanos) throws SQLException {
    ConnectionShelf ready = shelf;
    if (ready != null) {
      ReplicaHold taken = ready.take(nowNanos);
      if (taken != null) {
        return taken;
      }
    }
    HikariDataSource pool = reading();
    ready = shelf;
    return new ReplicaHold(this, pool, ready == null ? 0 : ready.sweeps());
  }

  /** Gives a connection back on which nothing was set and nothing failed. */
  void giveReadingBack(ReplicaHold hold) throws SQLException {
    ConnectionShelf ready = shelf;
    if (ready == null || hold.driver().isClosed() || !ready.put(hold)) {
      hold.giveBack();
    }
  }

  /** Gives what lies on the shelf back to the pool. */
  void sweep() {
    ConnectionShelf ready = shelf;
    if (ready != null) {
      ready.sweep();
    }
  }

  private synchronized HikariDataSource openReading() throws SQLException {
    HikariDataSource pool = reading;
    if (pool == null) {
      HikariConfig config = config("read", source::openReading, settings.maximumReading());
      config.setConnectionTimeout(settings.readingTimeout().toMillis());
      // Says what the sessions are, so that the pool does not switch them back to read-write.
      config.setReadOnly(true);
      pool = new HikariDataSource(config);
      shelf = new ConnectionShelf(pool);
      reading = pool;
    }
    return pool;
  }

  private synchronized HikariDataSource openWriting() throws SQLException {
    HikariDataSource pool = writing;
    if (pool == null) {
      HikariConfig config = config("write", source::openWriting, settings.maximumWriting());
      config.setConnectionTimeout(
          Math.min(settings.writingTimeout().toMillis(), LONGEST_TURN_MILLIS));
      pool = new HikariDataSource(config);
      writing = pool;
    }
    return pool;
  }

  private HikariConfig config(String purpose, OpeningDataSource.Opening opening, int maximum)
      throws SQLException {
    if (closed) {
      throw new SQLException(leeway + " - it is closed (expected: an open one)", "08003");
    }
    HikariConfig config = new HikariConfig();
    config.setPoolName(leeway + "-" + name + "-" + purpose);
    config.setDataSource(new OpeningDataSource(opening));
    config.setMaximumPoolSize(maximum);
    config.setMinimumIdle(Math.min(settings.minimumIdle(), maximum));
    config.setMaxLifetime(settings.maxLifetime().toMillis());
    config.setValidationTimeout(250);
    if (!database.isEmpty()) {
      // Without it the pool would not take a changed catalog back.
      config.setCatalog(database);
    }
    // A server that is down must not keep the application from starting or from failing over.
    config.setInitializationFailTimeout(-1);
    return config;
  }

  /** Takes the writing pool away: the server is not the primary any more. The caller closes it. */
  synchronized @Nullable HikariDataSource retireWriting() {
    HikariDataSource pool = writing;
    writing = null;
    return pool;
  }

  /** Takes the reading pool away: the server is not a replica any more. The caller closes it. */
  synchronized @Nullable HikariDataSource retireReading() {
    HikariDataSource pool = reading;
    ConnectionShelf old = shelf;
    reading = null;
    shelf = null;
    if (old != null) {
      old.close();
    }
    return pool;
  }

  /** Opens a connection that is not pooled, for the caller to close. */
  Connection openUnpooled() throws SQLException {
    return source.openReading();
  }

  @Override
  public void close() {
    HikariDataSource oldReading;
    HikariDataSource oldWriting;
    synchronized (this) {
      closed = true;
      oldReading = retireReading();
      oldWriting = retireWriting();
    }
    if (oldReading != null) {
      oldReading.close();
    }
    if (oldWriting != null) {
      oldWriting.close();
    }
  }
}
