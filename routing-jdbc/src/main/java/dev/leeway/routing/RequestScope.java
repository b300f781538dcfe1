package dev.leeway.routing;

import dev.leeway.gate.EntityKey;
import dev.leeway.gate.GtidSet;
import dev.leeway.gate.WritePosition;
import dev.leeway.routing.context.CallContext;
import dev.leeway.routing.context.ScopeState;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One request, or one job: what it has written and seen, and the replica it reads.
 *
 * <p>A scope that is opened inside another one on the same thread belongs to the same request: it
 * begins with what the outer one has written and seen, and hands its own on when it is closed.
 *
 * <p>Within a scope a read never shows less than the scope has written, nor less than an earlier
 * read of the same scope has shown. A scope is opened on the thread that works for the request and
 * closed there, best with try-with-resources; other threads that work for the same request {@link
 * #attach} it.
 *
 * <p>Safe for any number of threads, except that each thread detaches and closes what it has
 * attached and opened.
 */
public final class RequestScope implements AutoCloseable {
  private final Leeway leeway;
  private final ScopeMode mode;
  private final ScopeState state;
  private final @Nullable RequestScope outer;
  private final @Nullable OpenedAt openedAt;
  private @Nullable ForgottenScopes watched;
  private ForgottenScopes.@Nullable Trace trace;

  RequestScope(
      Leeway leeway, ScopeMode mode, @Nullable RequestScope outer, @Nullable OpenedAt openedAt) {
    this.leeway = leeway;
    this.mode = mode;
    this.outer = outer;
    this.openedAt = openedAt;
    this.state = new ScopeState(mode.stickyNanos(), this);
  }

  /** The name of the cluster that this scope is of, as {@link Leeway#name}. */
  public String cluster() {
    return leeway.name();
  }

  /** How this scope makes sure that it reads its own writes. */
  public ScopeMode mode() {
    return mode;
  }

  /**
   * What this scope has written, to be handed to whoever must read it.
   *
   * <p>Incomplete if something was written whose GTID is not known, such as an update that changed
   * nothing; who gets that reads the primary, or a replica that is known to be fresh enough.
   *
   * @throws OpenTransactionException if a read-write transaction is open on this thread: what it
   *     writes has no position before it is committed
   */
  public WritePosition position() {
    return leeway.positionOf(state);
  }

  /**
   * What this scope has written and seen, as a text that the next request of the same user gives to
   * {@link Leeway#openScope(String)}: signed if Leeway was given keys, so that it can travel
   * through a browser; otherwise only for places that trusted code alone can write. Tokens of other
   * clusters that came with the request are in it too.
   *
   * @return printable ASCII fit for a cookie and a header; fewer than 256 characters for a request
   *     that wrote once, and at most {@value WritePosition#MAX_TOKEN_LENGTH}
   * @throws OpenTransactionException as {@link #position}
   */
  public String toToken() {
    return leeway.tokenOf(state);
  }

  /**
   * Like {@link #toToken}, but leaves out what a transaction that is still open on this thread
   * writes: nobody can read that yet, on whatever server.
   */
  public String toTokenOfCommitted() {
    return leeway.tokenOfCommitted(state);
  }

  /**
   * Takes over what the token says as if this scope had been opened with it: what another service,
   * working for the same user, has written and seen. Unlike one to open with, it may come at any
   * time.
   *
   * @param token what {@link #toToken} gave; null and what is not accepted change nothing
   */
  public void adopt(@Nullable String token) {
    adopt(token, null);
  }

  /**
   * Takes over the answer to a token that was sent somewhere.
   *
   * @param token the answer
   * @param sent what {@link #toToken} gave to be sent: where both speak of other clusters, the
   *     answer takes its place; null if nothing was sent
   */
  public void adopt(@Nullable String token, @Nullable String sent) {
    leeway.adopt(state, token, sent);
  }

  /**
   * Takes over what somebody else has written, such as the position that came with a message.
   *
   * @throws IllegalArgumentException if the position is of another cluster
   */
  public void adopt(WritePosition position) {
    leeway.checkCluster(position);
    state.adopt(position, System.nanoTime());
  }

  /** This scope has committed transactions by other means than Leeway's data source. */
  public void wrote(GtidSet gtids) {
    state.wrote(gtids, System.nanoTime());
  }

  /**
   * What this thread has committed last concerns one entity and no other: a read that says that it
   * reads something else is not bound by it.
   *
   * <p>Called again before the next commit, it adds a further entity: name every one that the
   * transaction wrote. A write that no call follows binds every read. So does a write whose GTID is
   * not known, and what a transaction has read: narrowing makes reads freer where writing alone
   * would hold them up, such as an entry in an audit log.
   *
   * @param kind any name that {@link ReadIntent#entity(String)} of the reads agrees with
   * @param id told apart by its text
   */
  public void wrote(String kind, Object id) {
    leeway.narrow(state, EntityKey.of(kind, id));
  }

  /** Like {@link #wrote(String, Object)}, for any number of entities of one kind. */
  public void wrote(String kind) {
    leeway.narrow(state, EntityKey.of(kind));
  }

  /**
   * A number that is another one after this scope has written or seen something new. Cheap.
   *
   * @see #toToken
   */
  public long changes() {
    return state.changes();
  }

  /** This scope has seen the primary's data by other means than Leeway's data source. */
  public void sawPrimary() {
    state.sawPrimary(System.nanoTime());
  }

  /**
   * From now on the primary serves every read of this scope, whatever its intent, because nobody
   * knows what it must show.
   */
  public void stayOnPrimary() {
    state.stayOnPrimary();
  }

  /** The replica that serves this scope, if one was chosen. */
  public Optional<String> pinnedReplica() {
    int pinned = state.pinnedServer();
    return pinned < 0 ? Optional.empty() : Optional.of(leeway.serverName(pinned));
  }

  /**
   * Makes this scope the current one of the calling thread, which works for the same request.
   *
   * @return what gives the thread its former scope back; closed on the same thread
   */
  public Attachment attach() {
    CallContext context = leeway.contexts().current();
    ScopeState before = context.attach(state);
    return () -> context.attach(before);
  }

  /**
   * Takes the scope off the calling thread, where it was opened, without ending it: the request
   * goes on elsewhere. Whoever ends the request closes it, on whatever thread.
   */
  public void detach() {
    leeway.closing(this);
  }

  /** A scope made current on a thread. */
  @FunctionalInterface
  public interface Attachment extends AutoCloseable {
    /** Makes the thread's former scope current again. Never throws. */
    @Override
    void close();
  }

  /** Whether {@link #close} was called. */
  public boolean isClosed() {
    return state.isClosed();
  }

  /**
   * Ends the scope and makes the one around it current again. Calling it again does nothing.
   *
   * <p>A scope that was opened inside this one and is still open was forgotten; it is reported and
   * closed with this one.
   */
  @Override
  public void close() {
    if (state.isClosed()) {
      return;
    }
    leeway.closing(this);
    end();
  }

  /** Tells who watches for scopes that are never closed. */
  void watchedBy(ForgottenScopes watcher, ForgottenScopes.Trace newTrace) {
    watched = watcher;
    trace = newTrace;
  }

  /** Ends it without looking at any thread. */
  void end() {
    RequestScope around = outer;
    if (around != null && !state.isClosed()) {
      around.state.adopt(state);
    }
    state.close();
    if (watched != null && trace != null) {
      watched.closed(trace);
    }
  }

  ScopeState state() {
    return state;
  }

  @Nullable RequestScope outer() {
    return outer;
  }

  @Nullable OpenedAt openedAt() {
    return openedAt;
  }

  @Override
  public String toString() {
    long seen = state.seenAtNanos();
    return "scope ("
        + mode
        + ", wrote "
        + state.writes().everything().gtids().describe()
        + (seen == Long.MIN_VALUE
            ? ""
            : ", saw the primary "
                + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - seen)
                + " ms ago")
        + pinnedReplica().map(name -> ", reads " + name).orElse("")
        + (isClosed() ? ", closed" : "")
        + ")";
  }
}
