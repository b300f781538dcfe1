package dev.leeway.gate;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/** Looks at every state that a monitor publishes: waits for one, and remembers who served. */
final class StateProbe implements AutoCloseable {
  private final ClusterMonitor monitor;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition published = lock.newCondition();
  private final Runnable hook = this::look;
  private final Set<String> served = new TreeSet<>();
  private final Set<HeartbeatStatus> heartbeats = EnumSet.noneOf(HeartbeatStatus.class);
  private double mostStaleSeconds;

  StateProbe(ClusterMonitor monitor) {
    this.monitor = monitor;
    monitor.onPublish(hook);
    look();
  }

  /** The first state for which this holds; fails with what was seen last. */
  ClusterState await(String what, Duration bound, Predicate<ClusterState> condition)
      throws InterruptedException {
    long left = bound.toNanos();
    lock.lock();
    try {
      while (true) {
        ClusterState state = monitor.state();
        if (condition.test(state)) {
          return state;
        }
        if (left <= 0) {
          throw new AssertionError(
              "not within "
                  + bound.toMillis()
                  + " ms: "
                  + what
                  + ". Last seen: "
                  + describe(state));
        }
        left = published.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until every server may serve. */
  void awaitAllServing() throws InterruptedException {
    await(
        "every server serves",
        Duration.ofSeconds(15),
        state -> state.servers().stream().allMatch(ServerState::mayServe));
  }

  /** Starts to remember anew. */
  void forget() {
    lock.lock();
    try {
      served.clear();
      heartbeats.clear();
      mostStaleSeconds = 0;
    } finally {
      lock.unlock();
    }
  }

  /** The servers that might have served in at least one state since {@link #forget}. */
  Set<String> served() {
    lock.lock();
    try {
      return new TreeSet<>(served);
    } finally {
      lock.unlock();
    }
  }

  Set<HeartbeatStatus> heartbeats() {
    lock.lock();
    try {
      return EnumSet.copyOf(heartbeats);
    } finally {
      lock.unlock();
    }
  }

  /** The largest age of a replica in any state since {@link #forget}. */
  double mostStaleSeconds() {
    lock.lock();
    try {
      return mostStaleSeconds;
    } finally {
      lock.unlock();
    }
  }

  static long stalenessMillis(ServerState server) {
    long nanos = server.stalenessNanos(System.nanoTime());
    return nanos == Long.MAX_VALUE ? Long.MAX_VALUE : nanos / 1_000_000;
  }

  @Override
  public void close() {
    monitor.removeHook(hook);
  }

  private void look() {
    lock.lock();
    try {
      ClusterState state = monitor.state();
      heartbeats.add(state.heartbeat());
      long now = System.nanoTime();
      for (ServerState server : state.servers()) {
        if (server.mayServe()) {
          served.add(server.name());
        }
        if (server.index() != state.primaryIndex()) {
          mostStaleSeconds = Math.max(mostStaleSeconds, server.stalenessNanos(now) / 1e9);
        }
      }
      published.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private static String describe(ClusterState state) {
    StringBuilder text = new StringBuilder(state + " (" + state.primaryExplanation() + ")");
    for (ServerState server : state.servers()) {
      text.append(", ")
          .append(server.name())
          .append(' ')
          .append(stalenessMillis(server))
          .append(" ms ")
          .append(server.findings())
          .append(server.problem() == null ? "" : " " + server.problem());
    }
    return text.toString();
  }
}
