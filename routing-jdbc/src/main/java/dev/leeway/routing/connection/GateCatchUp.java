package dev.leeway.routing.connection;

import dev.leeway.gate.ClusterMonitor;
import dev.leeway.gate.ClusterState;
import dev.leeway.gate.GtidSet;
import dev.leeway.gate.ReplicaGate;
import dev.leeway.gate.ServerState;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Waits by the gate and the monitor. Thread-safe. */
public final class GateCatchUp implements CatchUp {
  /** A commit is visible a moment before its GTID is in the primary's set; see ScopeState. */
  private static final long VISIBILITY_MARGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final ClusterMonitor monitor;
  private final ReplicaGate gate;

  /** Over a monitor and its gate, which the caller owns. */
  public GateCatchUp(ClusterMonitor monitor, ReplicaGate gate) {
    this.monitor = monitor;
    this.gate = gate;
  }

  @Override
  public boolean awaitOn(int server, GtidSet gtids, long timeoutNanos) {
    return gate.awaitOn(server, gtids, timeoutNanos);
  }

  /**
   * Asks the primary for its set, late enough to hold what was visible at the moment, and waits
   * until the server has executed it.
   */
  @Override
  public boolean awaitFreshAsOf(int server, long momentNanos, long timeoutNanos) {
    long deadline = System.nanoTime() + timeoutNanos;
    int primaryIndex = monitor.state().primaryIndex();
    if (primaryIndex < 0) {
      return false;
    }
    long askAt = momentNanos + VISIBILITY_MARGIN_NANOS;
    while (System.nanoTime() - askAt < 0) {
      LockSupport.parkNanos(askAt - System.nanoTime());
      if (Thread.currentThread().isInterrupted()) {
        return false;
      }
    }
    ServerState primary = askedNow(primaryIndex, deadline);
    if (primary == null
        || primary.sampledAtNanos() - askAt < 0
        || primary.executed().isEmpty()
        || !gate.awaitOn(server, primary.executed(), deadline - System.nanoTime())) {
      return false;
    }
    return monitor.state().server(server).isFreshSince(momentNanos);
  }

  private @Nullable ServerState askedNow(int index, long deadline) {
    try {
      ClusterState state =
          monitor.pollNow(index).get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      return state.primaryIndex() == index ? state.server(index) : null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } catch (ExecutionException | TimeoutException e) {
      // The primary does not answer in time, so there is nothing to wait for.
      return null;
    }
  }
}
