package dev.leeway.gate;

import dev.leeway.gate.GateResult.Outcome;
import dev.leeway.gate.Waiter.Settled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Answers whether a replica has reached what somebody wrote, or waits until one has.
 *
 * <p>Answers come from the monitor's memory where they can. Where they cannot, the gate waits at
 * the replicas, over a bounded number of connections that all waiters share. Every wait is bounded
 * by the caller's time-out, whatever the servers do.
 *
 * <p>Only a replica that {@link ServerState#mayServe may serve} counts as having reached anything.
 *
 * <p>A thread that is interrupted while it waits gets {@link Outcome#TIMED_OUT} at once and stays
 * interrupted.
 *
 * <p>Safe for use from any thread. Close it before its monitor.
 */
public final class ReplicaGate implements AutoCloseable {
  /** Longer waits are cut to this, so that moments can be compared. */
  private static final Duration LONGEST = Duration.ofDays(1);

  private final ClusterMonitor monitor;
  private final int maxWaiters;
  private final GateMetrics metrics;
  private final ScheduledThreadPoolExecutor timer;
  private final Runnable hook = this::look;

  /** Guards the waiters and what is waited for. Never held while talking to a server. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Set<Waiter> waiters = new LinkedHashSet<>();
  private final ReplicaWaits[] waits;
  private volatile boolean closed;

  private ReplicaGate(Builder builder) {
    monitor = builder.monitor;
    maxWaiters = builder.maxWaiters;
    waits = new ReplicaWaits[monitor.endpoints().size()];
    for (int i = 0; i < waits.length; i++) {
      waits[i] = new ReplicaWaits(monitor, i, builder.connectionsPerReplica, lock);
    }
    timer =
        new ScheduledThreadPoolExecutor(
            1, task -> Threads.daemon("leeway-" + monitor.clusterName() + "-gate-timer", task));
    timer.setRemoveOnCancelPolicy(true);
    metrics =
        new GateMetrics(
            monitor.meterRegistry(), monitor.clusterName(), this::waiting, this::connections);
    monitor.onPublish(hook);
    lock.lock();
    try {
      for (int i = 1; i < waits.length; i++) {
        waits[i].start();
      }
    } finally {
      lock.unlock();
    }
  }

  /** A gate with every setting at its default. */
  public static ReplicaGate over(ClusterMonitor monitor) {
    return builder(monitor).build();
  }

  /** A builder with every setting at its default. */
  public static Builder builder(ClusterMonitor monitor) {
    return new Builder(monitor);
  }

  /**
   * Whether a replica is known to have reached the position. From memory alone, so just after a
   * write it is mostly false; {@link #hasReached(WritePosition, Duration)} gives replication its
   * moment.
   *
   * @throws IllegalArgumentException if the position is null, or says that nothing was written
   */
  public boolean hasReached(WritePosition position) {
    if (verdict(position) != null || closed) {
      return false;
    }
    ClusterState state = monitor.state();
    for (int i = 0; i < state.serverCount(); i++) {
      if (i != state.primaryIndex()
          && state.server(i).mayServe()
          && state.server(i).executed().contains(position.gtids())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a replica reaches the position in time. False for every outcome but {@link
   * Outcome#REACHED}; {@link #await} tells which.
   *
   * @param timeout zero asks the memory alone
   * @throws IllegalArgumentException if the position is null or says that nothing was written, or
   *     the time-out is negative
   */
  public boolean hasReached(WritePosition position, Duration timeout) {
    return await(position, timeout).isReached();
  }

  /**
   * Waits until a replica has reached the position.
   *
   * @param timeout zero asks the memory alone
   * @throws IllegalArgumentException if the position is null or says that nothing was written, or
   *     the time-out is negative
   */
  public GateResult await(WritePosition position, Duration timeout) {
    return awaitWithin(position, Long.MAX_VALUE, timeout);
  }

  /**
   * Waits until a replica has reached the position and its data is no older than that.
   *
   * @param timeout zero asks the memory alone
   * @throws IllegalArgumentException if the position is null or says that nothing was written, or
   *     one of the durations is negative
   */
  public GateResult await(WritePosition position, Duration maxStaleness, Duration timeout) {
    return awaitWithin(position, nanos("maxStaleness", maxStaleness), timeout);
  }

  /**
   * Like {@link #await(WritePosition, Duration)} without a thread that waits. Cancelling what is
   * returned ends the wait.
   *
   * @return completes within the time-out, on a thread of the common pool; never exceptionally
   * @throws IllegalArgumentException as {@link #await(WritePosition, Duration)}
   */
  public CompletableFuture<GateResult> awaitAsync(WritePosition position, Duration timeout) {
    long timeoutNanos = nanos("timeout", timeout);
    GateResult verdict = verdict(position);
    if (verdict != null) {
      return CompletableFuture.completedFuture(counted(verdict));
    }
    Waiter waiter = waiter(position.gtids(), Long.MAX_VALUE, Waiter.ANY, timeoutNanos);
    Settled known = enter(waiter, timeoutNanos);
    if (known != null) {
      return CompletableFuture.completedFuture(result(waiter, known));
    }
    Future<?> expiry = later(() -> expire(waiter), timeoutNanos);
    CompletableFuture<GateResult> answer =
        waiter.settled.thenApplyAsync(settled -> result(waiter, settled));
    var unused =
        answer.whenComplete(
            (result, failure) -> {
              expiry.cancel(false);
              leave(waiter);
            });
    return answer;
  }

  /**
   * Whether this replica may serve and is known to hold these transactions. From memory; allocates
   * nothing.
   *
   * @throws IllegalArgumentException if the set is empty: every server holds the empty set, so an
   *     answer would prove nothing
   */
  public boolean reachedOn(int serverIndex, GtidSet gtids) {
    requireSome(gtids);
    ServerState server = monitor.state().server(serverIndex);
    return !closed && server.mayServe() && server.executed().contains(gtids);
  }

  /**
   * Waits until this replica holds these transactions. Gives up early when the replica may no
   * longer serve.
   *
   * @param timeoutNanos zero or less asks the memory alone
   * @throws IllegalArgumentException if the set is empty
   */
  public boolean awaitOn(int serverIndex, GtidSet gtids, long timeoutNanos) {
    if (reachedOn(serverIndex, gtids)) {
      return true;
    }
    if (timeoutNanos <= 0 || !monitor.state().server(serverIndex).mayServe()) {
      return false;
    }
    Waiter waiter = waiter(gtids, Long.MAX_VALUE, serverIndex, timeoutNanos);
    Settled settled = waitFor(waiter, timeoutNanos);
    metrics.count(settled.outcome(), waitedNanos(waiter));
    return settled.outcome() == Outcome.REACHED;
  }

  /** Answers everybody who waits, and ends all threads and connections. */
  @Override
  public void close() {
    List<Waiter> left;
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      left = List.copyOf(waiters);
      left.forEach(this::remove);
    } finally {
      lock.unlock();
    }
    monitor.removeHook(hook);
    left.forEach(waiter -> waiter.settled.complete(new Settled(Outcome.NO_REPLICA, null)));
    timer.shutdownNow();
    List<Thread> ending = new ArrayList<>();
    for (ReplicaWaits replica : waits) {
      ending.addAll(replica.stop());
    }
    Threads.awaitEnd(ending);
    metrics.close();
  }

  /** How many wait. */
  int waiting() {
    lock.lock();
    try {
      return waiters.size();
    } finally {
      lock.unlock();
    }
  }

  /** How many connections the gate has. */
  int connections() {
    lock.lock();
    try {
      int count = 0;
      for (ReplicaWaits replica : waits) {
        count += replica.workerCount();
      }
      return count;
    } finally {
      lock.unlock();
    }
  }

  private GateResult awaitWithin(WritePosition position, long maxStalenessNanos, Duration timeout) {
    long timeoutNanos = nanos("timeout", timeout);
    GateResult verdict = verdict(position);
    if (verdict != null) {
      return counted(verdict);
    }
    Waiter waiter = waiter(position.gtids(), maxStalenessNanos, Waiter.ANY, timeoutNanos);
    return result(waiter, waitFor(waiter, timeoutNanos));
  }

  private Waiter waiter(GtidSet gtids, long maxStalenessNanos, int onlyServer, long timeoutNanos) {
    long now = monitor.clock().getAsLong();
    return new Waiter(gtids, maxStalenessNanos, onlyServer, now, now + timeoutNanos);
  }

  private Settled waitFor(Waiter waiter, long timeoutNanos) {
    Settled known = enter(waiter, timeoutNanos);
    if (known != null) {
      return known;
    }
    try {
      return waiter.settled.get(timeoutNanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException e) {
      // Told below, unless the answer came in this very moment.
    } catch (ExecutionException e) {
      throw new IllegalStateException("a wait never fails", e);
    }
    expire(waiter);
    return waiter.settled.join();
  }

  /** Answers from memory, or puts the waiter on the list and returns null. */
  private @Nullable Settled enter(Waiter waiter, long timeoutNanos) {
    Settled settled;
    int primaryToAsk = -1;
    lock.lock();
    try {
      if (closed) {
        return new Settled(Outcome.NO_REPLICA, null);
      }
      ClusterState state = monitor.state();
      settled = waiter.look(state, monitor.clock().getAsLong());
      if (settled == null && (timeoutNanos == 0 || state.serverCount() == 1)) {
        settled = waiter.timedOut(state);
      }
      if (settled == null && waiters.size() >= maxWaiters) {
        settled = new Settled(Outcome.USE_PRIMARY, null);
      }
      if (settled == null) {
        waiters.add(waiter);
        for (int i = 0; i < waits.length; i++) {
          if (waiter.onlyServer == Waiter.ANY || waiter.onlyServer == i) {
            waits[i].add(waiter);
          }
        }
        ServerState primary = state.primary();
        if (primary != null && !primary.mayHave().contains(waiter.gtids)) {
          primaryToAsk = primary.index();
        }
      }
    } finally {
      lock.unlock();
    }
    if (primaryToAsk >= 0) {
      // One more answer tells whether it is new or lost.
      monitor.hastenPoll(primaryToAsk);
    }
    return settled;
  }

  private Future<?> later(Runnable task, long delayNanos) {
    try {
      return timer.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // The gate has just been closed, and closing has answered everybody.
      return CompletableFuture.completedFuture(null);
    }
  }

  /** Lets through whom the newest state lets through. */
  private void look() {
    List<Waiter> through = new ArrayList<>();
    List<Settled> answers = new ArrayList<>();
    lock.lock();
    try {
      if (waiters.isEmpty()) {
        return;
      }
      ClusterState state = monitor.state();
      long now = monitor.clock().getAsLong();
      for (Waiter waiter : waiters) {
        Settled settled = waiter.look(state, now);
        if (settled != null) {
          through.add(waiter);
          answers.add(settled);
        }
      }
      through.forEach(this::remove);
      for (ReplicaWaits replica : waits) {
        replica.stateChanged();
      }
    } finally {
      lock.unlock();
    }
    for (int i = 0; i < through.size(); i++) {
      through.get(i).settled.complete(answers.get(i));
    }
  }

  private void expire(Waiter waiter) {
    leave(waiter);
    waiter.settled.complete(waiter.timedOut(monitor.state()));
  }

  private void leave(Waiter waiter) {
    lock.lock();
    try {
      remove(waiter);
    } finally {
      lock.unlock();
    }
  }

  /** Takes a waiter off the list, if it is on it; the lock is held. */
  private void remove(Waiter waiter) {
    if (waiters.remove(waiter)) {
      for (int i = 0; i < waits.length; i++) {
        if (waiter.onlyServer == Waiter.ANY || waiter.onlyServer == i) {
          waits[i].remove(waiter);
        }
      }
    }
  }

  /** What the position itself answers, whatever the servers do; null if it must be looked for. */
  private @Nullable GateResult verdict(@Nullable WritePosition position) {
    if (position == null) {
      throw new IllegalArgumentException(
          who()
              + "no position was given (expected: one). Without a position, read on the primary.");
    }
    if (!position.cluster().name().equals(monitor.clusterName())) {
      return new GateResult(
          Outcome.FOREIGN_CLUSTER,
          null,
          Duration.ZERO,
          who()
              + "the position is of cluster '"
              + position.cluster().name()
              + "' and means nothing here. Ask that cluster's gate.");
    }
    if (!position.isComplete()) {
      return new GateResult(
          Outcome.USE_PRIMARY,
          null,
          Duration.ZERO,
          who() + "the position does not say all that was written. Read on the primary.");
    }
    if (position.gtids().isEmpty()) {
      throw new IllegalArgumentException(
          who()
              + "the position says that nothing was written (expected: at least one GTID). Every server"
              + " has reached that, so there is nothing to ask.");
    }
    return null;
  }

  private void requireSome(GtidSet gtids) {
    if (gtids.isEmpty()) {
      throw new IllegalArgumentException(
          who()
              + "an empty GTID set was given (expected: at least one GTID). Every server has reached"
              + " that, so there is nothing to ask.");
    }
  }

  private long nanos(String what, Duration duration) {
    Objects.requireNonNull(duration, what);
    if (duration.isNegative()) {
      throw new IllegalArgumentException(
          who() + what + ": " + duration + " (expected: zero or more)");
    }
    return duration.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : duration.toNanos();
  }

  private GateResult result(Waiter waiter, Settled settled) {
    long waitedNanos = waitedNanos(waiter);
    metrics.count(settled.outcome(), waitedNanos);
    ServerState server = settled.server();
    return new GateResult(
        settled.outcome(),
        server == null ? null : server.name(),
        Duration.ofNanos(waitedNanos),
        explanation(waiter, settled, waitedNanos));
  }

  private GateResult counted(GateResult verdict) {
    metrics.count(verdict.outcome(), 0);
    return verdict;
  }

  private long waitedNanos(Waiter waiter) {
    return Math.max(0, monitor.clock().getAsLong() - waiter.askedAtNanos);
  }

  private String explanation(Waiter waiter, Settled settled, long waitedNanos) {
    String wanted = waiter.gtids.describe();
    String after = " within " + TimeUnit.NANOSECONDS.toMillis(waitedNanos) + " ms";
    ServerState server = settled.server();
    return switch (settled.outcome()) {
      case REACHED ->
          who() + (server == null ? "" : server.name()) + " has reached " + wanted + ".";
      case TIMED_OUT ->
          who()
              + "no replica reached "
              + wanted
              + after
              + ": "
              + describeServers(waiter)
              + ". Read on the primary, or allow more time.";
      case NO_REPLICA ->
          closed
              ? who() + "it is closed. Read on the primary."
              : who()
                  + "no replica may serve: "
                  + describeServers(waiter)
                  + ". Read on the primary.";
      case LOST ->
          who()
              + "the primary lacks "
              + wanted
              + ", so no replica can reach it: it was lost, in a failover or a restore, or has not"
              + " been written yet.";
      case USE_PRIMARY ->
          who() + "already " + maxWaiters + " wait, which is its limit. Read on the primary.";
      case FOREIGN_CLUSTER -> who() + "the position is of another cluster.";
    };
  }

  private String describeServers(Waiter waiter) {
    ClusterState state = monitor.state();
    List<String> described = new ArrayList<>();
    for (int i = 0; i < state.serverCount(); i++) {
      if (waiter.couldUse(state, i)) {
        described.add(describe(state.server(i), waiter.gtids));
      }
    }
    return described.isEmpty() ? "there is none" : String.join(", ", described);
  }

  private static String describe(ServerState server, GtidSet wanted) {
    if (server.health() == Health.UNREACHABLE) {
      return server.name() + " unreachable (" + server.problem() + ")";
    }
    if (!server.mayServe()) {
      return server.name()
          + " "
          + server.health()
          + (server.findings().isEmpty() ? "" : " " + server.findings());
    }
    return server.executed().contains(wanted)
        ? server.name() + " has it but is too stale"
        : server.name() + " lacks " + wanted.subtract(server.executed()).describe();
  }

  private String who() {
    return monitor.clusterName() + " gate - ";
  }

  /** Collects settings. Not thread-safe. */
  public static final class Builder {
    private final ClusterMonitor monitor;
    private int connectionsPerReplica = 4;
    private int maxWaiters = 10_000;

    private Builder(ClusterMonitor monitor) {
      this.monitor = Objects.requireNonNull(monitor, "monitor");
    }

    /** How many connections may wait at one replica, 1 to 100. Opened on demand. Default: 4. */
    public Builder connectionsPerReplica(int count) {
      if (count < 1 || count > 100) {
        throw new IllegalArgumentException(
            monitor.clusterName()
                + " gate - connectionsPerReplica: "
                + count
                + " (expected: 1 to 100)");
      }
      connectionsPerReplica = count;
      return this;
    }

    /** How many may wait at once; more are told to use the primary. Default: 10,000. At least 1. */
    public Builder maxWaiters(int count) {
      if (count < 1) {
        throw new IllegalArgumentException(
            monitor.clusterName() + " gate - maxWaiters: " + count + " (expected: 1 or more)");
      }
      maxWaiters = count;
      return this;
    }

    /** The gate, open for questions. */
    public ReplicaGate build() {
      return new ReplicaGate(this);
    }
  }
}
