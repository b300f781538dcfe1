package dev.leeway.gate;

import static dev.leeway.gate.ServerState.UNKNOWN_NANOS;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one request hands to the same user's next one: what it wrote, and what it saw.
 *
 * <p>The value itself; {@link PositionTokens} makes a text of it that may travel. Immutable and
 * safe to share between threads.
 */
public final class ConsistencyToken {
  /** The most {@link #narrowed} writes a token carries. */
  public static final int MAX_NARROWED = 8;

  private static final int COMPLETE = 1;
  private static final int SAW_UNKNOWN = 2;
  private static final int SAW_MOMENT = 4;
  private static final int SAW_REPLICA = 8;
  private static final int NARROWED = 16;
  private static final int WROTE_MOMENT = 32;
  private static final int ON_PRIMARY = 64;
  private static final int REPLICA_SHOWS_ALL = 128;

  private static final long LONGEST_ON_PRIMARY_MILLIS = 60_000;

  private static final int NARROWED_BYTES = 2 * Long.BYTES + 2;

  /** A moment farther from the token's own than this was not told by any clock. */
  private static final long FARTHEST_MICROS = 10L * 365 * 24 * 3600 * 1_000_000;

  private final WritePosition general;
  private final List<Narrowed> narrowed;
  private final boolean sawUnknown;
  private final @Nullable SeenMoment seen;
  private final long onPrimaryMillis;

  /**
   * Transactions that concern one entity and no other.
   *
   * @param key the entity, or all of a kind
   * @param gtids at least one
   */
  public record Narrowed(EntityKey key, GtidSet gtids) {
    /** Checks both. */
    public Narrowed {
      Objects.requireNonNull(key, "key");
      if (gtids.isEmpty()) {
        throw new IllegalArgumentException(
            "Consistency token - no GTID for a narrowed write (expected: at least one)");
      }
    }
  }

  private ConsistencyToken(
      WritePosition general,
      List<Narrowed> narrowed,
      boolean sawUnknown,
      @Nullable SeenMoment seen,
      long onPrimaryMillis) {
    this.general = Objects.requireNonNull(general, "general");
    this.narrowed = List.copyOf(narrowed);
    this.sawUnknown = sawUnknown;
    this.seen = seen;
    this.onPrimaryMillis = Math.min(onPrimaryMillis, LONGEST_ON_PRIMARY_MILLIS);
    if (this.narrowed.size() > MAX_NARROWED) {
      throw new IllegalArgumentException(
          "Consistency token - "
              + this.narrowed.size()
              + " narrowed writes (expected: at most "
              + MAX_NARROWED
              + ")");
    }
  }

  /** Of somebody who wrote this and has seen nothing else. */
  public static ConsistencyToken of(WritePosition written) {
    return new ConsistencyToken(written, List.of(), !written.isComplete(), null, 0);
  }

  /** The same writer, who wrote and has seen at these moments. */
  public ConsistencyToken saw(SeenMoment moment) {
    return new ConsistencyToken(
        general, narrowed, false, Objects.requireNonNull(moment, "moment"), onPrimaryMillis);
  }

  /** The same writer, who has also seen something before the token was made. */
  public ConsistencyToken sawUnknown() {
    return new ConsistencyToken(general, narrowed, true, null, onPrimaryMillis);
  }

  /** The same writer, who has also written these, each of concern to one entity alone. */
  public ConsistencyToken narrowed(List<Narrowed> writes) {
    return new ConsistencyToken(general, writes, sawUnknown, seen, onPrimaryMillis);
  }

  /**
   * The same one, whom the primary has served for this long for no other reason than what was seen
   * there before. He may be worth a short wait until a replica has it.
   *
   * @param millis zero or more; more than a minute counts as a minute
   */
  public ConsistencyToken onPrimary(long millis) {
    return new ConsistencyToken(general, narrowed, sawUnknown, seen, Math.max(0, millis));
  }

  /** The cluster it speaks of. */
  public ClusterId cluster() {
    return general.cluster();
  }

  /** Everything that was written, whatever it concerned. */
  public WritePosition position() {
    WritePosition whole = general;
    for (Narrowed write : narrowed) {
      whole = whole.merge(WritePosition.of(cluster(), write.gtids()));
    }
    return whole;
  }

  /** What was written and concerns every read. */
  public WritePosition general() {
    return general;
  }

  /** What was written and concerns the reads of one entity. */
  public List<Narrowed> narrowed() {
    return narrowed;
  }

  /** Whether something was seen of which no more is known than that the token came after it. */
  public boolean hasSeenUnknown() {
    return sawUnknown;
  }

  /** When it was seen and written; null if that is not known, or nothing was. */
  public @Nullable SeenMoment seen() {
    return seen;
  }

  /** See {@link #onPrimary}. */
  public long onPrimaryMillis() {
    return onPrimaryMillis;
  }

  /** Whether it binds nobody. */
  public boolean isEmpty() {
    return general.gtids().isEmpty()
        && general.isComplete()
        && narrowed.isEmpty()
        && !sawUnknown
        && seen == null;
  }

  /** The same demands with fewer bytes: what was narrowed binds every read. */
  ConsistencyToken widened() {
    return new ConsistencyToken(position(), List.of(), sawUnknown, seen, onPrimaryMillis);
  }

  /** The same writer with nothing said about what was written, except that it was. */
  ConsistencyToken withoutGtids() {
    return new ConsistencyToken(general.withoutGtids(), List.of(), true, null, onPrimaryMillis);
  }

  /** The same, without a moment so far from the token's own that {@link #readFrom} refuses it. */
  ConsistencyToken tellableAt(long issuedAtMillis) {
    SeenMoment moment = seen;
    boolean tellable =
        moment == null
            || (isNear(moment.micros(), issuedAtMillis)
                && isNear(moment.writtenMicros(), issuedAtMillis)
                && isNear(moment.replicaMicros(), issuedAtMillis));
    return tellable ? this : sawUnknown();
  }

  private static boolean isNear(long micros, long issuedAtMillis) {
    return micros == UNKNOWN_NANOS || Math.abs(micros - issuedAtMillis * 1_000) <= FARTHEST_MICROS;
  }

  void writeTo(ByteWriter out, long issuedAtMillis) {
    SeenMoment moment = seen;
    out.writeByte(
        (general.isComplete() ? COMPLETE : 0)
            | (sawUnknown ? SAW_UNKNOWN : 0)
            | (moment == null ? 0 : flagsOf(moment))
            | (narrowed.isEmpty() ? 0 : NARROWED)
            | (onPrimaryMillis == 0 ? 0 : ON_PRIMARY));
    out.writeShortText(cluster().name());
    out.writeVarint(cluster().epoch());
    GtidSetCodec.write(general.gtids(), out);
    if (moment != null) {
      writeUuid(moment.clock(), out);
      writeMicros(moment.micros(), issuedAtMillis, out);
      writeMicros(moment.writtenMicros(), issuedAtMillis, out);
      UUID replica = moment.replica();
      if (replica != null) {
        writeUuid(replica, out);
        writeMicros(moment.replicaMicros(), issuedAtMillis, out);
      }
    }
    if (!narrowed.isEmpty()) {
      out.writeVarint(narrowed.size());
      for (Narrowed write : narrowed) {
        out.writeLong(write.key().kind());
        out.writeLong(write.key().id());
        GtidSetCodec.write(write.gtids(), out);
      }
    }
    if (onPrimaryMillis > 0) {
      out.writeVarint(onPrimaryMillis);
    }
  }

  static ConsistencyToken readFrom(ByteReader in, long issuedAtMillis) {
    int flags = in.readByte();
    String name = in.readShortText(ClusterId.MAX_NAME_LENGTH);
    ClusterId cluster = new ClusterId(name, in.readVarint());
    GtidSet gtids = GtidSetCodec.read(in);
    SeenMoment seen = null;
    if ((flags & (SAW_MOMENT | WROTE_MOMENT | SAW_REPLICA)) != 0) {
      UUID clock = readUuid(in);
      long micros = (flags & SAW_MOMENT) == 0 ? UNKNOWN_NANOS : readMicros(in, issuedAtMillis);
      long written = (flags & WROTE_MOMENT) == 0 ? UNKNOWN_NANOS : readMicros(in, issuedAtMillis);
      UUID replica = (flags & SAW_REPLICA) == 0 ? null : readUuid(in);
      long served = replica == null ? UNKNOWN_NANOS : readMicros(in, issuedAtMillis);
      boolean showsAll = (flags & REPLICA_SHOWS_ALL) != 0;
      seen = new SeenMoment(clock, micros, written, replica, served, showsAll);
    }
    List<Narrowed> narrowed = new ArrayList<>();
    if ((flags & NARROWED) != 0) {
      int count = in.readCount("narrowed writes", NARROWED_BYTES);
      for (int i = 0; i < count; i++) {
        EntityKey key = new EntityKey(in.readLong(), in.readLong());
        narrowed.add(new Narrowed(key, GtidSetCodec.read(in)));
      }
    }
    boolean complete = (flags & COMPLETE) != 0;
    WritePosition general =
        !complete
            ? WritePosition.incomplete(cluster, gtids)
            : gtids.isEmpty()
                ? WritePosition.nothingWritten(cluster)
                : WritePosition.of(cluster, gtids);
    long onPrimaryMillis = (flags & ON_PRIMARY) == 0 ? 0 : in.readVarint();
    return new ConsistencyToken(
        general, narrowed, (flags & SAW_UNKNOWN) != 0, seen, onPrimaryMillis);
  }

  private static int flagsOf(SeenMoment moment) {
    return (moment.micros() == UNKNOWN_NANOS ? 0 : SAW_MOMENT)
        | (moment.writtenMicros() == UNKNOWN_NANOS ? 0 : WROTE_MOMENT)
        | (moment.replica() == null ? 0 : SAW_REPLICA)
        | (moment.replicaShowsAll() ? REPLICA_SHOWS_ALL : 0);
  }

  private static void writeUuid(UUID uuid, ByteWriter out) {
    out.writeLong(uuid.getMostSignificantBits());
    out.writeLong(uuid.getLeastSignificantBits());
  }

  private static UUID readUuid(ByteReader in) {
    return new UUID(in.readLong(), in.readLong());
  }

  /** As the distance from the token's own moment, which is short. */
  private static void writeMicros(long micros, long issuedAtMillis, ByteWriter out) {
    if (micros == UNKNOWN_NANOS) {
      return;
    }
    long distance = micros - issuedAtMillis * 1_000;
    out.writeVarint(distance < 0 ? -distance * 2 - 1 : distance * 2);
  }

  private static long readMicros(ByteReader in, long issuedAtMillis) {
    long folded = in.readVarint();
    long distance = (folded & 1) == 0 ? folded / 2 : -(folded / 2) - 1;
    if (Math.abs(distance) > FARTHEST_MICROS) {
      throw in.malformed("a moment " + distance + " µs from the token's own", "less than 10 years");
    }
    return issuedAtMillis * 1_000 + distance;
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof ConsistencyToken other
        && sawUnknown == other.sawUnknown
        && onPrimaryMillis == other.onPrimaryMillis
        && general.equals(other.general)
        && narrowed.equals(other.narrowed)
        && Objects.equals(seen, other.seen);
  }

  @Override
  public int hashCode() {
    return Objects.hash(general, narrowed, sawUnknown, seen, onPrimaryMillis);
  }

  /** One line for messages. */
  @Override
  public String toString() {
    return general
        + (narrowed.isEmpty() ? "" : ", " + narrowed.size() + " narrowed writes")
        + (sawUnknown ? ", seen until it was made" : "")
        + (seen == null ? "" : ", " + seen);
  }
}
