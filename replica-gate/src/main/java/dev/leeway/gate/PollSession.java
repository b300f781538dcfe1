package dev.leeway.gate;

import dev.leeway.gate.PollStatement.Piece;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks one server where it stands, over a connection of its own.
 *
 * <p>Used by one thread; {@link #abort} may be called by any.
 */
final class PollSession {
  private static final Logger log = LoggerFactory.getLogger(PollSession.class);
  private static final long RETRY_REFUSED_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long TELL_REFUSED_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final Pattern UUID_TEXT =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");
  private static final Pattern OWNER = Pattern.compile("#\\d+");
  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+).*");

  private final String clusterName;
  private final ServerEndpoint endpoint;
  private final MonitorSettings settings;
  private final LongSupplier clock;

  private volatile @Nullable Connection connection;
  private @Nullable Statement statement;
  private boolean olderNames;
  private long lastAnswerNanos = ServerState.UNKNOWN_NANOS;
  private long connectionId;
  private boolean restarted;

  private final Map<Piece, Refusal> refused = new EnumMap<>(Piece.class);
  private long retryRefusedAtNanos;

  private String executedText = "";
  private GtidSet executed = GtidSet.EMPTY;

  private record Refusal(String why, long sinceNanos, boolean told) {}

  PollSession(
      String clusterName, ServerEndpoint endpoint, MonitorSettings settings, LongSupplier clock) {
    this.clusterName = clusterName;
    this.endpoint = endpoint;
    this.settings = settings;
    this.clock = clock;
  }

  /** Whether there is a connection; it may turn out to be broken. */
  boolean isConnected() {
    return connection != null;
  }

  /**
   * Asks once. After an exception the connection is gone, and the next call opens another.
   *
   * @param source whose heartbeat row to read, if that is known
   * @param connectTimeout bounds each step of connecting, if that is needed
   */
  Sample poll(ClusterModel.@Nullable HeartbeatSource source, Duration connectTimeout)
      throws SQLException {
    boolean answered = false;
    try {
      Statement current = statement;
      if (current == null) {
        current = connect(connectTimeout);
      }
      Sample sample = ask(current, source);
      lastAnswerNanos = sample.receivedNanos();
      restarted = false;
      answered = true;
      return sample;
    } finally {
      if (!answered) {
        abort();
        statement = null;
      }
    }
  }

  /** Ends the connection at once; a poll under way fails. */
  void abort() {
    Connections.abort(connection);
    connection = null;
  }

  private Statement connect(Duration connectTimeout) throws SQLException {
    Connection opened =
        Connections.open(endpoint, "monitor", connectTimeout, settings.pollTimeout());
    connection = opened;
    Statement created = opened.createStatement();
    olderNames = isOlder(opened.getMetaData().getDatabaseProductVersion());
    restarted |= wasRestarted(created);
    statement = created;
    return created;
  }

  /** 8.0.26 renamed what was called slave. */
  static boolean isOlder(String version) {
    Matcher matcher = VERSION.matcher(version);
    if (!matcher.matches()) {
      return false;
    }
    int number =
        Integer.parseInt(matcher.group(1)) * 1_000_000
            + Integer.parseInt(matcher.group(2)) * 1_000
            + Integer.parseInt(matcher.group(3));
    return number < 8_000_026;
  }

  /**
   * A restart always breaks the connection, so it is enough to look when there is a new one. Two
   * things show it, because the first depends on the server's clock: how long the server says it is
   * up, and that it counts its connections anew.
   */
  private boolean wasRestarted(Statement created) throws SQLException {
    long lastConnectionId = connectionId;
    try (ResultSet row = created.executeQuery("SELECT CONNECTION_ID()")) {
      connectionId = row.next() ? row.getLong(1) : 0;
    }
    if (lastAnswerNanos == ServerState.UNKNOWN_NANOS) {
      return false;
    }
    if (connectionId <= lastConnectionId) {
      return true;
    }
    try (ResultSet row = created.executeQuery("SHOW GLOBAL STATUS LIKE 'Uptime'")) {
      if (!row.next()) {
        return true;
      }
      // The server counts whole seconds. One too few makes an undisturbed server prove itself
      // again; one
      // too many would let a restarted one serve unproved.
      long uptimeNanos = TimeUnit.SECONDS.toNanos(row.getLong(2) - 1);
      return uptimeNanos <= clock.getAsLong() - lastAnswerNanos;
    }
  }

  private Sample ask(Statement current, ClusterModel.@Nullable HeartbeatSource source)
      throws SQLException {
    boolean everything = !refused.isEmpty() && clock.getAsLong() - retryRefusedAtNanos >= 0;
    try {
      Set<Piece> without = everything ? Set.of() : refused.keySet();
      Sample sample = read(current, source, without);
      if (everything) {
        tellReadable();
      }
      return sample;
    } catch (SQLException e) {
      if (!PollStatement.isRefusal(e.getErrorCode())) {
        throw e;
      }
    }
    findRefused(current, source);
    return read(current, source, refused.keySet());
  }

  private void findRefused(Statement current, ClusterModel.@Nullable HeartbeatSource source)
      throws SQLException {
    long now = clock.getAsLong();
    for (Piece piece : Piece.values()) {
      Set<Piece> others = EnumSet.allOf(Piece.class);
      others.remove(piece);
      try {
        read(current, source, others);
        refused.remove(piece);
      } catch (SQLException e) {
        if (!PollStatement.isRefusal(e.getErrorCode())) {
          throw e;
        }
        Refusal before = refused.get(piece);
        refused.put(
            piece,
            before == null
                ? new Refusal(Connections.describe(e), now, false)
                : new Refusal(Connections.describe(e), before.sinceNanos(), before.told()));
      }
    }
    retryRefusedAtNanos = now + RETRY_REFUSED_NANOS;
    tellRefused(now);
  }

  /** Says it once, and not before a table that is being created has had its time. */
  private void tellRefused(long now) {
    for (Map.Entry<Piece, Refusal> entry : refused.entrySet()) {
      Refusal refusal = entry.getValue();
      if (!refusal.told() && now - refusal.sinceNanos() >= TELL_REFUSED_NANOS) {
        log.warn(
            "{} - {}: {}: {}. {}",
            clusterName,
            endpoint.name(),
            switch (entry.getKey()) {
              case HEARTBEAT -> "the heartbeat cannot be read";
              case REPLICATION -> "the state of replication cannot be read";
              case COMMIT_ORDER -> "whether the commit order is kept cannot be read";
            },
            refusal.why(),
            switch (entry.getKey()) {
              case HEARTBEAT ->
                  "Staleness is measured by positions alone meanwhile. Let "
                      + endpoint.user()
                      + " read "
                      + settings.heartbeatTable().name()
                      + (settings.heartbeatTable().kind() == HeartbeatTable.Kind.LEEWAY
                          ? ", which is made on the primary by: "
                              + HeartbeatWriter.definition(settings.heartbeatTable())
                          : "");
              case REPLICATION ->
                  "A server that replicates from nobody is not recognised meanwhile. Run: GRANT"
                      + " SELECT ON performance_schema.* TO "
                      + endpoint.user();
              case COMMIT_ORDER -> "The heartbeat is not used on it meanwhile.";
            });
        entry.setValue(new Refusal(refusal.why(), refusal.sinceNanos(), true));
      }
    }
  }

  private void tellReadable() {
    refused.forEach(
        (piece, refusal) -> {
          if (refusal.told()) {
            log.info("{} - {}: {} can be read now", clusterName, endpoint.name(), piece);
          }
        });
    refused.clear();
  }

  private Sample read(
      Statement current, ClusterModel.@Nullable HeartbeatSource source, Set<Piece> without)
      throws SQLException {
    String text = PollStatement.text(source, settings.heartbeatTable(), without, olderNames);
    long sentNanos = clock.getAsLong();
    try (ResultSet row = current.executeQuery(text)) {
      long receivedNanos = clock.getAsLong();
      if (!row.next()) {
        throw new SQLException("the poll's answer has no row (expected: one)");
      }
      return new Sample(
          sentNanos,
          receivedNanos,
          row.getLong(PollStatement.CLOCK_MICROS),
          UUID.fromString(required(row, PollStatement.SERVER_UUID)),
          row.getLong(PollStatement.SERVER_ID),
          row.getBoolean(PollStatement.READ_ONLY),
          row.getBoolean(PollStatement.SUPER_READ_ONLY),
          required(row, PollStatement.GTID_MODE).startsWith("ON"),
          row.getBoolean(PollStatement.COMMIT_ORDER_KEPT),
          restarted,
          owned(required(row, PollStatement.OWNED)),
          executed(required(row, PollStatement.EXECUTED)),
          heartbeat(row, source),
          without.contains(Piece.REPLICATION) ? null : replication(row));
    }
  }

  private static String required(ResultSet row, int column) throws SQLException {
    String value = row.getString(column);
    if (value == null) {
      throw new SQLException(
          "the poll's answer has no value in column " + column + " (expected: one)");
    }
    return value;
  }

  /**
   * Like an executed set, but each number is followed by the thread that owns it, and nothing
   * stands between the last thread of one source and the UUID of the next.
   */
  static @Nullable GtidSet owned(String text) {
    if (text.isEmpty()) {
      return GtidSet.EMPTY;
    }
    try {
      String separated = UUID_TEXT.matcher(text).replaceAll(",$0");
      return GtidSet.parse(OWNER.matcher(separated).replaceAll(""));
    } catch (IllegalArgumentException e) {
      // Without it this poll proves nothing of the replicas; the server itself is well.
      log.warn("gtid_owned '{}' cannot be read: {}", Excerpt.of(text), e.getMessage());
      return null;
    }
  }

  /** The same text is the same set, and on an idle server it is always the same text. */
  private GtidSet executed(String text) throws SQLException {
    if (!text.equals(executedText)) {
      try {
        executed = GtidSet.parse(text);
      } catch (IllegalArgumentException e) {
        throw new SQLException("gtid_executed cannot be read: " + e.getMessage(), e);
      }
      executedText = text;
    }
    return executed;
  }

  private Sample.Heartbeat heartbeat(ResultSet row, ClusterModel.@Nullable HeartbeatSource source)
      throws SQLException {
    HeartbeatTable table = settings.heartbeatTable();
    if (source == null || table.kind() == HeartbeatTable.Kind.NONE) {
      return Sample.Heartbeat.NOT_ASKED;
    }
    String text = row.getString(PollStatement.HEARTBEAT);
    if (text == null) {
      return Sample.Heartbeat.MISSING;
    }
    return table.kind() == HeartbeatTable.Kind.PT_HEARTBEAT
        ? PtHeartbeatTime.parse(text, table.zone())
        : Sample.Heartbeat.at(row.getLong(PollStatement.HEARTBEAT));
  }

  private static Sample.Replication replication(ResultSet row) throws SQLException {
    int channels = row.getInt(PollStatement.CHANNELS);
    String source = row.getString(PollStatement.SOURCE_UUID);
    return new Sample.Replication(
        channels,
        row.getInt(PollStatement.RECEIVING) == channels,
        row.getInt(PollStatement.APPLYING) == channels,
        source == null || source.isBlank() ? null : UUID.fromString(source));
  }
}
