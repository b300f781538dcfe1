package dev.leeway.routing.context;

import dev.leeway.gate.GtidSet;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.decide.Moments;
import dev.leeway.routing.decide.Route;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What is in force on one thread for one Leeway: the intent, the scope, and the last decision.
 *
 * <p>Mutable, and used by its own thread only, except for the open transactions: one may be ended
 * by another thread than the one that began it.
 */
public final class CallContext {
  private final AtomicInteger openTransactions = new AtomicInteger();

  /** The newest first. Guarded by itself. */
  private final Deque<OpenTransaction> open = new ArrayDeque<>(2);

  private ReadIntent intent = ReadIntent.undeclared();
  private @Nullable ScopeState scope;
  private @Nullable Route lastRoute;
  private long lastStalenessNanos = Moments.NEVER;
  private long decidedAtNanos;
  private @Nullable UUID decidedAbout;
  private GtidSet lastWritten = GtidSet.EMPTY;

  /** A place in which the {@link DecisionRecorder} may keep what it found for this thread. */
  public @Nullable Object recorderSlot;

  /** A place for the boundary through which repository methods enter their intents. */
  public @Nullable Object boundarySlot;

  /** The intent in force; never null, {@link ReadIntent#undeclared} where nothing was entered. */
  public ReadIntent intent() {
    return intent;
  }

  /** Puts an intent in force and gives back the one before, which the caller restores. */
  public ReadIntent enter(ReadIntent entered) {
    ReadIntent outer = intent;
    intent = entered;
    return outer;
  }

  /**
   * The scope in force. One that was opened here and closed on another thread is none any more. One
   * that was handed to this thread stays, closed or not, until whoever handed it over takes it
   * back: a task that outlives its request must still see what the request wrote.
   */
  public @Nullable ScopeState scope() {
    ScopeState current = scope;
    if (current != null && current.isClosed() && current.wasOpenedIn(this)) {
      scope = null;
      return null;
    }
    return current;
  }

  /** Puts a scope in force and gives back the one before, which the caller restores. */
  public @Nullable ScopeState attach(@Nullable ScopeState attached) {
    ScopeState outer = scope;
    scope = attached;
    return outer;
  }

  /** Keeps the newest decision of this thread. */
  public void decided(Route route, long stalenessNanos) {
    lastRoute = route;
    lastStalenessNanos = stalenessNanos;
  }

  /** Keeps the moment at which the statement now on its way was decided about. */
  public void decidedAt(long nowNanos) {
    decidedAtNanos = nowNanos;
  }

  /** See {@link #decidedAt(long)}. */
  public long decidedAtNanos() {
    return decidedAtNanos;
  }

  /** Keeps which server was meant by the replica that was chosen for the statement on its way. */
  public void decidedAbout(@Nullable UUID serverUuid) {
    decidedAbout = serverUuid;
  }

  /** See {@link #decidedAbout(UUID)}; null if the monitor did not know it. */
  public @Nullable UUID decidedAbout() {
    return decidedAbout;
  }

  /** Keeps what this thread committed last; empty if its GTID is not known. */
  public void wrote(GtidSet gtids) {
    lastWritten = gtids;
  }

  /** See {@link #wrote}. */
  public GtidSet lastWritten() {
    return lastWritten;
  }

  /** Where the newest statement of this thread went. */
  public @Nullable Route lastRoute() {
    return lastRoute;
  }

  /** The staleness known when it went there. */
  public long lastStalenessNanos() {
    return lastStalenessNanos;
  }

  /** Read-write transactions that were begun on this thread and not yet ended. */
  public AtomicInteger openTransactions() {
    return openTransactions;
  }

  /** A transaction that may write was begun on this thread. */
  public void began(OpenTransaction transaction) {
    synchronized (open) {
      open.addFirst(transaction);
    }
  }

  /** It has ended, or turned out to be read-only. */
  public void ended(OpenTransaction transaction) {
    synchronized (open) {
      open.remove(transaction);
    }
  }

  /** The transaction that was begun last on this thread and is still open. */
  public @Nullable OpenTransaction newestTransaction() {
    synchronized (open) {
      return open.peekFirst();
    }
  }
}
