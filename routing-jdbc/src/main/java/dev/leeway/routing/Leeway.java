package dev.leeway.routing;

import dev.leeway.annotation.IntentBoundary;
import dev.leeway.gate.ClusterListener;
import dev.leeway.gate.ClusterMonitor;
import dev.leeway.gate.ClusterState;
import dev.leeway.gate.ConsistencyToken;
import dev.leeway.gate.EntityKey;
import dev.leeway.gate.GtidSet;
import dev.leeway.gate.ReplicaGate;
import dev.leeway.gate.ServerState;
import dev.leeway.gate.TokenList;
import dev.leeway.gate.TokenResult;
import dev.leeway.gate.WritePosition;
import dev.leeway.routing.bind.ContextBoundary;
import dev.leeway.routing.bind.RepositoryProxy;
import dev.leeway.routing.connection.RoutingCore;
import dev.leeway.routing.connection.RoutingDataSource;
import dev.leeway.routing.context.CallContext;
import dev.leeway.routing.context.Contexts;
import dev.leeway.routing.context.OpenTransaction;
import dev.leeway.routing.context.ReceivedToken;
import dev.leeway.routing.context.ScopeState;
import dev.leeway.routing.decide.Moments;
import dev.leeway.routing.decide.Route;
import dev.leeway.routing.observe.Observer;
import dev.leeway.routing.propagate.OpenContexts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Routes the statements of an application to one MySQL cluster: a primary and its replicas.
 *
 * <pre>{@code
 * try (Leeway shop =
 *     Leeway.builder("shop")
 *         .primary("db-1", "jdbc:mysql://db-1/shop", user, password)
 *         .replica("db-2", "jdbc:mysql://db-2/shop", user, password)
 *         .start()) {
 *   DataSource dataSource = shop.dataSource();
 *   ...
 * }
 * }</pre>
 *
 * <p>What runs without an intent goes to the primary. Inside {@link #read} with a {@link
 * ReadIntent#replica} intent, plain reads go to a replica that is fresh enough and shows at least
 * what the caller has written and seen. Transactions that may write are on the primary from their
 * first statement to their last, whatever the intent.
 *
 * <p>Safe for any number of threads. Owns its threads, pools and connections until {@link #close}.
 */
public final class Leeway implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Leeway.class);

  private final LeewayBuilder settings;
  private final Contexts contexts;
  private final ClusterMonitor monitor;
  private final ReplicaGate gate;
  private final RoutingCore core;
  private final Observer recorder;
  private final ClusterListener.Registration registration;
  private final DataSource dataSource;
  private final Supplier<CallContext> thisThread;
  private final IntentBoundary boundary;
  private final @Nullable ForgottenScopes watched;
  private volatile boolean closed;
  private final Set<String> refusedBefore = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean saidUnsigned = new AtomicBoolean();

  Leeway(
      LeewayBuilder settings,
      Contexts contexts,
      ClusterMonitor monitor,
      ReplicaGate gate,
      RoutingCore core,
      Observer recorder) {
    this.settings = settings;
    this.contexts = contexts;
    this.monitor = monitor;
    this.gate = gate;
    this.core = core;
    this.recorder = recorder;
    this.registration = monitor.addListener(new PrimaryChanges(core));
    this.dataSource = new RoutingDataSource(core);
    this.thisThread = contexts::current;
    this.boundary = new ContextBoundary(thisThread);
    this.watched = settings.detectsLeaks() ? new ForgottenScopes(this::leaked) : null;
    if (watched != null) {
      core.everySweep(watched::look);
    }
    OpenContexts.opened(thisThread);
  }

  /**
   * Begins a Leeway.
   *
   * @param name what messages, metrics and positions call the cluster; all applications that hand
   *     positions to each other use the same
   */
  public static LeewayBuilder builder(String name) {
    return new LeewayBuilder(Objects.requireNonNull(name, "name"));
  }

  /** The name given to {@link #builder}. */
  public String name() {
    return settings.name();
  }

  /** A data source whose connections find their server when a statement runs. */
  public DataSource dataSource() {
    return dataSource;
  }

  // ---- intents

  /** Code that gives a result. */
  @FunctionalInterface
  public interface Action<T, X extends Exception> {
    /** Runs the code. */
    T run() throws X;
  }

  /** Code that gives no result. */
  @FunctionalInterface
  public interface Work<X extends Exception> {
    /** Runs the code. */
    void run() throws X;
  }

  /**
   * Runs code under an intent, and puts the outer one in force again afterwards, whether it
   * returned or threw.
   */
  public <T, X extends Exception> T read(ReadIntent intent, Action<T, X> action) throws X {
    CallContext context = contexts.current();
    ReadIntent outer = context.enter(Objects.requireNonNull(intent, "intent"));
    try {
      return action.run();
    } finally {
      context.enter(outer);
    }
  }

  /** Runs code that writes; like {@link #read} with {@link ReadIntent#write}. */
  public <T, X extends Exception> T write(Action<T, X> action) throws X {
    return read(ReadIntent.write(), action);
  }

  /** Runs code without a result under an intent; like {@link #read}. */
  public <X extends Exception> void run(ReadIntent intent, Work<X> work) throws X {
    CallContext context = contexts.current();
    ReadIntent outer = context.enter(Objects.requireNonNull(intent, "intent"));
    try {
      work.run();
    } finally {
      context.enter(outer);
    }
  }

  /** The intent in force on this thread. */
  public ReadIntent currentIntent() {
    return contexts.current().intent();
  }

  /** Where calls of annotated repository methods enter. */
  public IntentBoundary intentBoundary() {
    return boundary;
  }

  /**
   * Makes the methods of a repository run inside the intents they declare.
   *
   * <p>An annotation on a method of the implementation counts before one on the interface's method,
   * and these before one on the class or the interface. A method that declares nothing reads the
   * primary. Only calls through the returned object are routed; what the repository calls on itself
   * runs inside the intent of the method that was entered, except that a default method which the
   * repository does not override calls the others through the returned object.
   *
   * @param type the repository's interface
   * @return the repository to use instead; as thread-safe as {@code implementation}
   * @throws IllegalArgumentException if this cannot work, or if an intent is declared where no call
   *     through the interface can reach it; the message names every mistake
   */
  public <T> T bind(Class<T> type, T implementation) {
    return RepositoryProxy.bind(boundary, type, implementation);
  }

  /** What a container's own kind of interceptor calls to run methods inside their intents. */
  public RoutingInterceptor interceptor() {
    return new RoutingInterceptor(boundary);
  }

  // ---- scopes

  /**
   * Opens a scope for a request that nothing is known of, and makes it the current one of this
   * thread.
   *
   * <p>If a scope is current already, the new one belongs to the same request; see {@link
   * RequestScope}.
   *
   * @return to be closed on this thread when the request ends
   * @throws IllegalStateException if this Leeway is closed
   */
  public RequestScope openScope() {
    if (closed) {
      throw new IllegalStateException(
          name() + " - is closed, so no scope can be opened (expected: while it is open)");
    }
    CallContext context = contexts.current();
    RequestScope outer = scopeOf(context);
    RequestScope scope;
    if (watched == null) {
      scope = new RequestScope(this, settings.scopeMode(), outer, null);
    } else {
      OpenedAt here = OpenedAt.here();
      scope = new RequestScope(this, settings.scopeMode(), withoutForgotten(outer, here), here);
      scope.watchedBy(watched, watched.watch(scope, scope.state().closed(), here));
    }
    RequestScope around = scope.outer();
    if (around != null) {
      scope.state().adopt(around.state());
    }
    scope.state().openedIn(context);
    context.attach(scope.state());
    return scope;
  }

  /**
   * Opens a scope that continues an earlier request of the same user, in this process or another.
   *
   * <p>A token that is not accepted (forged, expired, of another cluster, or no token at all) is
   * counted and otherwise ignored: the scope begins as one of which nothing is known. Sending such
   * tokens costs the primary nothing.
   *
   * @param token what {@link RequestScope#toToken} gave; null if there is none, which makes a scope
   *     as {@link #openScope()} does
   */
  public RequestScope openScope(@Nullable String token) {
    RequestScope scope = openScope();
    adopt(scope.state(), token, null);
    return scope;
  }

  void adopt(ScopeState scope, @Nullable String text, @Nullable String sent) {
    if (text == null || text.isEmpty()) {
      return;
    }
    List<String> tokens = TokenList.split(text);
    if (tokens.isEmpty()) {
      refused("MALFORMED");
    }
    List<String> passengers = new ArrayList<>();
    boolean anyAccepted = false;
    for (String token : tokens) {
      TokenResult result = settings.tokens().verify(token, name());
      ConsistencyToken accepted = result.token();
      if (accepted != null) {
        anyAccepted = true;
        adopt(scope, accepted, result.minimumAgeNanos());
      } else if (result.verdict() == TokenResult.Verdict.FOREIGN) {
        passengers.add(token);
      } else {
        refused(result.verdict().name());
      }
    }
    if (!passengers.isEmpty()) {
      scope.passengers(passengers, TokenList.split(sent));
      if (!anyAccepted) {
        refused(TokenResult.Verdict.FOREIGN.name());
      }
    }
  }

  private void adopt(ScopeState scope, ConsistencyToken token, long minimumAgeNanos) {
    ReceivedToken received =
        ReceivedToken.of(token, minimumAgeNanos, monitor.state(), System.nanoTime());
    scope.adopt(received);
    if (received.hasLost()) {
      refused("LOST");
    }
  }

  private void refused(String verdict) {
    recorder.tokenRefused(verdict);
    if (refusedBefore.add(verdict)) {
      log.warn(
          "{} - a token was not accepted ({}) and is ignored: its holder is treated as somebody of whom"
              + " nothing is known. One of a stranger does no harm; many of one kind mean that instances"
              + " disagree on keys, names or clocks. Further ones are counted, not logged.",
          name(),
          verdict);
    } else {
      log.debug("{} - a token was not accepted: {}", name(), verdict);
    }
  }

  void narrow(ScopeState scope, EntityKey key) {
    scope.narrow(contexts.current().lastWritten(), key);
  }

  /** Whether tokens are signed, so that they may travel through hands that are not trusted. */
  public boolean signsTokens() {
    return settings.tokens().isSigned();
  }

  /** How old a token may become. */
  public Duration tokenTimeToLive() {
    return settings.tokens().timeToLive();
  }

  /** The scope that is current on this thread. */
  public Optional<RequestScope> currentScope() {
    return Optional.ofNullable(scopeOf(contexts.current()));
  }

  /**
   * Has something done after the commit of the transaction that is open on this thread, with the
   * position of that commit; at once if none is.
   *
   * <p>The transaction is the newest one that was begun on this thread on a connection of {@link
   * #dataSource} and may write. What is undone by a rollback to a savepoint takes what was asked
   * for after the savepoint with it. On a connection with autocommit off, the next transaction
   * begins with the first statement after a commit, not with the commit itself.
   */
  public void afterCommit(AfterCommit action) {
    CallContext context = contexts.current();
    ScopeState scope = context.scope();
    ScopeState writer = scope == null ? core.ambient() : scope;
    OpenTransaction open = context.newestTransaction();
    if (open == null) {
      action.committed(committedPosition(writer));
      return;
    }
    open.atEnd(
        new OpenTransaction.AtEnd() {
          @Override
          public void committed(@Nullable GtidSet gtids, boolean complete) {
            WritePosition position = committedPosition(writer);
            if (!complete) {
              position =
                  position.merge(WritePosition.incomplete(position.cluster(), GtidSet.EMPTY));
            }
            action.committed(
                gtids == null
                    ? position
                    : position.merge(WritePosition.of(position.cluster(), gtids)));
          }

          @Override
          public void dropped(String why) {
            action.dropped(why);
          }
        });
  }

  private static @Nullable RequestScope scopeOf(CallContext context) {
    ScopeState state = context.scope();
    return state != null && state.owner() instanceof RequestScope scope ? scope : null;
  }

  /** The same place opens a scope again: the one it opened before was never closed. */
  private @Nullable RequestScope withoutForgotten(@Nullable RequestScope outer, OpenedAt here) {
    RequestScope kept = outer;
    while (kept != null && here.equals(kept.openedAt()) && !here.isRecursion()) {
      forgotten(kept);
      kept = kept.outer();
    }
    return kept;
  }

  void closing(RequestScope scope) {
    CallContext context = contexts.current();
    RequestScope current = scopeOf(context);
    RequestScope inner = current;
    while (inner != null && inner != scope) {
      inner = inner.outer();
    }
    if (inner == null) {
      // Closed on another thread than it was opened on; that thread will find it closed.
      return;
    }
    while (current != null && current != scope) {
      forgotten(current);
      current = current.outer();
    }
    RequestScope outer = scope.outer();
    context.attach(outer == null ? null : outer.state());
  }

  private void forgotten(RequestScope scope) {
    if (!scope.isClosed()) {
      scope.end();
      leaked(scope.openedAt());
    }
  }

  private void leaked(@Nullable OpenedAt openedAt) {
    String place =
        openedAt == null ? "a place unknown, because detectLeaks is off" : openedAt.toString();
    recorder.scopeLeaked(place);
    log.warn(
        "{} - a scope was left open and is closed now; until now what ran on its thread counted as one"
            + " request. It was opened at: {}. Use try-with-resources.",
        name(),
        place);
  }

  WritePosition positionOf(ScopeState state) {
    refuseInTransaction();
    return committedPosition(state);
  }

  /** What was written and committed; what a transaction still open writes is not in it. */
  private WritePosition committedPosition(ScopeState state) {
    ClusterState cluster = monitor.state();
    ServerState primary = cluster.primary();
    return primary == null
        ? state.position(cluster.cluster(), GtidSet.EMPTY, Moments.NEVER)
        : state.position(cluster.cluster(), primary.executed(), primary.sampledAtNanos());
  }

  private void refuseInTransaction() {
    int open = contexts.current().openTransactions().get();
    if (open > 0) {
      throw new OpenTransactionException(
          name()
              + " - the write position was asked for inside an open transaction (expected: after its"
              + " commit). What it writes has no position yet, and will have none if it is rolled back.");
    }
  }

  String tokenOf(ScopeState state) {
    refuseInTransaction();
    return tokenOfCommitted(state);
  }

  String tokenOfCommitted(ScopeState state) {
    ConsistencyToken own = state.token(monitor.state(), System.nanoTime());
    List<String> texts = new ArrayList<>();
    if (!own.isEmpty()) {
      texts.add(settings.tokens().sign(own));
      if (!signsTokens() && saidUnsigned.compareAndSet(false, true)) {
        log.info(
            "{} - tokens are not signed, because no keys were given: do not give them to browsers or"
                + " anybody else who could change them. Give the builder tokens(PositionTokens…).",
            name());
      }
    }
    texts.addAll(state.passengers());
    return TokenList.join(texts);
  }

  void checkCluster(WritePosition position) {
    if (!position.cluster().name().equals(name())) {
      throw new IllegalArgumentException(
          name()
              + " - a position of cluster '"
              + position.cluster().name()
              + "' (expected: of this one). Give clusters that share positions the same name.");
    }
  }

  String serverName(int index) {
    return monitor.state().server(index).name();
  }

  // ---- looking in

  /** Where the newest statement of this thread went, and why; empty if none has run. */
  public Optional<RouteDecision> lastDecision() {
    CallContext context = contexts.current();
    Route route = context.lastRoute();
    if (route == null) {
      return Optional.empty();
    }
    long staleness = context.lastStalenessNanos();
    return Optional.of(
        new RouteDecision(
            route.serverName(),
            route.reason(),
            staleness == Long.MAX_VALUE
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(staleness))));
  }

  /**
   * Tables that were read from a replica and then written in the same scope, so that the write may
   * rest on old data; each was logged as a warning. Each pair of methods and table once, oldest
   * first, and no more than the first 256.
   */
  public List<LostUpdate> lostUpdates() {
    return recorder.lostUpdates();
  }

  /** What is known of the servers now. */
  public ClusterState clusterState() {
    return monitor.state();
  }

  /** The monitor that measures the servers. Closed with this. */
  public ClusterMonitor monitor() {
    return monitor;
  }

  /**
   * Answers whether a replica has reached a position, and waits until one has. Closed with this.
   */
  public ReplicaGate gate() {
    return gate;
  }

  /** What bounds the reads that the primary takes over. */
  public PrimaryBudget budget() {
    return settings.budget();
  }

  /** Where this thread's intent and scope are kept. Not for applications. */
  public Contexts contexts() {
    return contexts;
  }

  /** Closes all connections and ends all threads. Calling it again does nothing. */
  @Override
  public void close() {
    closed = true;
    OpenContexts.closed(thisThread);
    registration.close();
    core.close();
    recorder.close();
    gate.close();
    monitor.close();
  }

  @Override
  public String toString() {
    return "Leeway " + monitor.state();
  }

  /** Passes changes of the primary on to the pools. */
  private record PrimaryChanges(RoutingCore core) implements ClusterListener {
    @Override
    public void primaryChanged(int oldIndex, int newIndex, long epoch) {
      core.primaryChanged(oldIndex, newIndex);
    }
  }
}
