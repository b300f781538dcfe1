package dev.leeway.routing.connection;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leeway.routing.PoolSettings;
import dev.leeway.routing.decide.ServerLoad;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
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
  private final Supplier<@Nullable UUID> measured;
  private final Consumer<HikariDataSource> outlived;
  private volatile @Nullable ReadingPool reading;
  private volatile @Nullable HikariDataSource writing;
  private @Nullable UUID writingTo;
  private boolean closed;

  /**
   * Opens nothing yet.
   *
   * @param measured the uuid of the server that the monitor measures here; null if it has not
   *     answered
   * @param outlived takes a pool for reading whose server is another one now, to close it when
   *     nobody reads from it any more
   */
  ServerPools(
      String leeway,
      String name,
      int index,
      ConnectionSource source,
      String database,
      PoolSettings settings,
      ServerLoad load,
      Supplier<@Nullable UUID> measured,
      Consumer<HikariDataSource> outlived) {
    this.leeway = leeway;
    this.name = name;
    this.index = index;
    this.source = source;
    this.database = database;
    this.settings = settings;
    this.load = load;
    this.measured = measured;
    this.outlived = outlived;
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

  HikariDataSource writing() throws SQLException {
    HikariDataSource pool = writing;
    return pool != null ? pool : openWriting();
  }

  /** The writing pool if there is one. */
  @Nullable HikariDataSource openedWriting() {
    return writing;
  }

  /** The reading pool if there is one. */
  @Nullable ReadingPool openedReading() {
    return reading;
  }

  /**
   * Takes a connection for reading.
   *
   * <p>A name can lead to another server than before while connections to the former one are still
   * open. What was decided about the one must not be read from the other.
   *
   * @param nowNanos the moment of the decision
   * @param decidedAbout the uuid of the server that the decision was about
   * @param elsewhere whether the read will be made elsewhere if there is none, so that it need not
   *     wait for a server that has given nobody a connection for a while
   * @throws SQLTransientConnectionException if there is none, or another server has taken its place
   */
  ReplicaHold takeReading(long nowNanos, @Nullable UUID decidedAbout, boolean elsewhere)
      throws SQLException {
    ReadingPool pool = reading;
    if (pool == null || !pool.leadsTo(decidedAbout)) {
      pool = openReading();
      if (!pool.leadsTo(decidedAbout)) {
        throw new SQLTransientConnectionException(
            leeway
                + " - another server has taken the place of "
                + name
                + " since the read was decided about (expected: server_uuid "
                + decidedAbout
                + ")",
            "08004");
      }
    }
    ReplicaHold taken = pool.shelf().take(nowNanos);
    return taken != null ? taken : new ReplicaHold(this, pool, nowNanos, elsewhere);
  }

  /** Gives a connection back on which nothing was set and nothing failed. */
  void giveReadingBack(ReplicaHold hold) throws SQLException {
    if (hold.driver().isClosed() || !hold.pool().shelf().put(hold)) {
      hold.giveBack();
    }
  }

  /** Gives what lies on the shelf back to the pool. */
  void sweep() {
    ReadingPool pool = reading;
    if (pool != null) {
      pool.shelf().sweep();
    }
  }

  private synchronized ReadingPool openReading() throws SQLException {
    ReadingPool pool = reading;
    UUID now = measured.get();
    if (pool != null && pool.leadsTo(now)) {
      return pool;
    }
    OpenedConnections opened = new OpenedConnections();
    HikariConfig config =
        config("read", () -> opened.opened(source.openReading()), settings.maximumReading());
    config.setConnectionTimeout(settings.readingTimeout().toMillis());
    // Says what the sessions are, so that the pool does not switch them back to read-write.
    config.setReadOnly(true);
    HikariDataSource old = retireReading();
    pool = new ReadingPool(new HikariDataSource(config), opened, now);
    reading = pool;
    if (old != null) {
      outlived.accept(old);
    }
    return pool;
  }

  private synchronized HikariDataSource openWriting() throws SQLException {
    HikariDataSource pool = writing;
    if (pool == null) {
      HikariConfig config = config("write", source::openWriting, settings.maximumWriting());
      config.setConnectionTimeout(
          Math.min(settings.writingTimeout().toMillis(), LONGEST_TURN_MILLIS));
      writingTo = measured.get();
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

  /**
   * Takes the writing pool away if the server's name leads to another server since it was made: the
   * former one may still take writes. The caller closes it.
   */
  synchronized @Nullable HikariDataSource retireWritingToAnother() {
    return Objects.equals(writingTo, measured.get()) ? null : retireWriting();
  }

  /** Takes the reading pool away: the server is not a replica any more. The caller closes it. */
  synchronized @Nullable HikariDataSource retireReading() {
    ReadingPool pool = reading;
    reading = null;
    if (pool == null) {
      return null;
    }
    pool.shelf().close();
    return pool.connections();
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
