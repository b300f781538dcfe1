package dev.leeway.gate;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the servers of a cluster and publishes what is known of them.
 *
 * <p>Each server is asked by a daemon thread of its own over a connection of its own, in one round
 * trip each time; a server that hangs delays nobody else. {@link #state} is one volatile read.
 *
 * <p>Safe for use from any thread.
 */
public final class ClusterMonitor implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ClusterMonitor.class);

  private final String clusterName;
  private final List<ServerEndpoint> endpoints;
  private final MonitorSettings settings;
  private final LongSupplier clock;
  private final List<ServerPoller> pollers = new ArrayList<>();
  private final MonitorMetrics metrics;
  private final MeterRegistry registry;
  private final Events events;
  private final @Nullable HeartbeatWriter writer;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Guards the model. Held for microseconds, never while talking to anybody. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition published = lock.newCondition();
  private final ClusterModel model;
  private final List<Runnable> hooks = new CopyOnWriteArrayList<>();
  private volatile ClusterState state;
  private volatile ClusterModel.@Nullable HeartbeatSource heartbeatSource;

  private ClusterMonitor(Builder builder, ServerEndpoint primary) {
    clusterName = builder.clusterName;
    endpoints = new ArrayList<>();
    endpoints.add(primary);
    endpoints.addAll(builder.replicas);
    settings = builder.settings;
    clock = builder.clock;
    registry = builder.registry == null ? new CompositeMeterRegistry() : builder.registry;
    List<String> names = endpoints.stream().map(ServerEndpoint::name).toList();
    model = new ClusterModel(clusterName, settings, names, clock.getAsLong());
    state = model.state();
    metrics =
        new MonitorMetrics(registry, clusterName, names, () -> state, clock, new ModelReadings());
    events = new Events(clusterName, this::state);
    PollReports reports = new PollReports();
    for (int i = 0; i < endpoints.size(); i++) {
      pollers.add(new ServerPoller(clusterName, i, endpoints.get(i), settings, clock, reports));
    }
    events.start();
    pollers.forEach(ServerPoller::start);
    writer =
        settings.writeHeartbeat()
            ? new HeartbeatWriter(
                clusterName, settings, () -> heartbeatTarget(builder.heartbeatAccount))
            : null;
  }

  /**
   * Starts describing a cluster.
   *
   * @param clusterName what its positions and messages carry; see {@link ClusterId}
   * @throws IllegalArgumentException if the name is not one of a {@link ClusterId}
   */
  public static Builder builder(String clusterName) {
    return new Builder(new ClusterId(clusterName, 0).name());
  }

  /** What is known now: one volatile read. */
  public ClusterState state() {
    return state;
  }

  /** The cluster's name. */
  public String clusterName() {
    return clusterName;
  }

  /** How it measures. */
  public MonitorSettings settings() {
    return settings;
  }

  /** Where the servers are, each at its index. */
  List<ServerEndpoint> endpoints() {
    return endpoints;
  }

  MeterRegistry meterRegistry() {
    return registry;
  }

  LongSupplier clock() {
    return clock;
  }

  /** The writer of the heartbeat in this process, if it offers itself as one. */
  public Optional<HeartbeatWriter> heartbeatWriter() {
    return Optional.ofNullable(writer);
  }

  /** Tells a listener of changes from now on, until what is returned is closed. */
  public ClusterListener.Registration addListener(ClusterListener listener) {
    return events.add(Objects.requireNonNull(listener, "listener"));
  }

  /**
   * Asks a server at once instead of at its next turn. Requests that come while it is being asked
   * share the poll after that.
   *
   * @return completes with the state after a poll that was started after this call, whether it was
   *     answered or not; fails if the monitor is closed
   * @throws IndexOutOfBoundsException if there is no such server
   */
  public CompletableFuture<ClusterState> pollNow(int serverIndex) {
    return pollers.get(serverIndex).pollNow();
  }

  /** Asks a server at once, for those who hear of the answer by the state. */
  void hastenPoll(int serverIndex) {
    pollers.get(serverIndex).hasten();
  }

  /**
   * Waits until every server has answered once.
   *
   * @return whether all have; if not, {@link ServerState#problem} tells why
   */
  public boolean awaitFirstSample(Duration timeout) throws InterruptedException {
    long left = timeout.toNanos();
    lock.lockInterruptibly();
    try {
      while (!everyServerHasAnswered()) {
        if (left <= 0 || closed.get()) {
          return false;
        }
        left = published.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Ends all threads and connections. Calling it again does nothing. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    if (writer != null) {
      writer.close();
    }
    List<Thread> ending = new ArrayList<>();
    for (ServerPoller poller : pollers) {
      poller.stop();
      ending.add(poller.thread());
    }
    events.stop();
    ending.add(events.thread());
    Threads.awaitEnd(ending);
    metrics.close();
    lock.lock();
    try {
      published.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Called after each publication, on the publishing thread, without a lock held. Must not block.
   */
  void onPublish(Runnable hook) {
    hooks.add(hook);
  }

  void removeHook(Runnable hook) {
    hooks.remove(hook);
  }

  /** See {@link ClusterModel#learned}. */
  void learned(int index, long generation, UUID serverUuid, GtidSet executed) {
    boolean news;
    lock.lock();
    try {
      news = model.learned(index, generation, serverUuid, executed, clock.getAsLong());
      if (news) {
        publish();
      }
    } finally {
      lock.unlock();
    }
    if (news) {
      afterPublication();
    }
  }

  private boolean everyServerHasAnswered() {
    return state.servers().stream()
        .allMatch(server -> server.sampledAtNanos() != ServerState.UNKNOWN_NANOS);
  }

  private HeartbeatWriter.@Nullable Target heartbeatTarget(@Nullable Account account) {
    ServerState primary = state.primary();
    if (primary == null || primary.serverUuid() == null || primary.readOnly()) {
      return null;
    }
    ServerEndpoint endpoint = endpoints.get(primary.index());
    return new HeartbeatWriter.Target(
        account == null
            ? endpoint
            : new ServerEndpoint(
                endpoint.name(), endpoint.jdbcUrl(), account.user(), account.password()),
        primary.serverUuid());
  }

  /** Publishes the model's state; the lock is held. */
  private void publish() {
    state = model.state();
    heartbeatSource = model.heartbeatSource();
    published.signalAll();
  }

  private void afterPublication() {
    events.signal();
    for (Runnable hook : hooks) {
      try {
        hook.run();
      } catch (RuntimeException e) {
        // Otherwise a defect elsewhere would be taken for a poll that failed.
        log.warn("{} - a follower of the monitor failed", clusterName, e);
      }
    }
  }

  /** Lets the model take in a report, and tells the log what changed by it. */
  private void absorb(Runnable report) {
    List<Runnable> lines = new ArrayList<>();
    lock.lock();
    try {
      ClusterState before = model.state();
      report.run();
      publish();
      describeChanges(before, model.state(), lines);
    } finally {
      lock.unlock();
    }
    lines.forEach(Runnable::run);
    afterPublication();
  }

  private void describeChanges(ClusterState before, ClusterState after, List<Runnable> lines) {
    for (int i = 0; i < after.serverCount(); i++) {
      ServerState old = before.server(i);
      ServerState now = after.server(i);
      if (old.health() != now.health()) {
        String because = model.healthBecause(i);
        lines.add(
            () ->
                log.info(
                    "{} - {} is now {} (was {}): {}",
                    clusterName,
                    now.name(),
                    now.health(),
                    old.health(),
                    because));
      }
      if (!old.findings().equals(now.findings())) {
        describeFindings(old, now, model.errant(i), lines);
      }
    }
    if (before.primaryIndex() != after.primaryIndex()
        || before.cluster().epoch() != after.cluster().epoch()) {
      lines.add(() -> tellPrimary(before, after));
    }
    if (before.heartbeat() != after.heartbeat()) {
      lines.add(() -> tellHeartbeat(before.heartbeat(), after.heartbeat()));
    }
  }

  private void describeFindings(
      ServerState old, ServerState now, GtidSet errant, List<Runnable> lines) {
    Set<Finding> came = new HashSet<>(now.findings());
    came.removeAll(old.findings());
    Set<Finding> went = new HashSet<>(old.findings());
    went.removeAll(now.findings());
    for (Finding finding : came) {
      String detail = finding == Finding.ERRANT_TRANSACTIONS ? " (" + errant.describe() + ")" : "";
      String consequence = settings.refuse().contains(finding) ? ", so it serves no reads" : "";
      lines.add(
          () ->
              log.warn(
                  "{} - {}: {}{}{}",
                  clusterName,
                  now.name(),
                  finding.sentence(),
                  detail,
                  consequence));
    }
    for (Finding finding : went) {
      lines.add(
          () -> log.info("{} - {}: no longer so: {}", clusterName, now.name(), finding.sentence()));
    }
  }

  private void tellPrimary(ClusterState before, ClusterState after) {
    String was = before.primaryIndex() < 0 ? "none" : before.server(before.primaryIndex()).name();
    if (after.primaryIndex() < 0) {
      log.warn(
          "{} - no server is known to take writes (was {}): {}. Writes fail until one does.",
          clusterName,
          was,
          after.primaryExplanation());
    } else {
      log.info(
          "{} - the primary is {} (was {}), epoch {}: {}",
          clusterName,
          after.server(after.primaryIndex()).name(),
          was,
          after.cluster().epoch(),
          after.primaryExplanation());
    }
  }

  private void tellHeartbeat(HeartbeatStatus before, HeartbeatStatus after) {
    if (after == HeartbeatStatus.WRITER_DOWN) {
      log.warn(
          "{} - heartbeat writer down: the primary's own row in {} is old or missing, so nobody writes"
              + " it. This is no lag of the replicas; they are judged by positions meanwhile. Start a"
              + " writer.",
          clusterName,
          settings.heartbeatTable());
    } else if (before == HeartbeatStatus.WRITER_DOWN) {
      log.info("{} - heartbeat writer: {}", clusterName, after);
    }
  }

  /** Takes what the pollers report. */
  private final class PollReports implements ServerPoller.Reports {
    @Override
    public ClusterModel.@Nullable HeartbeatSource heartbeatSource() {
      return heartbeatSource;
    }

    @Override
    public void answered(int index, Sample sample) {
      metrics.answered(index, sample.receivedNanos() - sample.sentNanos());
      absorb(() -> model.answered(index, sample));
    }

    @Override
    public void failed(int index, long tookNanos, String problem) {
      metrics.failed(index, tookNanos);
      absorb(() -> model.failed(index, clock.getAsLong(), problem));
    }

    @Override
    public ClusterState state() {
      return state;
    }
  }

  /** Reads the model for the metrics. */
  private final class ModelReadings implements MonitorMetrics.Readings {
    @Override
    public double heartbeatLagSeconds(int index) {
      return guarded(() -> model.heartbeatLagSeconds(index, clock.getAsLong()));
    }

    @Override
    public double receiverRunning(int index) {
      return guarded(() -> model.running(index, true));
    }

    @Override
    public double applierRunning(int index) {
      return guarded(() -> model.running(index, false));
    }

    private double guarded(DoubleSupplier reading) {
      lock.lock();
      try {
        return reading.getAsDouble();
      } finally {
        lock.unlock();
      }
    }
  }

  private record Account(String user, String password) {}

  /** Describes a cluster. {@link #start} checks it. Not thread-safe. */
  public static final class Builder {
    private final String clusterName;
    private final List<ServerEndpoint> replicas = new ArrayList<>();
    private @Nullable ServerEndpoint primary;
    private @Nullable MonitorSettings chosenSettings;
    private MonitorSettings settings = MonitorSettings.defaults();
    private @Nullable MeterRegistry registry;
    private @Nullable Account heartbeatAccount;
    private LongSupplier clock = System::nanoTime;

    private Builder(String clusterName) {
      this.clusterName = clusterName;
    }

    /** The server that takes writes unless another one is seen to have taken over. Required. */
    public Builder primary(ServerEndpoint endpoint) {
      if (primary != null) {
        throw new IllegalStateException(
            clusterName + " - primary was already set to " + primary.name());
      }
      primary = Objects.requireNonNull(endpoint, "endpoint");
      return this;
    }

    /** A replica; call once for each. */
    public Builder replica(ServerEndpoint endpoint) {
      replicas.add(Objects.requireNonNull(endpoint, "endpoint"));
      return this;
    }

    /** How to measure. Default: {@link MonitorSettings#defaults}. */
    public Builder settings(MonitorSettings value) {
      if (chosenSettings != null) {
        throw new IllegalStateException(clusterName + " - settings were already set");
      }
      chosenSettings = Objects.requireNonNull(value, "value");
      settings = value;
      return this;
    }

    /** Where metrics go. Default: nowhere. */
    public Builder meterRegistry(MeterRegistry value) {
      registry = Objects.requireNonNull(value, "value");
      return this;
    }

    /** The account that writes the heartbeat. Default: each server's own. */
    public Builder heartbeatAccount(String user, String password) {
      heartbeatAccount =
          new Account(
              Objects.requireNonNull(user, "user"), Objects.requireNonNull(password, "password"));
      return this;
    }

    Builder clock(LongSupplier value) {
      clock = value;
      return this;
    }

    /**
     * Starts watching. Returns at once; servers that do not answer are asked until they do.
     *
     * @throws IllegalStateException if the description is incomplete or contradicts itself; nothing
     *     is left running then
     */
    public ClusterMonitor start() {
      List<String> problems = new ArrayList<>();
      ServerEndpoint first = primary;
      if (first == null) {
        problems.add("primary is missing; give the server that takes writes");
      }
      Set<String> names = new HashSet<>();
      if (first != null) {
        names.add(first.name());
      }
      for (ServerEndpoint replica : replicas) {
        if (!names.add(replica.name())) {
          problems.add("more than one server is named " + replica.name());
        }
      }
      if (first == null || !problems.isEmpty()) {
        throw new IllegalStateException(
            clusterName + " - cannot start: " + String.join("; ", problems));
      }
      return new ClusterMonitor(this, first);
    }
  }
}
