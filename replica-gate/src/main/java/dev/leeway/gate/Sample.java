package dev.leeway.gate;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One answered poll of one server, as it was read.
 *
 * @param sentNanos just before the statement was sent
 * @param receivedNanos just after its answer was read
 * @param clockMicros the server's clock while it answered, microseconds since 1970 UTC
 * @param serverUuid its {@code server_uuid}
 * @param serverId its {@code server_id}
 * @param readOnly whether it is {@code read_only}
 * @param superReadOnly whether it is {@code super_read_only}
 * @param gtidsOn whether every new transaction here gets a GTID
 * @param commitOrderKept whether it applies transactions in the order of the source; false if
 *     unknown
 * @param restarted whether it was started since the answer before this one
 * @param owned its {@code gtid_owned}, read before {@code executed}: what is being committed; null
 *     if it cannot be read
 * @param executed its {@code gtid_executed}
 * @param heartbeat the primary's heartbeat as this server shows it
 * @param replication its replication threads; null if they cannot be read
 */
record Sample(
    long sentNanos,
    long receivedNanos,
    long clockMicros,
    UUID serverUuid,
    long serverId,
    boolean readOnly,
    boolean superReadOnly,
    boolean gtidsOn,
    boolean commitOrderKept,
    boolean restarted,
    @Nullable GtidSet owned,
    GtidSet executed,
    Heartbeat heartbeat,
    @Nullable Replication replication) {

  /**
   * What a server shows of the primary's heartbeat.
   *
   * @param presence whether there is one
   * @param earliestMicros the earliest moment, by the primary's clock, at which it may have been
   *     written
   * @param latestMicros the latest such moment; another one only where a local time is ambiguous
   */
  record Heartbeat(Presence presence, long earliestMicros, long latestMicros) {
    enum Presence {
      /** No table is configured, or it is not known yet whose row to read. */
      NOT_ASKED,
      /** The table or the row is missing or may not be read. */
      MISSING,
      SEEN
    }

    static final Heartbeat NOT_ASKED = new Heartbeat(Presence.NOT_ASKED, 0, 0);
    static final Heartbeat MISSING = new Heartbeat(Presence.MISSING, 0, 0);

    static Heartbeat at(long micros) {
      return new Heartbeat(Presence.SEEN, micros, micros);
    }

    boolean isSeen() {
      return presence == Presence.SEEN;
    }
  }

  /**
   * What a server says of its replication.
   *
   * @param channels how many sources are configured; none means detached
   * @param receiving whether the receiver of every channel is connected
   * @param applying whether the applier of every channel runs
   * @param source the source it receives from; null if there is none or it was not reached yet
   */
  record Replication(int channels, boolean receiving, boolean applying, @Nullable UUID source) {
    static final Replication DETACHED = new Replication(0, false, false, null);

    boolean isDetached() {
      return channels == 0;
    }
  }

  boolean isKnownToBeDetached() {
    return replication != null && replication.isDetached();
  }
}
