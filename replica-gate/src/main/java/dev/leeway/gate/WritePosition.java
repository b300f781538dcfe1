package dev.leeway.gate;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a writer leaves behind for those who must read its writes: which transactions of which
 * cluster, and whether that is all of them.
 *
 * <p>A server that has executed {@link #gtids} shows everything the writer wrote, but only if the
 * position is complete. An incomplete one says that something was written whose GTID is not known;
 * only the primary is sure to show it.
 *
 * <p>Immutable and safe to share between threads.
 */
public final class WritePosition {
  /**
   * The longest token, in characters: with a cookie's name and attributes it fits into the 4096
   * bytes that a browser keeps. A position that needs more travels as an incomplete one without
   * GTIDs.
   */
  public static final int MAX_TOKEN_LENGTH = 3_800;

  private static final String TOKEN_PREFIX = "lwp1.";
  private static final int COMPLETE = 1;
  private static final int INCOMPLETE = 2;

  private final ClusterId cluster;
  private final GtidSet gtids;
  private final boolean complete;

  private WritePosition(ClusterId cluster, GtidSet gtids, boolean complete) {
    this.cluster = Objects.requireNonNull(cluster, "cluster");
    this.gtids = Objects.requireNonNull(gtids, "gtids");
    this.complete = complete;
  }

  /**
   * The position of a writer whose every transaction is in {@code gtids}.
   *
   * @throws IllegalArgumentException if the set is empty. Every server has reached an empty set, so
   *     a GTID that was lost on the way would turn into a stale read: say {@link #nothingWritten}
   *     or {@link #incomplete} instead
   */
  public static WritePosition of(ClusterId cluster, GtidSet gtids) {
    if (gtids.isEmpty()) {
      throw new IllegalArgumentException(
          "Write position - no GTID for cluster '"
              + cluster.name()
              + "' (expected: at least one). Use nothingWritten where nothing was written, and"
              + " incomplete where the GTID of a write is not known.");
    }
    return new WritePosition(cluster, gtids, true);
  }

  /** The position of somebody who is known to have written nothing: any server will do. */
  public static WritePosition nothingWritten(ClusterId cluster) {
    return new WritePosition(cluster, GtidSet.EMPTY, true);
  }

  /**
   * The position of a writer of whose writes only {@code gtids}, maybe none, are known by their
   * GTID.
   */
  public static WritePosition incomplete(ClusterId cluster, GtidSet gtids) {
    return new WritePosition(cluster, gtids, false);
  }

  /** The cluster that was written to. */
  public ClusterId cluster() {
    return cluster;
  }

  /** The known transactions. */
  public GtidSet gtids() {
    return gtids;
  }

  /** Whether {@link #gtids} is all that was written. If not, read on the primary. */
  public boolean isComplete() {
    return complete;
  }

  /**
   * The position of somebody who wrote both: all GTIDs, the newer epoch, and complete only if both
   * are. If the GTIDs together could not be held in one set, an incomplete position without GTIDs.
   *
   * @throws IllegalArgumentException if the positions are of clusters with different names
   */
  public WritePosition merge(WritePosition other) {
    if (!cluster.name().equals(other.cluster.name())) {
      throw new IllegalArgumentException(
          "Write position - merging cluster '"
              + other.cluster.name()
              + "' into '"
              + cluster.name()
              + "' (expected: the same cluster). Keep one position for each cluster.");
    }
    ClusterId newer = other.cluster.epoch() > cluster.epoch() ? other.cluster : cluster;
    if (gtids.intervalCount() + other.gtids.intervalCount() > GtidSet.MAX_INTERVALS) {
      return incomplete(newer, GtidSet.EMPTY);
    }
    return new WritePosition(newer, gtids.union(other.gtids), complete && other.complete);
  }

  /**
   * The position as printable ASCII without blanks, for places that only trusted code can write,
   * such as a job's header. It is not signed: where a stranger can change it, use {@link
   * PositionTokens}.
   *
   * @return at most {@value #MAX_TOKEN_LENGTH} characters. {@link #parse} reads back an equal
   *     position, or an incomplete one without GTIDs if this one would not fit: it is never cut
   *     short
   */
  public String toToken() {
    ByteWriter payload = new ByteWriter(64 + cluster.name().length());
    writeTo(payload);
    String token = TOKEN_PREFIX + TokenText.encode(payload.toByteArray());
    return token.length() <= MAX_TOKEN_LENGTH ? token : withoutGtids().toToken();
  }

  /**
   * Reads what {@link #toToken} wrote.
   *
   * @throws MalformedPositionException if it is anything else; an empty text and null are no
   *     position
   */
  public static WritePosition parse(@Nullable String token) {
    if (token == null || token.isEmpty()) {
      throw new MalformedPositionException(
          "Write position - "
              + (token == null ? "null" : "an empty text")
              + " (expected: a token starting with "
              + TOKEN_PREFIX
              + "). Without a position, read on the primary.");
    }
    if (token.length() > MAX_TOKEN_LENGTH) {
      throw new MalformedPositionException(
          "Write position - token of "
              + token.length()
              + " characters (expected: at most "
              + MAX_TOKEN_LENGTH
              + ")");
    }
    if (!token.startsWith(TOKEN_PREFIX)) {
      throw new MalformedPositionException(
          "Write position - '"
              + Excerpt.of(token)
              + "' (expected: a token starting with "
              + TOKEN_PREFIX
              + ")");
    }
    try {
      ByteReader in =
          new ByteReader(
              "Write position", TokenText.decode(token.substring(TOKEN_PREFIX.length())));
      WritePosition position = readFrom(in);
      in.expectEnd();
      return position;
    } catch (IllegalArgumentException e) {
      throw new MalformedPositionException(
          "Write position - token '" + Excerpt.of(token) + "' cannot be read: " + e.getMessage(),
          e);
    }
  }

  /** The same writer with nothing said about what was written. */
  WritePosition withoutGtids() {
    return incomplete(cluster, GtidSet.EMPTY);
  }

  void writeTo(ByteWriter out) {
    out.writeByte(complete ? COMPLETE : INCOMPLETE);
    out.writeShortText(cluster.name());
    out.writeVarint(cluster.epoch());
    GtidSetCodec.write(gtids, out);
  }

  static WritePosition readFrom(ByteReader in) {
    int kind = in.readByte();
    if (kind != COMPLETE && kind != INCOMPLETE) {
      throw in.malformed("kind " + kind, "1 for complete or 2 for incomplete");
    }
    String name = in.readShortText(ClusterId.MAX_NAME_LENGTH);
    ClusterId cluster = new ClusterId(name, in.readVarint());
    return new WritePosition(cluster, GtidSetCodec.read(in), kind == COMPLETE);
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof WritePosition other
        && complete == other.complete
        && cluster.equals(other.cluster)
        && gtids.equals(other.gtids);
  }

  @Override
  public int hashCode() {
    return Objects.hash(cluster, gtids, complete);
  }

  /** One line for messages; {@link #toToken} is the form to keep. */
  @Override
  public String toString() {
    return cluster + " " + gtids.describe() + (complete ? "" : " and writes of unknown GTID");
  }
}
