package dev.leeway.gate;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The waits at one replica: what is waited for, and the few connections that do it.
 *
 * <p>Each connection waits at the server for one target and then learns everything the replica has,
 * for all waiters. When every connection is busy the last one waits only for moments, so that a
 * target that no connection waits for is noticed too. So any number of waiters needs no more than
 * these connections.
 */
final class ReplicaWaits {
  private static final Logger log = LoggerFactory.getLogger(ReplicaWaits.class);
  private static final long SWEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /**
   * 1772 not a GTID set to this server, 1210 wrong arguments, 1305 no such function, 1064 syntax.
   */
  private static final Set<Integer> UNWANTED = Set.of(1772, 1210, 1305, 1064);

  private final ClusterMonitor monitor;
  private final int index;
  private final int maxWorkers;
  private final ReentrantLock lock;
  private final Condition changed;

  /* Guarded by the lock. */
  private final Map<GtidSet, Target> targets = new LinkedHashMap<>();
  private final List<Worker> workers = new ArrayList<>();
  private int busy;
  private int named;
  private boolean closed;

  /** A set that at least one waiter waits for. */
  private static final class Target {
    final GtidSet gtids;
    int waiters;
    long lastDeadlineNanos;
    boolean claimed;
    boolean refused;

    Target(GtidSet gtids, long deadlineNanos) {
      this.gtids = gtids;
      this.lastDeadlineNanos = deadlineNanos;
    }
  }

  /**
   * A target and for how long to wait for it; without a target, only a connection to have ready.
   */
  private record Job(@Nullable Target target, long sliceNanos, long generation) {}

  ReplicaWaits(ClusterMonitor monitor, int index, int maxWorkers, ReentrantLock lock) {
    this.monitor = monitor;
    this.index = index;
    this.maxWorkers = maxWorkers;
    this.lock = lock;
    this.changed = lock.newCondition();
  }

  /**
   * Makes one connection ready, so that the first waiter does not wait for it; the lock is held. It
   * stays while the gate is open; the others end when they have had nothing to do for a while.
   */
  void start() {
    startWorker();
  }

  /** Adds a waiter's target; the lock is held. */
  void add(Waiter waiter) {
    Target target = targets.get(waiter.gtids);
    if (target == null) {
      target = new Target(waiter.gtids, waiter.deadlineNanos);
      targets.put(waiter.gtids, target);
    } else if (waiter.deadlineNanos - target.lastDeadlineNanos > 0) {
      target.lastDeadlineNanos = waiter.deadlineNanos;
    }
    target.waiters++;
    stateChanged();
  }

  /** Takes a waiter's target off; the lock is held. */
  void remove(Waiter waiter) {
    Target target = targets.get(waiter.gtids);
    if (target != null && --target.waiters == 0) {
      targets.remove(waiter.gtids);
    }
  }

  /** Something may have become possible; the lock is held. */
  void stateChanged() {
    if (closed || unclaimed() == null) {
      return;
    }
    if (busy < workers.size()) {
      changed.signalAll();
    } else if (workers.size() < maxWorkers) {
      startWorker();
    }
  }

  private void startWorker() {
    Worker worker = new Worker(named++);
    workers.add(worker);
    worker.thread.start();
  }

  /** How many connections there are or are being made; the lock is held. */
  int workerCount() {
    return workers.size();
  }

  /** Tells all threads to end and ends their connections; the lock is not held. */
  List<Thread> stop() {
    List<Worker> ending;
    lock.lock();
    try {
      closed = true;
      ending = List.copyOf(workers);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    ending.forEach(worker -> worker.session.abort());
    return ending.stream().map(worker -> worker.thread).toList();
  }

  private boolean mayWait(ClusterState state) {
    return index != state.primaryIndex() && state.server(index).mayServe();
  }

  /**
   * A target that no connection waits for and the replica is not known to have; the lock is held.
   */
  private @Nullable Target unclaimed() {
    ClusterState state = monitor.state();
    if (targets.isEmpty() || !mayWait(state)) {
      return null;
    }
    GtidSet executed = state.server(index).executed();
    for (Target target : targets.values()) {
      if (!target.claimed && !target.refused && !executed.contains(target.gtids)) {
        return target;
      }
    }
    return null;
  }

  private @Nullable Job claim() {
    Target target = unclaimed();
    if (target == null) {
      return null;
    }
    target.claimed = true;
    busy++;
    long left = target.lastDeadlineNanos - monitor.clock().getAsLong();
    long slice = busy == maxWorkers ? SWEEP_NANOS : Math.max(SWEEP_NANOS, left);
    return new Job(
        target,
        Math.min(slice, WaitSession.LONGEST_SLICE.toNanos()),
        monitor.state().server(index).generation());
  }

  private final class Worker {
    final WaitSession session =
        new WaitSession(monitor.endpoints().get(index), monitor.settings().pollTimeout());
    final Thread thread;
    private final boolean stays;

    Worker(int number) {
      stays = number == 0;
      thread =
          Threads.daemon(
              "leeway-"
                  + monitor.clusterName()
                  + "-gate-"
                  + monitor.endpoints().get(index).name()
                  + "-"
                  + number,
              this::run);
    }

    private void run() {
      try {
        Job job;
        while ((job = next()) != null) {
          boolean failed = false;
          try {
            serve(job);
          } catch (SQLException e) {
            failed = true;
            explain(job, e);
          } catch (RuntimeException e) {
            failed = true;
            session.close();
            log.warn("{} gate - a wait failed unexpectedly", monitor.clusterName(), e);
          } finally {
            release(job);
          }
          if (failed) {
            pause();
          }
        }
      } finally {
        session.close();
        leave();
      }
    }

    private void serve(Job job) throws SQLException {
      session.connect(job.generation());
      if (job.target() == null) {
        session.ping();
        return;
      }
      WaitSession.Answer answer = session.await(job.target().gtids, job.sliceNanos());
      monitor.learned(index, session.generation(), answer.serverUuid(), answer.executed());
    }

    private void explain(Job job, SQLException e) {
      Target target = job.target();
      if (target == null || !session.isConnected() || !UNWANTED.contains(e.getErrorCode())) {
        session.close();
        log.debug(
            "{} gate - {}: a wait failed: {}",
            monitor.clusterName(),
            monitor.endpoints().get(index).name(),
            Connections.describe(e));
        return;
      }
      // The server lives and does not want this set, perhaps because it is too old for tags. The
      // monitor's polls still let its waiters through.
      lock.lock();
      try {
        target.refused = true;
      } finally {
        lock.unlock();
      }
      log.warn(
          "{} gate - {} refuses to wait for {}: {}. It is looked for by polls instead.",
          monitor.clusterName(),
          monitor.endpoints().get(index).name(),
          target.gtids.describe(),
          Connections.describe(e));
    }

    /** Waits for something to do; null when there is nothing to do for good or for long. */
    private @Nullable Job next() {
      lock.lock();
      try {
        long left = stays && !session.isConnected() ? 0 : IDLE_NANOS;
        while (!closed) {
          Job job = claim();
          if (job != null) {
            return job;
          }
          if (left <= 0) {
            if (!stays) {
              return null;
            }
            ClusterState state = monitor.state();
            if (mayWait(state)) {
              return new Job(null, 0, state.server(index).generation());
            }
            left = RETRY_NANOS;
          }
          left = changed.awaitNanos(left);
        }
        return null;
      } catch (InterruptedException e) {
        return null;
      } finally {
        lock.unlock();
      }
    }

    private void release(Job job) {
      lock.lock();
      try {
        Target target = job.target();
        if (target != null) {
          target.claimed = false;
          busy--;
        }
      } finally {
        lock.unlock();
      }
    }

    private void pause() {
      lock.lock();
      try {
        long left = RETRY_NANOS;
        while (!closed && left > 0) {
          left = changed.awaitNanos(left);
        }
      } catch (InterruptedException e) {
        // The next wait ends the thread.
        Thread.currentThread().interrupt();
      } finally {
        lock.unlock();
      }
    }

    private void leave() {
      lock.lock();
      try {
        workers.remove(this);
        // What came between the last look and this must not be left without anybody.
        stateChanged();
      } finally {
        lock.unlock();
      }
    }
  }
}
