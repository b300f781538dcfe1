package dev.leeway.routing.context;

import dev.leeway.gate.ClusterId;
import dev.leeway.gate.GtidSet;
import dev.leeway.gate.WritePosition;
import dev.leeway.routing.decide.Moments;
import dev.leeway.routing.decide.ReadDemand;
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
  private volatile GtidSet written = GtidSet.EMPTY;
  private volatile long writtenAtNanos = Moments.NEVER;
  private volatile long unprovedWriteAtNanos = Moments.NEVER;
  private volatile long seenAtNanos = Moments.NEVER;
  private volatile long stickyUntilNanos = Moments.NEVER;
  private volatile long onPrimarySinceNanos = Moments.NEVER;
  private volatile int pinnedServer = NOT_PINNED;
  private volatile long pinnedGeneration;
  private volatile long pinnedServedAtNanos = Moments.NEVER;
  private volatile @Nullable CallContext home;
  private final AtomicBoolean closed = new AtomicBoolean();

  private final @Nullable Object owner;

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
    this.owner = owner;
  }

  /** What was given to the constructor. */
  public @Nullable Object owner() {
    return owner;
  }

  /** The request committed transactions whose GTIDs are known. */
  public synchronized void wrote(GtidSet gtids, long nowNanos) {
    if (gtids.isEmpty()) {
      // "Nothing came back" is not "nothing was written"; the caller has to say which.
      throw new IllegalArgumentException("Scope - wrote(): no GTID (expected: at least one)");
    }
    if (written.intervalCount() + gtids.intervalCount() > MAX_INTERVALS) {
      wroteUnknown(nowNanos);
      written = GtidSet.EMPTY;
      return;
    }
    written = written.union(gtids);
    writtenAtNanos = Moments.later(writtenAtNanos, nowNanos);
    stick(nowNanos);
  }

  /** The request wrote, or may have written, and no GTID came back. */
  public synchronized void wroteUnknown(long nowNanos) {
    unprovedWriteAtNanos = Moments.later(unprovedWriteAtNanos, nowNanos);
    seenAtNanos = Moments.later(seenAtNanos, nowNanos);
    stick(nowNanos);
  }

  /** The request saw data as new as this moment at the latest, on the primary or elsewhere. */
  public void sawPrimary(long nowNanos) {
    long seen = seenAtNanos;
    if (Moments.later(seen, nowNanos) != seen) {
      synchronized (this) {
        seenAtNanos = Moments.later(seenAtNanos, nowNanos);
      }
    }
  }

  /**
   * Takes over what another request or process has written.
   *
   * @param nowNanos a moment after everything the position stands for
   */
  public void adopt(WritePosition position, long nowNanos) {
    if (!position.isComplete()) {
      // Whatever is missing was committed before now. A replica that is fresh as of now has it.
      synchronized (this) {
        unprovedWriteAtNanos = Moments.later(unprovedWriteAtNanos, nowNanos);
        seenAtNanos = Moments.later(seenAtNanos, nowNanos);
      }
    }
    if (!position.gtids().isEmpty()) {
      synchronized (this) {
        if (written.intervalCount() + position.gtids().intervalCount() > MAX_INTERVALS) {
          unprovedWriteAtNanos = Moments.later(unprovedWriteAtNanos, nowNanos);
          seenAtNanos = Moments.later(seenAtNanos, nowNanos);
        } else {
          written = written.union(position.gtids());
          writtenAtNanos = Moments.later(writtenAtNanos, nowNanos);
        }
      }
    }
  }

  /** From now on the primary serves this request, and no replica. */
  public synchronized void stayOnPrimary() {
    stickyUntilNanos = Long.MAX_VALUE;
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
    pinnedGeneration = generation;
    pinnedServer = server;
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
      pinnedServer = NOT_PINNED;
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
  public GtidSet written() {
    return written;
  }

  @Override
  public long writtenAtNanos() {
    return writtenAtNanos;
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
}
