package dev.leeway.gate;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Waits on one replica, over a connection of its own, until it has executed a set.
 *
 * <p>Used by one thread; {@link #abort} may be called by any.
 */
final class WaitSession {
  /** The longest wait that is asked of the server in one statement. */
  static final Duration LONGEST_SLICE = Duration.ofSeconds(1);

  private final ServerEndpoint endpoint;
  private final Duration answerTimeout;
  private volatile @Nullable Connection connection;
  private @Nullable Statement statement;
  private long generation;

  /** What the replica said after the wait. */
  record Answer(UUID serverUuid, GtidSet executed) {}

  WaitSession(ServerEndpoint endpoint, Duration pollTimeout) {
    this.endpoint = endpoint;
    this.answerTimeout = pollTimeout;
  }

  /** The server's generation when the connection was opened. */
  long generation() {
    return generation;
  }

  /** Connects, unless there is a connection of this generation. */
  void connect(long wantedGeneration) throws SQLException {
    if (statement != null && generation == wantedGeneration) {
      return;
    }
    close();
    Connection opened =
        Connections.open(endpoint, "gate", answerTimeout, LONGEST_SLICE.plus(answerTimeout));
    connection = opened;
    statement = opened.createStatement();
    generation = wantedGeneration;
  }

  /**
   * Waits until the replica has executed {@code target}, but no longer than the slice.
   *
   * @param sliceNanos more than zero; the server takes zero for ever
   */
  Answer await(GtidSet target, long sliceNanos) throws SQLException {
    Statement current = statement;
    if (current == null) {
      throw new SQLException("not connected", "08003");
    }
    long millis =
        Math.max(1, Math.min(LONGEST_SLICE.toMillis(), TimeUnit.NANOSECONDS.toMillis(sliceNanos)));
    // The columns are evaluated from left to right, so the set is read after the wait. Nothing
    // depends
    // on it: what counts is the set, and a set read too early is only smaller.
    String text =
        String.format(
            Locale.ROOT,
            "SELECT WAIT_FOR_EXECUTED_GTID_SET('%s', %d.%03d), @@global.gtid_executed,"
                + " @@global.server_uuid",
            target,
            millis / 1_000,
            millis % 1_000);
    try (ResultSet row = current.executeQuery(text)) {
      if (!row.next()) {
        throw new SQLException("the wait's answer has no row (expected: one)");
      }
      boolean reached = row.getInt(1) == 0 && !row.wasNull();
      String executedText = row.getString(2);
      String uuid = row.getString(3);
      if (executedText == null || uuid == null) {
        throw new SQLException("the wait's answer lacks a value (expected: a set and a UUID)");
      }
      GtidSet executed = GtidSet.parse(executedText);
      return new Answer(UUID.fromString(uuid), reached ? executed.union(target) : executed);
    } catch (IllegalArgumentException e) {
      throw new SQLException("the wait's answer cannot be read: " + e.getMessage(), e);
    }
  }

  /** Keeps the server from ending a session that says nothing. */
  void ping() throws SQLException {
    Statement current = statement;
    if (current != null) {
      current.execute("DO 0");
    }
  }

  boolean isConnected() {
    return statement != null;
  }

  /** Ends the connection; by the using thread. */
  void close() {
    statement = null;
    abort();
  }

  /** Ends the connection at once; a wait under way fails. */
  void abort() {
    Connections.abort(connection);
    connection = null;
  }
}
