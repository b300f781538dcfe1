package dev.leeway.routing.context;

import dev.leeway.gate.ClusterState;
import dev.leeway.gate.ConsistencyToken;
import dev.leeway.gate.GtidSet;
import dev.leeway.gate.PrimaryClock;
import dev.leeway.gate.SeenMoment;
import dev.leeway.gate.ServerState;
import dev.leeway.gate.WritePosition;
import dev.leeway.routing.decide.Moments;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a token of an earlier request means here: its moments by this process's time, its replica by
 * this process's index. A value; {@link ScopeState#adopt(ReceivedToken)} takes it over.
 *
 * @param general what binds every read
 * @param narrowed what binds the reads of one entity
 * @param writtenAtNanos a moment after the last commit
 * @param unprovedWriteAtNanos a moment after the last write that no GTID stands for
 * @param seenAtNanos the newest moment that was seen elsewhere than on the pinned replica
 * @param pinnedServer the replica that served last and needs no proof, or −1
 * @param pinnedGeneration its generation
 * @param pinnedServedAtNanos when it last served
 * @param pinnedShowsAll whether that replica is proved to hold all that was written and seen
 * @param onPrimarySinceNanos since when the primary would have served because of what was seen
 *     there
 * @param told the same moments as they were told, for the next token
 * @param hasLost whether the primary lacks something that was written long enough ago: it was lost
 *     in a failover, and nobody can wait for it
 */
public record ReceivedToken(
    GtidSet general,
    List<ConsistencyToken.Narrowed> narrowed,
    long writtenAtNanos,
    long unprovedWriteAtNanos,
    long seenAtNanos,
    int pinnedServer,
    long pinnedGeneration,
    long pinnedServedAtNanos,
    boolean pinnedShowsAll,
    long onPrimarySinceNanos,
    @Nullable Told told,
    boolean hasLost) {
  /*
   * What is known of the age of what was seen
   * -----------------------------------------
   * Everything in a token happened before it was made, and that moment is known to within the skew that
   * clocks are allowed. It bounds every other moment, so that a token, however often it is presented,
   * asks for less and less as time goes by: nobody can hold the primary busy with one.
   *
   * Better is the moment on the primary's clock. It counts if it is the same primary's, and if its clock
   * was not set meanwhile.
   *
   * The replica that served last needs no proof: one server never goes back in time. But it must be the
   * same server, and not restarted or attached anew since, which we know only for the time in which we
   * have watched it. And there is no need to go back to it once all others have what it showed; then the
   * load decides, or all users would end up on the replica that was restarted least recently.
   */

  /**
   * By how much a moment that came from another process may lie later than it was: two polls, and
   * what is allowed for the clock.
   */
  private static final long INFLATION_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final long INFLATION_ONE_IN = 100;

  /** More intervals than this are not carried on; the moment of the last write stands for them. */
  private static final int MAX_INTERVALS = 16;

  /**
   * Translates a token.
   *
   * @param minimumAgeNanos how long ago it was made at least
   */
  public static ReceivedToken of(
      ConsistencyToken token, long minimumAgeNanos, ClusterState state, long nowNanos) {
    // Earlier than anything that this request will see itself.
    long latest = nowNanos - Math.max(1, minimumAgeNanos);
    Translation translation = new Translation(token.seen(), latest, state, nowNanos);
    long seenAt = token.hasSeenUnknown() ? latest : translation.seenAt();
    WritePosition position = token.position();
    long writtenAt = position.gtids().isEmpty() ? Moments.NEVER : translation.writtenAt();
    long unprovedAt = Moments.NEVER;
    if (!token.general().isComplete()) {
      unprovedAt = seenAt == Moments.NEVER ? latest : seenAt;
    }

    GtidSet general = token.general().gtids();
    List<ConsistencyToken.Narrowed> narrowed = token.narrowed();
    GtidSet lost = lost(position.gtids(), latest, state);
    if (!lost.isEmpty()) {
      general = general.subtract(lost);
      narrowed = without(lost, narrowed);
    }
    if (position.gtids().intervalCount() > MAX_INTERVALS) {
      unprovedAt = Moments.later(unprovedAt, writtenAt);
      general = GtidSet.EMPTY;
      narrowed = List.of();
    }
    seenAt = Moments.later(seenAt, unprovedAt);

    ServerState pinned = translation.sameReplica();
    long servedAt = translation.servedAt();
    boolean needsPin = pinned != null && !allShow(servedAt, state);
    if (!needsPin) {
      seenAt = Moments.later(seenAt, servedAt);
    }
    return new ReceivedToken(
        general,
        narrowed,
        writtenAt,
        unprovedAt,
        seenAt,
        needsPin && pinned != null ? pinned.index() : -1,
        needsPin && pinned != null ? pinned.generation() : 0,
        needsPin ? servedAt : Moments.NEVER,
        needsPin
            && !token.hasSeenUnknown()
            && token.seen() != null
            && token.seen().replicaShowsAll(),
        token.onPrimaryMillis() == 0
            ? Moments.NEVER
            : nowNanos - TimeUnit.MILLISECONDS.toNanos(token.onPrimaryMillis()),
        translation.told(),
        !lost.isEmpty());
  }

  /** What the primary, asked long after it was written, does not have. */
  private static GtidSet lost(GtidSet gtids, long latestNanos, ClusterState state) {
    ServerState primary = state.primary();
    return primary == null
            || gtids.isEmpty()
            || primary.executed().isEmpty()
            || primary.sampledAtNanos() == Moments.NEVER
            || !Moments.reaches(primary.sampledAtNanos(), latestNanos)
            || primary.executed().contains(gtids)
        ? GtidSet.EMPTY
        : gtids.subtract(primary.executed());
  }

  private static List<ConsistencyToken.Narrowed> without(
      GtidSet lost, List<ConsistencyToken.Narrowed> narrowed) {
    List<ConsistencyToken.Narrowed> left = new ArrayList<>();
    for (ConsistencyToken.Narrowed write : narrowed) {
      GtidSet gtids = write.gtids().subtract(lost);
      if (!gtids.isEmpty()) {
        left.add(new ConsistencyToken.Narrowed(write.key(), gtids));
      }
    }
    return left;
  }

  private static boolean allShow(long momentNanos, ClusterState state) {
    for (int index = 0; index < state.serverCount(); index++) {
      ServerState server = state.server(index);
      if (index != state.primaryIndex() && server.mayServe() && !server.isFreshSince(momentNanos)) {
        return false;
      }
    }
    return true;
  }

  /**
   * What was told, and what it was translated to. Translating there and back again makes a moment a
   * little later each time; whoever sends many requests a second would never be done with it. So
   * what has not changed is told on as it came.
   */
  record Told(SeenMoment moment, long seenNanos, long writtenNanos, long servedNanos) {
    /** The told moment that this was translated from; {@link Moments#NEVER} if it is another. */
    long micros(long nanos) {
      if (nanos == seenNanos) {
        return moment.micros();
      }
      if (nanos == servedNanos) {
        return moment.replicaMicros();
      }
      return nanos == writtenNanos ? moment.writtenMicros() : Moments.NEVER;
    }
  }

  /** Moments of a token by this process's time. */
  private record Translation(
      @Nullable SeenMoment seen, long latestNanos, ClusterState state, long nowNanos) {

    long seenAt() {
      SeenMoment moment = seen;
      return moment == null ? Moments.NEVER : bounded(moment, moment.micros());
    }

    long writtenAt() {
      SeenMoment moment = seen;
      return moment == null || moment.writtenMicros() == Moments.NEVER
          ? latestNanos
          : bounded(moment, moment.writtenMicros());
    }

    long servedAt() {
      SeenMoment moment = seen;
      return moment == null ? Moments.NEVER : bounded(moment, moment.replicaMicros());
    }

    @Nullable Told told() {
      SeenMoment moment = seen;
      return moment == null ? null : new Told(moment, seenAt(), writtenAt(), servedAt());
    }

    /** The replica that served last, if it is the one it was then; null if that is not known. */
    @Nullable ServerState sameReplica() {
      SeenMoment moment = seen;
      UUID replica = moment == null ? null : moment.replica();
      if (moment == null || replica == null) {
        return null;
      }
      long served = exact(moment, moment.replicaMicros());
      ServerState server = state.serverOf(replica);
      if (served == Moments.NEVER
          || server == null
          || server.index() == state.primaryIndex()
          || server.undisturbedSinceNanos() == Moments.NEVER) {
        return null;
      }
      long earliest = served - INFLATION_NANOS - (nowNanos - served) / INFLATION_ONE_IN;
      return Moments.reaches(earliest, server.undisturbedSinceNanos()) ? server : null;
    }

    /** By the primary's clock; {@link Moments#NEVER} if there is none to tell by. */
    private long exact(SeenMoment moment, long micros) {
      PrimaryClock clock = state.primaryClock();
      return micros == Moments.NEVER || clock == null || !clock.server().equals(moment.clock())
          ? Moments.NEVER
          : clock.toNanos(micros, nowNanos);
    }

    private long bounded(SeenMoment moment, long micros) {
      if (micros == Moments.NEVER) {
        return Moments.NEVER;
      }
      long exact = exact(moment, micros);
      return exact == Moments.NEVER || exact - latestNanos > 0 ? latestNanos : exact;
    }
  }
}
