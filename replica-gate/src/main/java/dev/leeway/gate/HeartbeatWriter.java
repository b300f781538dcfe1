package dev.leeway.gate;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the heartbeat row on the primary, if no other process does.
 *
 * <p>Of all processes that offer themselves, the one that holds a lock of the primary ({@code
 * GET_LOCK}) writes; the others wait for the lock and take over when its session ends. The writer
 * follows the primary when that moves, and never writes on a server that the monitor does not take
 * for the primary or that is read-only.
 *
 * <p>Made by {@link ClusterMonitor}. Safe for use from any thread.
 */
public final class HeartbeatWriter implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HeartbeatWriter.class);
  private static final int LOCK_WAIT_SECONDS = 1;
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(LOCK_WAIT_SECONDS + 2);
  private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long REPAIR_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int MAX_LOCK_NAME = 64;

  private static final int NO_SUCH_TABLE = 1146;
  private static final int NO_SUCH_SCHEMA = 1049;
  private static final Set<Integer> READ_ONLY = Set.of(1290, 1836, 1792);
  private static final Set<Integer> DENIED = Set.of(1044, 1142, 1143, 1227);

  /** Where the writer may write now. */
  record Target(ServerEndpoint endpoint, UUID serverUuid) {}

  private final String clusterName;
  private final HeartbeatTable table;
  private final Duration interval;
  private final boolean createTable;
  private final Supplier<@Nullable Target> target;
  private final Thread thread;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private volatile boolean closed;
  private volatile boolean paused;
  private volatile boolean writing;
  private volatile @Nullable Connection connection;
  private volatile @Nullable String problem;

  /** For the thread alone. */
  private @Nullable Statement statement;

  private @Nullable Target connectedTo;
  private boolean elected;
  private @Nullable String told;

  /**
   * Starts at once.
   *
   * @param target the primary and the account to write with; null while there is no primary
   */
  HeartbeatWriter(String clusterName, MonitorSettings settings, Supplier<@Nullable Target> target) {
    this.clusterName = clusterName;
    this.table = settings.heartbeatTable();
    this.interval = settings.heartbeatInterval();
    this.createTable = settings.createHeartbeatTable();
    this.target = target;
    thread = Threads.daemon("leeway-" + clusterName + "-heartbeat", this::run);
    thread.start();
  }

  /** The statement that makes Leeway's table. */
  public static String definition(HeartbeatTable table) {
    return "CREATE TABLE IF NOT EXISTS "
        + table.quotedName()
        + " (server_uuid CHAR(36) CHARACTER SET ascii NOT NULL PRIMARY KEY, written_at DATETIME(6)"
        + " NOT NULL COMMENT 'UTC')";
  }

  /**
   * Makes Leeway's table, and its schema, if they are missing. Needs CREATE on the schema.
   *
   * @param primary a connection to the primary; it stays open
   * @throws SQLException if the account may not, or the server takes no writes
   */
  public static void createTable(Connection primary, HeartbeatTable table) throws SQLException {
    try (Statement statement = primary.createStatement()) {
      createTable(statement, table);
    }
  }

  /** Stops writing, and lets another process write, until {@link #resume}. */
  public void pause() {
    lock.lock();
    try {
      paused = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Offers this process as the writer again. */
  public void resume() {
    lock.lock();
    try {
      paused = false;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether this process is the one that writes: its last attempt succeeded. */
  public boolean isWriting() {
    return writing;
  }

  /** Why it cannot write, on one line; null if it writes, waits its turn, or is paused. */
  public @Nullable String problem() {
    return problem;
  }

  /** Ends the thread and the connection. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    Connections.abort(connection);
    Threads.awaitEnd(List.of(thread));
  }

  private void run() {
    try {
      while (!closed) {
        long startedNanos = System.nanoTime();
        long pauseNanos = step();
        pauseUntil(startedNanos + pauseNanos);
      }
    } finally {
      disconnect();
    }
  }

  /** Does what is next to be done and returns how long after its start the next step is due. */
  private long step() {
    Target wanted = paused ? null : target.get();
    if (connectedTo != null && !connectedTo.equals(wanted)) {
      disconnect();
    }
    if (wanted == null) {
      problem = null;
      return LOOK_AGAIN_NANOS;
    }
    try {
      Statement current = statement;
      if (current == null) {
        current = connect(wanted);
        if (current == null) {
          return LOOK_AGAIN_NANOS;
        }
      }
      if (!elected) {
        elected = takeLock(current);
        if (!elected) {
          problem = null;
          return 0;
        }
      }
      if (!write(current, wanted)) {
        disconnect();
        return LOOK_AGAIN_NANOS;
      }
      if (!writing) {
        log.info(
            "{} - this process writes the heartbeat on {}", clusterName, wanted.endpoint().name());
      }
      writing = true;
      problem = null;
      told = null;
      return interval.toNanos();
    } catch (SQLException e) {
      return failed(wanted, e);
    }
  }

  private @Nullable Statement connect(Target wanted) throws SQLException {
    Connection opened =
        Connections.open(wanted.endpoint(), "heartbeat", ANSWER_TIMEOUT, ANSWER_TIMEOUT);
    connection = opened;
    Statement created = opened.createStatement();
    statement = created;
    connectedTo = wanted;
    boolean right;
    try (ResultSet row = created.executeQuery("SELECT @@global.server_uuid, @@global.read_only")) {
      right =
          row.next()
              && wanted.serverUuid().toString().equalsIgnoreCase(row.getString(1))
              && !row.getBoolean(2);
    }
    if (!right) {
      // The address leads elsewhere by now, or the primary has just been demoted. The monitor will
      // notice; until then nothing may be written.
      disconnect();
      return null;
    }
    return created;
  }

  private boolean takeLock(Statement current) throws SQLException {
    try (ResultSet row =
        current.executeQuery(
            "SELECT GET_LOCK('" + lockName(table) + "', " + LOCK_WAIT_SECONDS + ")")) {
      return row.next() && row.getInt(1) == 1;
    }
  }

  static String lockName(HeartbeatTable table) {
    String name = "leeway-heartbeat:" + table.name().toLowerCase(Locale.ROOT);
    return name.length() <= MAX_LOCK_NAME
        ? name
        : "leeway-heartbeat#" + Integer.toHexString(name.hashCode());
  }

  /** Returns false if the server turned out to be read-only. */
  private boolean write(Statement current, Target wanted) throws SQLException {
    try {
      return update(current, wanted) > 0;
    } catch (SQLException e) {
      boolean missing = e.getErrorCode() == NO_SUCH_TABLE || e.getErrorCode() == NO_SUCH_SCHEMA;
      if (!missing || !createTable) {
        throw e;
      }
    }
    createTable(current, table);
    log.info("{} - made {} on {}", clusterName, table.name(), wanted.endpoint().name());
    return update(current, wanted) > 0;
  }

  private int update(Statement current, Target wanted) throws SQLException {
    // The condition holds back an account that may write on a read-only server. The UUID is a
    // literal,
    // because under statement-based logging a variable would be evaluated anew on the replicas.
    return current.executeUpdate(
        "INSERT INTO "
            + table.quotedName()
            + " (server_uuid, written_at) SELECT fresh.u, fresh.w FROM (SELECT '"
            + wanted.serverUuid()
            + "' AS u, UTC_TIMESTAMP(6) AS w) AS fresh WHERE @@global.read_only = 0"
            + " ON DUPLICATE KEY UPDATE written_at = fresh.w");
  }

  private static void createTable(Statement current, HeartbeatTable table) throws SQLException {
    try {
      current.executeUpdate(definition(table));
    } catch (SQLException e) {
      if (e.getErrorCode() != NO_SUCH_SCHEMA) {
        throw e;
      }
      current.executeUpdate(schemaDefinition(table));
      current.executeUpdate(definition(table));
    }
  }

  private static String schemaDefinition(HeartbeatTable table) {
    return "CREATE DATABASE IF NOT EXISTS " + table.quotedSchema();
  }

  private long failed(Target wanted, SQLException e) {
    disconnect();
    if (closed) {
      return 0;
    }
    int code = e.getErrorCode();
    if (READ_ONLY.contains(code)) {
      problem = null;
      return LOOK_AGAIN_NANOS;
    }
    String why = wanted.endpoint().name() + ": " + Connections.describe(e);
    problem = why;
    String remedy =
        code == NO_SUCH_TABLE || code == NO_SUCH_SCHEMA
            ? "Make it with: "
                + (code == NO_SUCH_SCHEMA ? schemaDefinition(table) + "; " : "")
                + definition(table)
                + "; or allow it with createHeartbeatTable(true) in the monitor's settings."
            : DENIED.contains(code)
                ? "Run: GRANT SELECT, INSERT, UPDATE"
                    + (createTable ? ", CREATE" : "")
                    + " ON "
                    + (createTable ? table.quotedSchema() + ".*" : table.quotedName())
                    + " TO "
                    + wanted.endpoint().user()
                    + "."
                : "It is tried again.";
    if (!Objects.equals(told, why)) {
      told = why;
      log.warn(
          "{} - the heartbeat cannot be written on {}. Staleness is measured by positions alone"
              + " meanwhile. {}",
          clusterName,
          why,
          remedy);
    }
    return REPAIR_NANOS;
  }

  private void disconnect() {
    writing = false;
    elected = false;
    statement = null;
    connectedTo = null;
    Connection open = connection;
    connection = null;
    // Aborting ends the session, and with it the lock, without waiting for the server.
    Connections.abort(open);
  }

  private void pauseUntil(long deadlineNanos) {
    lock.lock();
    try {
      boolean wasPaused = paused;
      long left = deadlineNanos - System.nanoTime();
      while (!closed && paused == wasPaused && left > 0) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      closed = true;
    } finally {
      lock.unlock();
    }
  }
}
