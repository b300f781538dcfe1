package dev.leeway.routing.context;

import dev.leeway.gate.ClusterId;
import dev.leeway.gate.ClusterState;
import dev.leeway.gate.ConsistencyToken;
import dev.leeway.gate.EntityKey;
import dev.leeway.gate.GtidSet;
import dev.leeway.gate.PrimaryClock;
import dev.leeway.gate.SeenMoment;
import dev.leeway.gate.ServerState;
import dev.leeway.gate.TokenList;
import dev.leeway.gate.WritePosition;
import dev.leeway.routing.decide.Moments;
import dev.leeway.routing.decide.ReadDemand;
import dev.leeway.routing.decide.Writes;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What one request has written and seen. Safe for any number of threads.
 *
 * <p>Everything here only grows: a position gains GTIDs, moments move forward. So a reader that
 * sees an older value than a writer on another thread just stored has simply come first.
 */
public final class ScopeState implements ReadDemand {
  private static final int NOT_PINNED = -1;

  /**
   * Beyond this many intervals the set is given up for a moment in time, which proves the same and
   * takes no room: a batch job that writes all night must not carry every GTID of it.
   */
  private static final int MAX_INTERVALS = 4_096;

  /**
   * A commit is visible a moment before its GTID is in {@code gtid_executed}. A set taken this long
   * after a read holds what that read saw.
   */
  private static final long VISIBILITY_MARGIN_NANOS = 10_000_000;

  private final long stickyNanos;

  // Guarded by "this" when written, so that a set and its moment move together.
  private volatile Writes writes = Writes.NONE;
  private volatile long unprovedWriteAtNanos = Moments.NEVER;
  private volatile long seenAtNanos = Moments.NEVER;
  private volatile long stickyUntilNanos = Moments.NEVER;
  private volatile long onPrimarySinceNanos = Moments.NEVER;
  private volatile int pinnedServer = NOT_PINNED;
  private volatile long pinnedGeneration;
  private volatile long pinnedServedAtNanos = Moments.NEVER;
  private volatile long pinnedShowsSeenNanos = Moments.NEVER;
  private volatile long pinnedShowsWrittenNanos = Moments.NEVER;
  private volatile @Nullable CallContext home;
  private ReceivedToken.@Nullable Told told;
  private final Set<String> passengers = new LinkedHashSet<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  // Guarded by "this" when written.
  private volatile long changes;

  /**
   * Weak, because a thread keeps the state of a scope that was never closed for as long as it
   * lives.
   */
  private final WeakReference<@Nullable Object> owner;

  /** A place in which the {@link DecisionRecorder} may keep what it found in this scope. */
  public volatile @Nullable Object recorderSlot;

  /**
   * A request that has written and seen nothing.
   *
   * @param stickyNanos how long each write keeps it on the primary; {@link Long#MAX_VALUE} for ever
   * @param owner whatever the caller wants to find again with {@link #owner}
   */
  public ScopeState(long stickyNanos, @Nullable Object owner) {
    this.stickyNanos = stickyNanos;
    this.owner = new WeakReference<>(owner);
  }

  /** What was given to the constructor, as long as anybody else keeps it. */
  public @Nullable Object owner() {
    return owner.get();
  }

  /** The request committed transactions whose GTIDs are known, and which may concern anything. */
  public void wrote(GtidSet gtids, long nowNanos) {
    wrote(gtids, nowNanos, List.of());
  }

  /**
   * The request committed transactions whose GTIDs are known.
   *
   * @param keys all entities they concern; empty if that is not known
   */
  public synchronized void wrote(GtidSet gtids, long nowNanos, List<EntityKey> keys) {
    if (gtids.isEmpty()) {
      // "Nothing came back" is not "nothing was written"; the caller has to say which.
      throw new IllegalArgumentException("Scope - wrote(): no GTID (expected: at least one)");
    }
    add(gtids, nowNanos, keys);
    changes++;
    stick(nowNanos);
  }

  private void add(GtidSet gtids, long atNanos, List<EntityKey> keys) {
    Writes before = writes;
    if (before.everything().gtids().intervalCount() + gtids.intervalCount() > MAX_INTERVALS) {
      unprovedWriteAtNanos = Moments.later(unprovedWriteAtNanos, atNanos);
      seenAtNanos = Moments.later(seenAtNanos, atNanos);
      writes = Writes.NONE;
    } else {
      writes = before.and(gtids, atNanos, keys);
    }
  }

  /**
   * Transactions that the request wrote concern this entity, and no other but those named before.
   * Changes nothing if they are not known here.
   */
  public synchronized void narrow(GtidSet gtids, EntityKey key) {
    writes = writes.narrow(gtids, key);
    changes++;
  }

  /** The request wrote, or may have written, and no GTID came back. */
  public synchronized void wroteUnknown(long nowNanos) {
    unprovedWriteAtNanos = Moments.later(unprovedWriteAtNanos, nowNanos);
    seenAtNanos = Moments.later(seenAtNanos, nowNanos);
    changes++;
    stick(nowNanos);
  }

  /** The request saw data as new as this moment at the latest, on the primary or elsewhere. */
  public void sawPrimary(long nowNanos) {
    long seen = seenAtNanos;
    if (Moments.later(seen, nowNanos) != seen) {
      synchronized (this) {
        seenAtNanos = Moments.later(seenAtNanos, nowNanos);
        changes++;
      }
    }
  }

  /**
   * Takes over what another request or process has written.
   *
   * @param nowNanos a moment after everything the position stands for
   */
  public synchronized void adopt(WritePosition position, long nowNanos) {
    changes++;
    forgetWhatWasProved();
    if (!position.isComplete()) {
      // Whatever is missing was committed before now. A replica that is fresh as of now has it.
      unprovedWriteAtNanos = Moments.later(unprovedWriteAtNanos, nowNanos);
      seenAtNanos = Moments.later(seenAtNanos, nowNanos);
    }
    if (!position.gtids().isEmpty()) {
      add(position.gtids(), nowNanos, List.of());
    }
  }

  /** From now on the primary serves this request, and no replica. */
  public synchronized void stayOnPrimary() {
    stickyUntilNanos = Long.MAX_VALUE;
  }

  /** Takes over what an earlier request of the same user has written and seen. */
  public synchronized void adopt(ReceivedToken token) {
    boolean isFirst =
        writes == Writes.NONE && seenAtNanos == Moments.NEVER && pinnedServer == NOT_PINNED;
    changes++;
    forgetWhatWasProved();
    if (!token.general().isEmpty()) {
      add(token.general(), token.writtenAtNanos(), List.of());
    }
    for (ConsistencyToken.Narrowed write : token.narrowed()) {
      add(write.gtids(), token.writtenAtNanos(), List.of(write.key()));
    }
    unprovedWriteAtNanos = Moments.later(unprovedWriteAtNanos, token.unprovedWriteAtNanos());
    seenAtNanos = Moments.later(seenAtNanos, token.seenAtNanos());
    told = token.told();
    if (onPrimarySinceNanos == Moments.NEVER) {
      onPrimarySinceNanos = token.onPrimarySinceNanos();
    }
    if (token.pinnedServer() == NOT_PINNED) {
      return;
    }
    boolean free = pinnedServer == NOT_PINNED;
    boolean same =
        pinnedServer == token.pinnedServer() && pinnedGeneration == token.pinnedGeneration();
    if (free || same) {
      pinnedServedAtNanos = Moments.later(pinnedServedAtNanos, token.pinnedServedAtNanos());
      pinnedGeneration = token.pinnedGeneration();
      pinnedServer = token.pinnedServer();
      if (isFirst && token.pinnedShowsAll()) {
        pinnedShowsSeenNanos = token.seenAtNanos();
        pinnedShowsWrittenNanos = token.writtenAtNanos();
      }
    } else {
      seenAtNanos = Moments.later(seenAtNanos, token.pinnedServedAtNanos());
    }
  }

  /**
   * Takes over all that another scope of the same request has written and seen: the one around this
   * one when it is opened, this one's when it is closed.
   */
  public void adopt(ScopeState other) {
    // What the other one says is put together first, so that never two locks are held.
    Writes written = other.writes;
    long unproved = other.unprovedWriteAtNanos;
    long sticky = other.stickyUntilNanos;
    int pin = other.pinnedServer;
    long generation = other.pinnedGeneration;
    long served = other.pinnedServedAtNanos;
    long seen = other.seenAtNanos;
    List<String> carried = other.passengers();
    synchronized (this) {
      changes++;
      forgetWhatWasProved();
      if (!written.general().gtids().isEmpty()) {
        add(written.general().gtids(), written.general().atNanos(), List.of());
      }
      for (Writes.Narrowed write : written.narrowed()) {
        add(write.bound().gtids(), write.bound().atNanos(), List.of(write.key()));
      }
      unprovedWriteAtNanos = Moments.later(unprovedWriteAtNanos, unproved);
      seenAtNanos = Moments.later(seenAtNanos, seen);
      stickyUntilNanos = Moments.later(stickyUntilNanos, sticky);
      passengers.addAll(carried);
      boolean samePin = pinnedServer == pin && pinnedGeneration == generation;
      if (pin != NOT_PINNED && (pinnedServer == NOT_PINNED || samePin)) {
        pinnedServer = pin;
        pinnedGeneration = generation;
        pinnedServedAtNanos = Moments.later(pinnedServedAtNanos, served);
      } else {
        seenAtNanos = Moments.later(seenAtNanos, served);
      }
    }
  }

  /** It was proved of what was known then. */
  private void forgetWhatWasProved() {
    pinnedShowsSeenNanos = Moments.NEVER;
    pinnedShowsWrittenNanos = Moments.NEVER;
  }

  private void stick(long nowNanos) {
    if (stickyNanos == Long.MAX_VALUE) {
      stickyUntilNanos = Long.MAX_VALUE;
    } else if (stickyNanos > 0 && stickyUntilNanos != Long.MAX_VALUE) {
      stickyUntilNanos = Moments.later(stickyUntilNanos, nowNanos + stickyNanos);
    }
  }

  /**
   * Makes a replica the one that serves this request.
   *
   * @param insteadOf the pinned server the decision was made with, or −1
   * @return false if the request was pinned elsewhere meanwhile; then the decision is void
   */
  public synchronized boolean pin(int server, long generation, int insteadOf) {
    if (pinnedServer == server && pinnedGeneration == generation) {
      return true;
    }
    if (pinnedServer != insteadOf) {
      return false;
    }
    seenAtNanos = Moments.later(seenAtNanos, pinnedServedAtNanos);
    pinnedServedAtNanos = Moments.NEVER;
    forgetWhatWasProved();
    pinnedGeneration = generation;
    pinnedServer = server;
    changes++;
    return true;
  }

  /**
   * Since when the primary serves this request for no other reason than what was seen there before.
   *
   * @param nowNanos when it does so now
   */
  public long onPrimarySince(long nowNanos) {
    long since = onPrimarySinceNanos;
    if (since == Moments.NEVER) {
      onPrimarySinceNanos = nowNanos;
      return nowNanos;
    }
    return since;
  }

  /** A replica has answered: whatever serves next must show what was there to see. */
  public void served(int server, long nowNanos) {
    if (onPrimarySinceNanos != Moments.NEVER) {
      onPrimarySinceNanos = Moments.NEVER;
    }
    if (pinnedServer == server) {
      pinnedServedAtNanos = nowNanos;
    } else {
      sawPrimary(nowNanos);
    }
  }

  /** The pinned replica will not serve any more; what was read there has been seen. */
  public synchronized void lostPin(int server) {
    if (pinnedServer == server) {
      seenAtNanos = Moments.later(seenAtNanos, pinnedServedAtNanos);
      pinnedServedAtNanos = Moments.NEVER;
      forgetWhatWasProved();
      pinnedServer = NOT_PINNED;
      changes++;
    }
  }

  /**
   * What the request has written, for those who must read it.
   *
   * <p>Writes without a GTID make it incomplete, until the primary was asked for its whole set
   * after them: then that set stands for them.
   *
   * @param primaryExecuted what the primary said it had executed; empty if it is not known
   * @param askedAtNanos when the primary was asked for that; {@link Moments#NEVER} if it was not
   */
  public synchronized WritePosition position(
      ClusterId cluster, GtidSet primaryExecuted, long askedAtNanos) {
    GtidSet written = writes.everything().gtids();
    if (unprovedWriteAtNanos != Moments.NEVER) {
      boolean covered =
          !primaryExecuted.isEmpty()
              && Moments.reaches(askedAtNanos, unprovedWriteAtNanos + VISIBILITY_MARGIN_NANOS);
      return covered
          ? WritePosition.of(cluster, written.union(primaryExecuted))
          : WritePosition.incomplete(cluster, written);
    }
    return written.isEmpty()
        ? WritePosition.nothingWritten(cluster)
        : WritePosition.of(cluster, written);
  }

  /**
   * What the request has written and seen, for the same user's next one.
   *
   * @param state tells which server is which, and the primary's clock
   */
  public synchronized ConsistencyToken token(ClusterState state, long nowNanos) {
    ClusterId cluster = state.cluster();
    GtidSet general = writes.general().gtids();
    List<ConsistencyToken.Narrowed> narrowed = new ArrayList<>();
    if (writes.narrowed().size() > ConsistencyToken.MAX_NARROWED) {
      general = writes.everything().gtids();
    } else {
      for (Writes.Narrowed write : writes.narrowed()) {
        narrowed.add(new ConsistencyToken.Narrowed(write.key(), write.bound().gtids()));
      }
    }
    boolean complete = unprovedWriteAtNanos == Moments.NEVER;
    WritePosition position =
        !complete
            ? WritePosition.incomplete(cluster, general)
            : general.isEmpty()
                ? WritePosition.nothingWritten(cluster)
                : WritePosition.of(cluster, general);
    long since = onPrimarySinceNanos;
    ConsistencyToken token =
        ConsistencyToken.of(position)
            .narrowed(narrowed)
            .onPrimary(
                since == Moments.NEVER ? 0 : TimeUnit.NANOSECONDS.toMillis(nowNanos - since));
    long writtenAt = writes.everything().atNanos();
    if (seenAtNanos == Moments.NEVER
        && writtenAt == Moments.NEVER
        && pinnedServedAtNanos == Moments.NEVER) {
      return token;
    }
    SeenMoment seen = seen(state, writtenAt, nowNanos);
    boolean sawAnything = seenAtNanos != Moments.NEVER || pinnedServedAtNanos != Moments.NEVER;
    return seen != null ? token.saw(seen) : sawAnything ? token.sawUnknown() : token;
  }

  /** The moments on the primary's clock; null if that cannot be told. */
  private @Nullable SeenMoment seen(ClusterState state, long writtenAt, long nowNanos) {
    PrimaryClock clock = state.primaryClock();
    if (clock == null || clock.toMicros(nowNanos, nowNanos) == Moments.NEVER) {
      return null;
    }
    long seenAt = seenAtNanos;
    UUID replica = null;
    boolean showsAll = false;
    if (pinnedServer != NOT_PINNED && pinnedServedAtNanos != Moments.NEVER) {
      ServerState server = state.server(pinnedServer);
      replica = server.generation() == pinnedGeneration ? server.serverUuid() : null;
      if (replica == null) {
        seenAt = Moments.later(seenAt, pinnedServedAtNanos);
      } else {
        showsAll = showsAll(server);
      }
    }
    return new SeenMoment(
        clock.server(),
        micros(clock, seenAt, nowNanos),
        micros(clock, writtenAt, nowNanos),
        replica,
        replica == null ? Moments.NEVER : micros(clock, pinnedServedAtNanos, nowNanos),
        showsAll);
  }

  private boolean showsAll(ServerState pinned) {
    Writes.Bound written = writes.everything();
    long fresh = pinned.freshAsOfNanos();
    return Moments.reaches(Moments.later(fresh, pinnedShowsSeenNanos), seenAtNanos)
        && (Moments.reaches(Moments.later(fresh, pinnedShowsWrittenNanos), written.atNanos())
            || (!written.gtids().isEmpty() && pinned.executed().contains(written.gtids())));
  }

  private long micros(PrimaryClock clock, long momentNanos, long nowNanos) {
    if (momentNanos == Moments.NEVER) {
      return Moments.NEVER;
    }
    ReceivedToken.Told told = this.told;
    long micros =
        told == null || !told.moment().clock().equals(clock.server())
            ? Moments.NEVER
            : told.micros(momentNanos);
    return micros == Moments.NEVER ? clock.toMicros(momentNanos, nowNanos) : micros;
  }

  /**
   * Tokens of other clusters that came with the request and go on with it; unread here. At most
   * {@link TokenList#MAX_TOKENS}, the newest.
   */
  public synchronized List<String> passengers() {
    return List.copyOf(passengers);
  }

  /**
   * Takes tokens of other clusters along.
   *
   * @param instead tokens that these stand for as well, and which are dropped
   */
  public synchronized void passengers(List<String> tokens, List<String> instead) {
    instead.forEach(passengers::remove);
    passengers.addAll(tokens);
    changes++;
    while (passengers.size() > TokenList.MAX_TOKENS) {
      passengers.remove(passengers.iterator().next());
    }
  }

  /** Counts up with everything that may change what {@link #token} says. */
  public long changes() {
    // Reads are too frequent to be counted; they show by the moment they leave.
    return changes * 0x9E37_79B9_7F4A_7C15L + pinnedServedAtNanos;
  }

  /** Tells which thread's context the request was opened in. */
  public void openedIn(CallContext context) {
    home = context;
  }

  boolean wasOpenedIn(CallContext context) {
    return home == context;
  }

  /** Nobody will use this request again. */
  public void close() {
    closed.set(true);
  }

  /** Whether {@link #close} was called. */
  public boolean isClosed() {
    return closed.get();
  }

  /** What {@link #isClosed} says, for those who must not keep the request itself alive. */
  public AtomicBoolean closed() {
    return closed;
  }

  @Override
  public Writes writes() {
    return writes;
  }

  @Override
  public long seenAtNanos() {
    return seenAtNanos;
  }

  @Override
  public long stickyUntilNanos() {
    return stickyUntilNanos;
  }

  @Override
  public int pinnedServer() {
    return pinnedServer;
  }

  @Override
  public long pinnedGeneration() {
    return pinnedGeneration;
  }

  @Override
  public long pinnedServedAtNanos() {
    return pinnedServedAtNanos;
  }

  @Override
  public long pinnedShowsSeenNanos() {
    return pinnedShowsSeenNanos;
  }

  @Override
  public long pinnedShowsWrittenNanos() {
    return pinnedShowsWrittenNanos;
  }
}
