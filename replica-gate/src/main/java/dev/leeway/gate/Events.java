package dev.leeway.gate;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells listeners what changed, on a thread of its own.
 *
 * <p>Nothing is queued: the thread compares the newest state with the one it told last, so a slow
 * listener costs no memory and hears of the present.
 */
final class Events {
  private static final Logger log = LoggerFactory.getLogger(Events.class);

  private final String clusterName;
  private final Supplier<ClusterState> newest;
  private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
  private final Thread thread;
  private volatile boolean closed;

  Events(String clusterName, Supplier<ClusterState> newest) {
    this.clusterName = clusterName;
    this.newest = newest;
    thread = Threads.daemon("leeway-" + clusterName + "-events", this::run);
  }

  void start() {
    thread.start();
  }

  ClusterListener.Registration add(ClusterListener listener) {
    Subscription subscription = new Subscription(listener, newest.get());
    subscriptions.add(subscription);
    return () -> subscriptions.remove(subscription);
  }

  /** There may be news. */
  void signal() {
    LockSupport.unpark(thread);
  }

  /** Tells the thread to end. */
  void stop() {
    closed = true;
    signal();
  }

  Thread thread() {
    return thread;
  }

  private void run() {
    @Nullable ClusterState seen = null;
    while (!closed) {
      ClusterState state = newest.get();
      if (state == seen) {
        // A listener that parked may have used up the signal, so the state is looked at first.
        LockSupport.park(this);
        continue;
      }
      seen = state;
      for (Subscription subscription : subscriptions) {
        if (!closed) {
          subscription.tell(state);
        }
      }
    }
  }

  private final class Subscription {
    private final ClusterListener listener;

    /** For the thread alone, once it is subscribed. */
    private ClusterState told;

    Subscription(ClusterListener listener, ClusterState told) {
      this.listener = listener;
      this.told = told;
    }

    void tell(ClusterState state) {
      ClusterState before = told;
      if (state.version() == before.version()) {
        return;
      }
      told = state;
      for (int i = 0; i < state.serverCount(); i++) {
        ServerState old = before.server(i);
        ServerState now = state.server(i);
        if (old.health() != now.health() || !old.findings().equals(now.findings())) {
          guarded(() -> listener.serverChanged(old, now));
        }
      }
      if (before.primaryIndex() != state.primaryIndex()
          || before.cluster().epoch() != state.cluster().epoch()) {
        guarded(
            () ->
                listener.primaryChanged(
                    before.primaryIndex(), state.primaryIndex(), state.cluster().epoch()));
      }
      guarded(() -> listener.stateChanged(state));
    }

    private void guarded(Runnable call) {
      try {
        call.run();
      } catch (RuntimeException e) {
        log.warn("{} - listener {} failed and was skipped", clusterName, listener, e);
      }
    }
  }
}
