package dev.leeway.routing.connection;

import dev.leeway.annotation.Fallback;
import dev.leeway.gate.ClusterState;
import dev.leeway.gate.ServerState;
import dev.leeway.routing.NoEligibleReplicaException;
import dev.leeway.routing.PrimaryBudgetExhaustedException;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.Reason;
import dev.leeway.routing.context.ScopeState;
import dev.leeway.routing.decide.ReadDemand;
import dev.leeway.routing.decide.Route;
import dev.leeway.routing.decide.Router;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a read does that no replica can take as things stand. Stateless but for its core. */
final class Fallbacks {
  /*
   * In this order
   * -------------
   * Wait for a replica, if one is about to have what the caller wrote. Then, unless the read would
   * rather fail, the primary within its budget. Then, if the read says so, a replica that is staler than
   * declared, though never one that lacks what the caller itself has written or seen. Then an error.
   *
   * What does not count against the budget
   * --------------------------------------
   * The budget guards the primary against the loss of its replicas. A read that is there only because its
   * caller has just seen something newer, while a replica keeps up with the primary, is no sign of that: a
   * healthy cluster must not refuse reads because its users look at what they have just done.
   *
   * Why a long request may wait although a short one does not
   * ---------------------------------------------------------
   * Each read on the primary shows newer data, so a request that reads there again and again, every time
   * because of the time before, would never leave it. A short request is done before that matters, and is
   * quicker without waiting. One that has been on the primary for a while for this reason alone waits
   * once, some milliseconds, until a replica is proved to hold what it has seen.
   */

  /** How long a scope is served by the primary because of what it saw there before it waits. */
  private static final long RETURN_AFTER_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final RoutingCore core;

  Fallbacks(RoutingCore core) {
    this.core = core;
  }

  /**
   * The route that the read takes instead.
   *
   * @param toPrimary the decision: the primary, and why no replica
   * @throws SQLException if the read must not be sent anywhere
   */
  Route instead(
      RoutedConnection connection,
      ReadIntent intent,
      ReadDemand demand,
      ClusterState state,
      Route toPrimary,
      int timeoutSeconds,
      int excluded,
      long now)
      throws SQLException {
    Reason why = toPrimary.reason();
    Route primary =
        excluded == Router.NOBODY
            ? toPrimary
            : core.routes().of(toPrimary.server(), Reason.RETRIED_ON_PRIMARY);
    if (why == Reason.NO_REPLICA_REACHED_POSITION) {
      Route waited = waitForReplica(intent, demand, state, timeoutSeconds, excluded, now);
      if (waited != null) {
        return waited;
      }
    }
    if (intent.fallback() == Fallback.FAIL) {
      throw new NoEligibleReplicaException(
          notSent(intent, state, why, now)
              + ". Allow more staleness or catchUp, or another fallback than FAIL.",
          why);
    }
    if (why == Reason.NO_REPLICA_REACHED_POSITION
        && core.router().keepsUp(state, excluded, core.measureSlackNanos())) {
      return primary;
    }
    if (connection.acquirePermit(now)) {
      return primary;
    }
    if (intent.fallback() == Fallback.STALE) {
      int stale = core.router().leastStale(intent, demand, state, excluded);
      if (stale >= 0) {
        return core.routes().of(stale, Reason.SERVED_STALE);
      }
    }
    core.recorder().budgetExhausted(intent);
    throw new PrimaryBudgetExhaustedException(
        notSent(intent, state, why, now)
            + ", and the budget for the primary is used up: "
            + core.budget()
            + ". Retry later, raise the budget, or allow the fallback STALE.",
        why);
  }

  private String notSent(ReadIntent intent, ClusterState state, Reason why, long now) {
    return core.name()
        + " - "
        + intent
        + " was not sent anywhere: "
        + why.sentence()
        + " ("
        + core.describeReplicas(state, now)
        + ")";
  }

  private @Nullable Route waitForReplica(
      ReadIntent intent,
      ReadDemand demand,
      ClusterState state,
      int timeoutSeconds,
      int excluded,
      long now) {
    long patience = patience(intent, timeoutSeconds);
    if (patience <= 0) {
      return null;
    }
    long behindAtMost = patience + core.measureSlackNanos();
    if (behindAtMost < 0) {
      behindAtMost = Long.MAX_VALUE;
    }
    int candidate =
        core.router().worthWaitingFor(intent, demand, state, excluded, behindAtMost, now);
    boolean reached;
    if (candidate >= 0) {
      reached =
          core.catchUp()
              .awaitOn(candidate, demand.writes().binding(intent.entity()).gtids(), patience);
    } else {
      if (!(demand instanceof ScopeState scope)
          || now - scope.onPrimarySince(now) < RETURN_AFTER_NANOS) {
        return null;
      }
      candidate = core.router().closest(intent, demand, state, excluded, behindAtMost, now);
      if (candidate < 0) {
        return null;
      }
      reached = core.catchUp().awaitFreshAsOf(candidate, demand.seenAtNanos(), patience);
    }
    long after = System.nanoTime();
    core.recorder().waited(after - now, reached);
    return reached && isStillGood(candidate, intent, demand, state, after)
        ? core.routes()
            .of(
                candidate,
                candidate == demand.pinnedServer()
                    ? Reason.PINNED_REPLICA
                    : Reason.REPLICA_CAUGHT_UP)
        : null;
  }

  private long patience(ReadIntent intent, int timeoutSeconds) {
    long configured = intent.catchUpNanos();
    long patience = configured == ReadIntent.CONFIGURED ? core.catchUpNanos() : configured;
    return timeoutSeconds > 0
        ? Math.min(patience, TimeUnit.SECONDS.toNanos(timeoutSeconds))
        : patience;
  }

  /** What was true before the wait may have ended during it. */
  private boolean isStillGood(
      int candidate, ReadIntent intent, ReadDemand demand, ClusterState before, long after) {
    ClusterState newer = core.state();
    ServerState server = newer.server(candidate);
    return candidate != newer.primaryIndex()
        && server.mayServe()
        && server.generation() == before.server(candidate).generation()
        && server.stalenessNanos(after) <= intent.maxStalenessNanos()
        && Router.shows(demand, server);
  }
}
