package dev.leeway.gate;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Asks one server again and again, on a thread and a connection of its own. */
final class ServerPoller {
  private static final Duration LONGEST_CONNECT = Duration.ofSeconds(8);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** What the poller reports to; called on the poller's thread, without a lock held. */
  interface Reports {
    ClusterModel.@Nullable HeartbeatSource heartbeatSource();

    void answered(int index, Sample sample);

    void failed(int index, long tookNanos, String problem);

    ClusterState state();
  }

  private final int index;
  private final MonitorSettings settings;
  private final LongSupplier clock;
  private final Reports reports;
  private final PollSession session;
  private final Thread thread;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition wanted = lock.newCondition();
  private List<CompletableFuture<ClusterState>> requests = new ArrayList<>();
  private boolean hastened;
  private volatile boolean closed;

  ServerPoller(
      String clusterName,
      int index,
      ServerEndpoint endpoint,
      MonitorSettings settings,
      LongSupplier clock,
      Reports reports) {
    this.index = index;
    this.settings = settings;
    this.clock = clock;
    this.reports = reports;
    session = new PollSession(clusterName, endpoint, settings, clock);
    thread = Threads.daemon("leeway-" + clusterName + "-poll-" + endpoint.name(), this::run);
  }

  void start() {
    thread.start();
  }

  /** Completes with the state after a poll that starts after this call, answered or not. */
  CompletableFuture<ClusterState> pollNow() {
    CompletableFuture<ClusterState> request = new CompletableFuture<>();
    lock.lock();
    try {
      if (!closed) {
        requests.add(request);
        wanted.signal();
        return request;
      }
    } finally {
      lock.unlock();
    }
    request.completeExceptionally(new IllegalStateException("the monitor is closed"));
    return request;
  }

  /** Asks at once. */
  void hasten() {
    lock.lock();
    try {
      hastened = true;
      wanted.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Tells the thread to end; it ends soon, and never later than a connection attempt takes. */
  void stop() {
    lock.lock();
    try {
      closed = true;
      wanted.signal();
    } finally {
      lock.unlock();
    }
    session.abort();
  }

  Thread thread() {
    return thread;
  }

  private void run() {
    int failures = 0;
    try {
      while (!closed) {
        List<CompletableFuture<ClusterState>> served = takeRequests();
        long startedNanos = clock.getAsLong();
        failures = pollOnce(startedNanos, failures) ? 0 : failures + 1;
        ClusterState state = reports.state();
        for (CompletableFuture<ClusterState> request : served) {
          // Elsewhere, because what hangs on it is not ours to wait for.
          request.completeAsync(() -> state);
        }
        pauseUntil(startedNanos + pauseNanos(failures));
      }
    } finally {
      closed = true;
      session.abort();
      for (CompletableFuture<ClusterState> request : takeRequests()) {
        request.completeExceptionally(new IllegalStateException("the monitor is closed"));
      }
    }
  }

  private boolean pollOnce(long startedNanos, int failures) {
    boolean hadConnection = session.isConnected();
    try {
      Sample sample;
      try {
        sample = poll(failures);
      } catch (SQLException e) {
        if (!hadConnection || closed || Connections.isTimeout(e)) {
          throw e;
        }
        // A connection that broke says nothing of the server; a second one does.
        sample = poll(failures);
      }
      if (!closed) {
        reports.answered(index, sample);
      }
      return true;
    } catch (SQLException | RuntimeException e) {
      if (!closed) {
        reports.failed(index, clock.getAsLong() - startedNanos, Connections.describe(e));
      }
      return false;
    }
  }

  private Sample poll(int failures) throws SQLException {
    return session.poll(reports.heartbeatSource(), connectTimeout(failures));
  }

  /**
   * Longer after each failure. A server that hangs accepts connections all the same, and each one
   * given up counts against us at the server ({@code max_connect_errors}) when it wakes; waiting
   * longer on one gives up fewer and is answered as soon as it does.
   */
  private Duration connectTimeout(int failures) {
    Duration timeout = settings.pollTimeout().multipliedBy(1L << Math.min(failures, 10));
    return timeout.compareTo(LONGEST_CONNECT) < 0
        ? timeout
        : settings.pollTimeout().compareTo(LONGEST_CONNECT) < 0
            ? LONGEST_CONNECT
            : settings.pollTimeout();
  }

  private long pauseNanos(int failures) {
    long interval = settings.pollInterval().toNanos();
    long pause =
        failures == 0
            ? interval
            : Math.max(interval, Math.min(LONGEST_PAUSE_NANOS, interval << Math.min(failures, 10)));
    // Without this, instances that were started together would ask together for ever.
    return (long) (pause * (0.9 + 0.2 * ThreadLocalRandom.current().nextDouble()));
  }

  private List<CompletableFuture<ClusterState>> takeRequests() {
    lock.lock();
    try {
      List<CompletableFuture<ClusterState>> taken = requests;
      requests = new ArrayList<>();
      hastened = false;
      return taken;
    } finally {
      lock.unlock();
    }
  }

  private void pauseUntil(long deadlineNanos) {
    lock.lock();
    try {
      long left = deadlineNanos - clock.getAsLong();
      while (!closed && requests.isEmpty() && !hastened && left > 0) {
        left = wanted.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      // Nobody is meant to interrupt this thread; whoever does wants it to end.
      closed = true;
    } finally {
      lock.unlock();
    }
  }
}
