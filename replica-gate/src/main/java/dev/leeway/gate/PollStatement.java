package dev.leeway.gate;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The text of the one statement that a poll consists of.
 *
 * <p>Each piece that needs a privilege, a table or a newer server can be left out; its column then
 * is NULL, so that the columns keep their places.
 */
final class PollStatement {
  static final int CLOCK_MICROS = 1;
  static final int SERVER_UUID = 2;
  static final int SERVER_ID = 3;
  static final int READ_ONLY = 4;
  static final int SUPER_READ_ONLY = 5;
  static final int GTID_MODE = 6;
  static final int OWNED = 7;
  static final int EXECUTED = 8;
  static final int COMMIT_ORDER_KEPT = 9;
  static final int HEARTBEAT = 10;
  static final int CHANNELS = 11;
  static final int RECEIVING = 12;
  static final int APPLYING = 13;
  static final int SOURCE_UUID = 14;

  /** A part of the statement that a server may refuse. */
  enum Piece {
    HEARTBEAT,
    REPLICATION,
    COMMIT_ORDER
  }

  /** 1146 no such table, 1049 no such schema, 1142, 1143 and 1044 denied, 1054 no such column. */
  private static final Set<Integer> REFUSALS =
      Set.of(1146, 1049, 1142, 1143, 1044, 1054, 1193, 1370);

  private PollStatement() {}

  /**
   * Whether this error says that a piece cannot be read there, rather than that the poll failed.
   */
  static boolean isRefusal(int errorCode) {
    return REFUSALS.contains(errorCode);
  }

  /**
   * The statement.
   *
   * @param source whose heartbeat row to read; null leaves the heartbeat out
   * @param table where the heartbeat is
   * @param withoutPieces what to leave out
   * @param olderNames whether the server says {@code slave} where newer ones say {@code replica}
   */
  static String text(
      ClusterModel.@Nullable HeartbeatSource source,
      HeartbeatTable table,
      Set<Piece> withoutPieces,
      boolean olderNames) {
    Set<Piece> pieces = EnumSet.allOf(Piece.class);
    pieces.removeAll(withoutPieces);
    // The clock is the server's own UTC reckoned to a number there, so that no time zone of the
    // server,
    // the session, the driver or this process can take part.
    // The owned set stands before the executed one because columns are evaluated in their order:
    // what
    // leaves the first in between is in the second.
    return "SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)), @@global.server_uuid,"
        + " @@global.server_id, @@global.read_only, @@global.super_read_only, @@global.gtid_mode,"
        + " @@global.gtid_owned, @@global.gtid_executed, "
        + (pieces.contains(Piece.COMMIT_ORDER) ? commitOrder(olderNames) : "NULL")
        + ", "
        + (pieces.contains(Piece.HEARTBEAT) ? heartbeat(source, table) : "NULL")
        + (pieces.contains(Piece.REPLICATION) ? REPLICATION : ", NULL, NULL, NULL, NULL");
  }

  private static final String REPLICATION =
      ", r.channels, r.receiving, r.applying, r.source FROM (SELECT COUNT(*) AS channels,"
          + " SUM(c.SERVICE_STATE = 'ON') AS receiving, SUM(a.SERVICE_STATE = 'ON') AS applying,"
          + " MIN(c.SOURCE_UUID) AS source FROM performance_schema.replication_connection_status c"
          + " LEFT JOIN performance_schema.replication_applier_status a USING (CHANNEL_NAME)) r";

  private static String commitOrder(boolean olderNames) {
    String word = olderNames ? "slave" : "replica";
    return "@@global."
        + word
        + "_preserve_commit_order OR @@global."
        + word
        + "_parallel_workers <= 1";
  }

  private static String heartbeat(
      ClusterModel.@Nullable HeartbeatSource source, HeartbeatTable table) {
    if (source == null) {
      return "NULL";
    }
    return switch (table.kind()) {
      case LEEWAY ->
          "(SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', h.written_at) FROM "
              + table.quotedName()
              + " h WHERE h.server_uuid = '"
              + source.serverUuid()
              + "')";
      case PT_HEARTBEAT ->
          "(SELECT h.ts FROM "
              + table.quotedName()
              + " h WHERE h.server_id = "
              + source.serverId()
              + ")";
      case NONE -> "NULL";
    };
  }
}
