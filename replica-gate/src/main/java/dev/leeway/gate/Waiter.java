package dev.leeway.gate;

import dev.leeway.gate.GateResult.Outcome;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Somebody who waits at the gate. Guarded by the gate's lock, but for what is final. */
final class Waiter {
  /** For {@link #onlyServer}: any replica will do. */
  static final int ANY = -1;

  final GtidSet gtids;
  final long maxStalenessNanos;
  final int onlyServer;
  final long askedAtNanos;
  final long deadlineNanos;

  /**
   * Completed by whoever takes this waiter off the gate's list; nothing of the caller's runs then.
   */
  final CompletableFuture<Settled> settled = new CompletableFuture<>();

  /** Whether the primary was seen to have the position, so that it cannot be lost. */
  private boolean onPrimary;

  /** How it ended. */
  record Settled(Outcome outcome, @Nullable ServerState server) {}

  Waiter(
      GtidSet gtids,
      long maxStalenessNanos,
      int onlyServer,
      long askedAtNanos,
      long deadlineNanos) {
    this.gtids = gtids;
    this.maxStalenessNanos = maxStalenessNanos;
    this.onlyServer = onlyServer;
    this.askedAtNanos = askedAtNanos;
    this.deadlineNanos = deadlineNanos;
  }

  /** Whether this server could let the waiter through one day. */
  boolean couldUse(ClusterState state, int index) {
    return onlyServer == ANY ? index != state.primaryIndex() : index == onlyServer;
  }

  /** What follows from the state; null if nothing yet. */
  @Nullable Settled look(ClusterState state, long nowNanos) {
    for (int i = 0; i < state.serverCount(); i++) {
      ServerState server = state.server(i);
      if (couldUse(state, i)
          && server.mayServe()
          && server.executed().contains(gtids)
          && server.stalenessNanos(nowNanos) <= maxStalenessNanos) {
        return new Settled(Outcome.REACHED, server);
      }
    }
    if (onlyServer != ANY && !state.server(onlyServer).mayServe()) {
      return new Settled(Outcome.NO_REPLICA, null);
    }
    return isLost(state) ? new Settled(Outcome.LOST, null) : null;
  }

  /** What may be answered although nothing is settled, because the time is over. */
  Settled timedOut(ClusterState state) {
    for (int i = 0; i < state.serverCount(); i++) {
      if (couldUse(state, i) && state.server(i).mayServe()) {
        return new Settled(Outcome.TIMED_OUT, null);
      }
    }
    return new Settled(Outcome.NO_REPLICA, null);
  }

  /**
   * Whoever holds a position holds it because the primary had committed it, or was committing it
   * when a replica already had it. So a primary that was asked after the question, and neither has
   * it nor is committing it, has lost it.
   */
  private boolean isLost(ClusterState state) {
    ServerState primary = state.primary();
    if (onPrimary || primary == null || primary.health() != Health.FRESH || primary.readOnly()) {
      return false;
    }
    if (primary.mayHave().contains(gtids)) {
      onPrimary = true;
      return false;
    }
    return primary.sampledAtNanos() - askedAtNanos >= 0;
  }
}
