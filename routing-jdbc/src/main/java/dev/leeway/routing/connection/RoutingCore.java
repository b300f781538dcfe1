package dev.leeway.routing.connection;

import com.zaxxer.hikari.HikariDataSource;
import dev.leeway.gate.ClusterState;
import dev.leeway.gate.Finding;
import dev.leeway.gate.ServerState;
import dev.leeway.routing.NoWritableServerException;
import dev.leeway.routing.PoolSettings;
import dev.leeway.routing.PrimaryBudget;
import dev.leeway.routing.RoutingMode;
import dev.leeway.routing.context.Contexts;
import dev.leeway.routing.context.DecisionRecorder;
import dev.leeway.routing.context.ScopeState;
import dev.leeway.routing.decide.Router;
import dev.leeway.routing.decide.Routes;
import dev.leeway.routing.decide.ServerLoad;
import dev.leeway.statement.StatementGuard;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all connections of one Leeway share: pools, router, the state of the cluster, and the way to
 * wait for it. Thread-safe. Owns its pools and one thread.
 */
public final class RoutingCore implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RoutingCore.class);

  /** How long statements on a former primary may go on after it was replaced. */
  private static final long RETIRE_AFTER_MILLIS = 2_000;

  private final Builder settings;
  // Copies of what the fast path needs, one step nearer.
  private final Contexts contexts;
  private final Supplier<ClusterState> state;
  private final StatementGuard guard;
  private final DecisionRecorder recorder;
  private final boolean shadow;
  private final boolean timesStatements;

  private final ScopeState ambient;
  private final Routes routes;
  private final Router router;
  private final ServerPools[] pools;
  private final Outcomes outcomes;
  private final StatementRouting routing;
  private final SharedMetaData metaData;
  private final ScheduledThreadPoolExecutor housekeeping;

  /** To close a pool can take seconds, for which the housekeeping must not stand still. */
  private final ScheduledThreadPoolExecutor closing;

  private final SilentReplicas silent;

  private final Set<HikariDataSource> retired = ConcurrentHashMap.newKeySet();
  private final Set<HikariDataSource> outlived = ConcurrentHashMap.newKeySet();
  private final List<Runnable> looks = new CopyOnWriteArrayList<>();
  private final Object primaryKnown = new Object();
  private volatile boolean closed;

  private RoutingCore(Builder settings) {
    this.settings = settings;
    this.contexts = settings.contexts;
    this.state = settings.state;
    this.guard = settings.guard;
    this.recorder = settings.recorder;
    this.shadow = settings.mode == RoutingMode.SHADOW;
    this.timesStatements = settings.recorder.timesStatements();
    this.ambient = new ScopeState(0, null);
    List<String> names = settings.serverNames;
    this.routes = new Routes(names);
    ServerLoad[] loads = new ServerLoad[names.size()];
    this.pools = new ServerPools[names.size()];
    for (int i = 0; i < loads.length; i++) {
      loads[i] = new ServerLoad(settings.weights == null ? 1 : settings.weights[i]);
      pools[i] =
          new ServerPools(
              settings.name,
              names.get(i),
              i,
              settings.sources.get(i),
              settings.database,
              settings.poolSettings,
              loads[i],
              uuidOf(i),
              this::outlived);
    }
    this.router = new Router(routes, loads, settings.refused);
    this.outcomes = new Outcomes(this);
    this.routing = new StatementRouting(this, outcomes);
    this.metaData = new SharedMetaData(this);
    this.housekeeping = executor("pools");
    this.closing = executor("closing");
    closing.setKeepAliveTime(1, TimeUnit.SECONDS);
    closing.allowCoreThreadTimeOut(true);
    this.silent = new SilentReplicas(this, closing);
    housekeeping.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    housekeeping.scheduleWithFixedDelay(
        this::sweep,
        ConnectionShelf.SWEEP_INTERVAL_MILLIS,
        ConnectionShelf.SWEEP_INTERVAL_MILLIS,
        TimeUnit.MILLISECONDS);
  }

  private ScheduledThreadPoolExecutor executor(String purpose) {
    return new ScheduledThreadPoolExecutor(
        1,
        task -> {
          Thread thread = new Thread(task, "leeway-" + settings.name + "-" + purpose);
          thread.setDaemon(true);
          return thread;
        });
  }

  private Supplier<@Nullable UUID> uuidOf(int server) {
    return () -> state().server(server).serverUuid();
  }

  /** A builder for a core of this name. */
  public static Builder builder(String name) {
    return new Builder(name);
  }

  /** The name given to Leeway; begins every message. */
  public String name() {
    return settings.name;
  }

  /** Where the calling thread's intent and scope are found. */
  public Contexts contexts() {
    return contexts;
  }

  /** What code without a scope has written. */
  public ScopeState ambient() {
    return ambient;
  }

  /** The newest state of the cluster. */
  public ClusterState state() {
    return state.get();
  }

  /** Every route there is. */
  public Routes routes() {
    return routes;
  }

  Router router() {
    return router;
  }

  StatementRouting routing() {
    return routing;
  }

  Outcomes outcomes() {
    return outcomes;
  }

  StatementGuard guard() {
    return guard;
  }

  DecisionRecorder recorder() {
    return recorder;
  }

  /** What bounds the reads that the primary takes over. */
  public PrimaryBudget budget() {
    return settings.budget;
  }

  /** Whether the recorder wants to know how long statements take. */
  boolean timesStatements() {
    return timesStatements;
  }

  /** Whether decisions are made but not carried out. */
  boolean isShadow() {
    return shadow;
  }

  boolean strictGuard() {
    return settings.strictGuard;
  }

  long catchUpNanos() {
    return settings.catchUpNanos;
  }

  long measureSlackNanos() {
    return settings.measureSlackNanos;
  }

  CatchUp catchUp() {
    return settings.catchUp;
  }

  String database() {
    return settings.database;
  }

  int defaultIsolation() {
    return settings.defaultIsolation;
  }

  /** Whether rows are read through cursors of the server where a fetch size is set. */
  boolean usesCursors() {
    return settings.cursors;
  }

  int socketTimeoutMillis() {
    return settings.socketTimeoutMillis;
  }

  Logger log() {
    return log;
  }

  /** A connection to whichever server gives one, for what needs no server at all. */
  Connection anyConnection() throws SQLException {
    int primary = state().primaryIndex();
    for (ServerPools server : pools) {
      ReadingPool pool = server.index() == primary ? null : server.openedReading();
      if (pool != null) {
        try {
          return pool.connections().getConnection();
        } catch (SQLException e) {
          log.debug(
              "{} - {} gives no connection, so another one is asked", name(), server.name(), e);
        }
      }
    }
    return PrimaryHold.borrow(this).connection();
  }

  SharedMetaData metaData() {
    return metaData;
  }

  ServerPools pools(int server) {
    return pools[server];
  }

  int serverCount() {
    return pools.length;
  }

  void pollNow(int server) {
    settings.pollNow.accept(server);
  }

  boolean isClosed() {
    return closed;
  }

  /**
   * The primary's index, once one is known.
   *
   * @throws NoWritableServerException if none was known in time
   */
  int awaitPrimary() throws SQLException {
    int primary = state().primaryIndex();
    if (primary >= 0) {
      return primary;
    }
    long started = System.nanoTime();
    long left = settings.writeHoldNanos;
    synchronized (primaryKnown) {
      while ((primary = state().primaryIndex()) < 0 && left > 0 && !closed) {
        try {
          TimeUnit.NANOSECONDS.timedWait(primaryKnown, Math.min(left, 100_000_000L));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new SQLException(
              name() + " - interrupted while waiting for a server that takes writes", "70100", e);
        }
        left = settings.writeHoldNanos - (System.nanoTime() - started);
      }
    }
    if (primary >= 0) {
      return primary;
    }
    throw new NoWritableServerException(
        name()
            + " - no server is known to take writes, after waiting "
            + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started)
            + " ms ("
            + state().primaryExplanation()
            + "; expected: one primary). The statement was not sent.",
        null);
  }

  /**
   * Another server is the primary now, or none is known.
   *
   * @param oldIndex −1 if none was known
   * @param newIndex −1 if none is known
   */
  public void primaryChanged(int oldIndex, int newIndex) {
    if (closed) {
      return;
    }
    if (newIndex >= 0) {
      for (ServerPools server : pools) {
        if (server.index() != newIndex) {
          retire(server.retireWriting());
        }
      }
      retire(pools[newIndex].retireReading());
      retire(pools[newIndex].retireWritingToAnother());
      log.info(
          "{} - writes go to {} now (before: {})",
          name(),
          pools[newIndex].name(),
          oldIndex < 0 ? "none known" : pools[oldIndex].name());
    } else if (oldIndex >= 0) {
      // It may be demoted or merely away; what it answers is checked before it is used again.
      evictAll(pools[oldIndex].openedWriting());
      log.warn("{} - no server is known to take writes: {}", name(), state().primaryExplanation());
    }
    synchronized (primaryKnown) {
      primaryKnown.notifyAll();
    }
  }

  /** Has something looked at now and then, on the thread of the core, until the core is closed. */
  public void everySweep(Runnable look) {
    looks.add(look);
  }

  private void sweep() {
    for (Runnable look : looks) {
      try {
        look.run();
      } catch (RuntimeException e) {
        log.warn("{} - a regular look failed", name(), e);
      }
    }
    closeOutlived();
    silent.look(System.nanoTime());
    for (ServerPools server : pools) {
      try {
        server.sweep();
      } catch (RuntimeException e) {
        log.warn("{} - connections of {} could not be given back", name(), server.name(), e);
      }
    }
  }

  /**
   * Every connection of the pool is closed as soon as nobody uses it; new ones are asked who they
   * are.
   */
  static void evictAll(@Nullable HikariDataSource pool) {
    if (pool != null && !pool.isClosed()) {
      pool.getHikariPoolMXBean().softEvictConnections();
    }
  }

  private void retire(@Nullable HikariDataSource pool) {
    if (pool == null) {
      return;
    }
    evictAll(pool);
    retired.add(pool);
    closing.schedule(() -> closeRetired(pool), RETIRE_AFTER_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void closeRetired(HikariDataSource pool) {
    pool.close();
    retired.remove(pool);
  }

  /** Another server answers at the address; what is read from the former one may be read on. */
  private void outlived(HikariDataSource pool) {
    pool.getHikariConfigMXBean().setMinimumIdle(0);
    evictAll(pool);
    outlived.add(pool);
  }

  private void closeOutlived() {
    for (HikariDataSource pool : outlived) {
      if (pool.getHikariPoolMXBean().getActiveConnections() == 0 && outlived.remove(pool)) {
        retired.add(pool);
        closing.execute(() -> closeRetired(pool));
      }
    }
  }

  /** One line about each server, for messages. */
  String describeReplicas(ClusterState state, long nowNanos) {
    StringBuilder text = new StringBuilder();
    for (ServerState server : state.servers()) {
      if (server.index() == state.primaryIndex()) {
        continue;
      }
      if (text.length() > 0) {
        text.append(", ");
      }
      text.append(server.name()).append(" is ").append(server.health());
      long staleness = server.stalenessNanos(nowNanos);
      if (staleness != Long.MAX_VALUE) {
        text.append(" and at most ")
            .append(TimeUnit.NANOSECONDS.toMillis(staleness))
            .append(" ms old");
      }
      for (Finding finding : server.findings()) {
        text.append(", ").append(finding.sentence());
      }
      if (server.problem() != null) {
        text.append(" (").append(server.problem()).append(')');
      }
    }
    return text.length() == 0 ? "no replica is configured" : text.toString();
  }

  @Override
  public void close() {
    closed = true;
    synchronized (primaryKnown) {
      primaryKnown.notifyAll();
    }
    housekeeping.shutdownNow();
    closing.shutdownNow();
    retired.forEach(HikariDataSource::close);
    outlived.forEach(HikariDataSource::close);
    for (ServerPools server : pools) {
      server.close();
    }
  }

  /** Collects what a core is made of. Not thread-safe; used for one core. */
  public static final class Builder {
    private final String name;
    private Contexts contexts = new Contexts();
    private List<String> serverNames = List.of();
    private List<ConnectionSource> sources = List.of();
    private int @Nullable [] weights;
    private Supplier<ClusterState> state =
        () -> {
          throw new IllegalStateException("routing core - no state was given to the builder");
        };
    private CatchUp catchUp = CatchUp.NONE;
    private IntConsumer pollNow = server -> {};
    private Set<Finding> refused = Set.of();
    private PoolSettings poolSettings = PoolSettings.defaults();
    private PrimaryBudget budget = PrimaryBudget.atMost(PrimaryBudget.DEFAULT_CONCURRENT);
    private DecisionRecorder recorder = DecisionRecorder.NONE;
    private StatementGuard guard = StatementGuard.create();
    private RoutingMode mode = RoutingMode.ROUTE;
    private boolean strictGuard;
    private long catchUpNanos;
    private long measureSlackNanos;
    private long writeHoldNanos;
    private String database = "";
    private int defaultIsolation = Connection.TRANSACTION_REPEATABLE_READ;
    private int socketTimeoutMillis;
    private boolean cursors;

    private Builder(String name) {
      this.name = name;
    }

    /** Where threads keep their intents and scopes. */
    public Builder contexts(Contexts value) {
      contexts = value;
      return this;
    }

    /** Names and connection sources of the servers, in the order of the cluster's state. */
    public Builder servers(List<String> names, List<ConnectionSource> connectionSources) {
      serverNames = List.copyOf(names);
      sources = List.copyOf(connectionSources);
      return this;
    }

    /** How much of the reading each server takes, in the same order. Default: all the same. */
    public Builder weights(int... values) {
      weights = values.clone();
      return this;
    }

    /** Where the newest state of the cluster is found. Required. */
    public Builder state(Supplier<ClusterState> value) {
      state = value;
      return this;
    }

    /** How to wait for a replica. Default: not at all. */
    public Builder catchUp(CatchUp value) {
      catchUp = value;
      return this;
    }

    /** How to make the monitor look at a server at once. */
    public Builder pollNow(IntConsumer value) {
      pollNow = value;
      return this;
    }

    /** The findings that keep even a stale read away from a server. */
    public Builder refused(Set<Finding> value) {
      refused = value;
      return this;
    }

    /** Sizes and time-outs of the pools. */
    public Builder pools(PoolSettings value) {
      poolSettings = value;
      return this;
    }

    /** What bounds the reads that the primary takes over. */
    public Builder budget(PrimaryBudget value) {
      budget = value;
      return this;
    }

    /** Who is told of decisions. */
    public Builder recorder(DecisionRecorder value) {
      recorder = value;
      return this;
    }

    /** Who tells what a statement does. */
    public Builder guard(StatementGuard value) {
      guard = value;
      return this;
    }

    /** Whether decisions are carried out. */
    public Builder mode(RoutingMode value) {
      mode = value;
      return this;
    }

    /**
     * Whether anything but a plain read in a replica method is an error rather than for the
     * primary.
     */
    public Builder strictGuard(boolean value) {
      strictGuard = value;
      return this;
    }

    /** How long a read waits for a replica unless its intent says otherwise. */
    public Builder catchUpNanos(long value) {
      catchUpNanos = value;
      return this;
    }

    /** How much older than its data a measurement of a replica that keeps up can be. */
    public Builder measureSlackNanos(long value) {
      measureSlackNanos = value;
      return this;
    }

    /** How long a write waits for a primary to be known. */
    public Builder writeHoldNanos(long value) {
      writeHoldNanos = value;
      return this;
    }

    /** The schema that connections begin with. */
    public Builder database(String value) {
      database = value;
      return this;
    }

    /** The isolation that connections begin with. */
    public Builder defaultIsolation(int value) {
      defaultIsolation = value;
      return this;
    }

    /** Whether the driver reads rows through cursors of the server. Default: false. */
    public Builder cursors(boolean value) {
      cursors = value;
      return this;
    }

    /** The network time-out that connections begin with; zero for none. */
    public Builder socketTimeoutMillis(int value) {
      socketTimeoutMillis = value;
      return this;
    }

    /** Makes the core; no connection is opened yet. */
    public RoutingCore build() {
      return new RoutingCore(this);
    }
  }
}
