package dev.leeway.testkit.drill;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sees from outside whether a write was left uncommitted, as it is when a transaction surrounds the
 * whole drill. Inside one, every read sees its own write on the primary's connection, and the drill
 * would praise any router.
 */
final class OpenTransactions {
  /** How long a transaction may stay open after the write returned: for a commit under way. */
  private static final Duration GRACE = Duration.ofMillis(500);

  /** InnoDB shows an old list to whoever asks less than 100 ms after the last one. */
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(120);

  private static final int NO_PRIVILEGE = 1227;

  private final DrillTopology topology;
  private final Look before;

  /**
   * What the primary shows at one moment.
   *
   * @param executed its executed GTIDs; null without GTIDs
   * @param changedRows rows changed in open transactions, by connection; empty without the
   *     privilege PROCESS
   */
  private record Look(@Nullable String executed, Map<Long, Long> changedRows) {}

  private OpenTransactions(DrillTopology topology, Look before) {
    this.topology = topology;
    this.before = before;
  }

  /** Notes what is open before the write. */
  static OpenTransactions before(DrillTopology topology) throws SQLException {
    // Somebody may have looked just now, and what he saw would be shown again.
    LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    return new OpenTransactions(topology, look(topology));
  }

  /** Why what was written since then cannot have been committed; empty if it can. */
  Optional<String> whatIsWrong() throws SQLException {
    long deadline = System.nanoTime() + GRACE.toNanos();
    while (true) {
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
      Look now = look(topology);
      Optional<String> wrong = compare(now);
      if (wrong.isEmpty() || System.nanoTime() >= deadline) {
        return wrong;
      }
    }
  }

  private Optional<String> compare(Look now) {
    for (Map.Entry<Long, Long> entry : now.changedRows().entrySet()) {
      if (entry.getValue() > before.changedRows().getOrDefault(entry.getKey(), 0L)) {
        return Optional.of(
            "connection " + entry.getKey() + " of the primary has changes it has not committed");
      }
    }
    if (now.executed() != null && now.executed().equals(before.executed())) {
      return Optional.of("the primary has committed nothing");
    }
    return Optional.empty();
  }

  private static Look look(DrillTopology topology) throws SQLException {
    try (Connection connection = topology.lookAtPrimary();
        Statement statement = connection.createStatement()) {
      return new Look(executed(statement), changedRows(statement));
    }
  }

  private static @Nullable String executed(Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            "SELECT IF(@@global.gtid_mode='ON', @@global.gtid_executed, NULL)")) {
      row.next();
      return row.getString(1);
    }
  }

  private static Map<Long, Long> changedRows(Statement statement) throws SQLException {
    Map<Long, Long> changed = new HashMap<>();
    try (ResultSet rows =
        statement.executeQuery(
            "SELECT trx_mysql_thread_id, trx_rows_modified FROM information_schema.innodb_trx"
                + " WHERE trx_rows_modified > 0")) {
      while (rows.next()) {
        changed.put(rows.getLong(1), rows.getLong(2));
      }
    } catch (SQLException e) {
      if (e.getErrorCode() != NO_PRIVILEGE) {
        throw e;
      }
    }
    return changed;
  }
}
