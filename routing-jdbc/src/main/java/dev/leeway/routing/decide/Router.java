package dev.leeway.routing.decide;

import dev.leeway.gate.ClusterState;
import dev.leeway.gate.Finding;
import dev.leeway.gate.Health;
import dev.leeway.gate.ServerState;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.Reason;
import java.util.Collections;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Decides where a statement goes.
 *
 * <p>A function of what it is given, except that it draws lots between equally good replicas. Makes
 * no call, takes no lock and allocates nothing. Safe for any number of threads.
 */
public final class Router {
  /*
   * What makes a replica eligible
   * -----------------------------
   * It may serve (measured, fresh, nothing refused found), it is within the read's staleness, and it
   * shows at least what the caller has seen and written. The last two are proved by one moment, the
   * replica's freshness, or by its executed set containing the caller's GTIDs. Nothing is inferred
   * from silence: an unknown freshness fails every comparison.
   *
   * Which of the eligible ones
   * --------------------------
   * The one that served this caller before, if it still qualifies: only by staying does a caller never
   * go back in time at no cost. Otherwise one of two neighbours, drawn by lot, the quicker and less loaded
   * one the more often: nearly as even as asking all, and without the herd that "the least busy of
   * all" attracts.
   */

  /**
   * A read in this many goes to whichever eligible replica lots fall on, so that a slow one is
   * tried again.
   */
  private static final int EXPLORE_ONE_IN = 16;

  private static final long GOLDEN_RATIO = 0x9E37_79B9_7F4A_7C15L;

  /** Makes 53 random bits a number from 0 up to 1. */
  private static final double DOUBLE_UNIT = 0x1.0p-53;

  /** {@code excluded} for a first decision. */
  public static final int NOBODY = -1;

  private final Routes routes;
  private final ServerLoad[] loads;
  private final Set<Finding> refused;

  /** For each primary, from −1 on, the servers that are not it. */
  private final int[][] replicasBeside;

  /**
   * A router over the given servers.
   *
   * @param loads one for each server, in the order of the cluster's state
   * @param refused the findings that keep even a stale read away from a server
   */
  public Router(Routes routes, ServerLoad[] loads, Set<Finding> refused) {
    this.routes = routes;
    this.loads = loads;
    this.refused = refused;
    int count = routes.serverCount();
    this.replicasBeside = new int[count + 1][];
    for (int primary = Route.NO_SERVER; primary < count; primary++) {
      int excluded = primary;
      replicasBeside[primary + 1] =
          IntStream.range(0, count).filter(index -> index != excluded).toArray();
    }
  }

  /**
   * Where a statement outside any transaction goes.
   *
   * @param plainRead whether the statement was recognised as one that any server may answer
   * @param excluded the index of a server that has just failed, or {@link #NOBODY}
   * @param nowNanos the moment of the decision
   */
  public Route decide(
      ReadIntent intent,
      boolean plainRead,
      ReadDemand demand,
      ClusterState state,
      int excluded,
      long nowNanos) {
    switch (intent.kind()) {
      case WRITE:
        return routes.of(state.primaryIndex(), Reason.WRITE_INTENT);
      case PRIMARY:
        return routes.of(state.primaryIndex(), Reason.PRIMARY_REQUESTED);
      case UNDECLARED:
        return routes.of(state.primaryIndex(), Reason.UNDECLARED);
      case REPLICA:
        break;
    }
    if (!plainRead) {
      return routes.of(state.primaryIndex(), Reason.NOT_A_PLAIN_READ);
    }
    long stickyUntil = demand.stickyUntilNanos();
    if (stickyUntil != Moments.NEVER
        && (stickyUntil == Long.MAX_VALUE || nowNanos - stickyUntil < 0)) {
      return routes.of(state.primaryIndex(), Reason.STICKY_AFTER_WRITE);
    }
    return replica(intent, demand, state, excluded, nowNanos);
  }

  private Route replica(
      ReadIntent intent, ReadDemand demand, ClusterState state, int excluded, long nowNanos) {
    long maxStaleness = intent.maxStalenessNanos();
    Writes.Bound written = demand.writes().binding(intent.entity());
    long seenAt = demand.seenAtNanos();
    int pinned = demand.pinnedServer();
    if (pinned >= 0) {
      if (pinned != excluded && pinned != state.primaryIndex()) {
        ServerState server = state.server(pinned);
        if (isSamePin(demand, server)
            && isEligibleAsPin(server, maxStaleness, demand, written, seenAt, nowNanos)) {
          return routes.of(pinned, Reason.PINNED_REPLICA);
        }
      }
      seenAt = Moments.later(seenAt, demand.pinnedServedAtNanos());
    }
    int chosen = choose(maxStaleness, written, seenAt, state, excluded, nowNanos);
    if (chosen >= 0) {
      boolean bound = written.atNanos() != Moments.NEVER || seenAt != Moments.NEVER;
      return routes.of(chosen, bound ? Reason.REPLICA_CAUGHT_UP : Reason.STALENESS_ACCEPTED);
    }
    return routes.of(state.primaryIndex(), whyNone(maxStaleness, state, excluded, nowNanos));
  }

  /** A pin names a server as it was; one that came back changed is another server. */
  private static boolean isSamePin(ReadDemand demand, ServerState server) {
    return demand.pinnedGeneration() == server.generation();
  }

  private int choose(
      long maxStaleness,
      Writes.Bound written,
      long seenAt,
      ClusterState state,
      int excluded,
      long nowNanos) {
    int[] replicas = replicasBeside[state.primaryIndex() + 1];
    if (replicas.length == 0) {
      return -1;
    }
    // The nanoseconds of the clock, well mixed, are as good as lots and already drawn.
    long lots = mixed(nowNanos);
    int place = replicas.length == 2 ? 0 : (int) (((lots >>> 32) * replicas.length) >>> 32);
    int one = replicas[place];
    int other = replicas[place + 1 == replicas.length ? 0 : place + 1];
    boolean oneWill =
        one != excluded && isEligible(state.server(one), maxStaleness, written, seenAt, nowNanos);
    boolean otherWill =
        other != excluded
            && isEligible(state.server(other), maxStaleness, written, seenAt, nowNanos);
    if (oneWill && otherWill) {
      return better(one, other, lots);
    }
    if (oneWill || otherWill) {
      return oneWill ? one : other;
    }
    for (int index : replicas) {
      if (index != excluded
          && isEligible(state.server(index), maxStaleness, written, seenAt, nowNanos)) {
        return index;
      }
    }
    return -1;
  }

  /**
   * One of the two by lot, the cheaper one the more often: in proportion to the inverse square of
   * the costs. Equal ones share evenly, one that is twice as dear gets a quarter of what the other
   * gets, and one that is ten times as dear next to nothing; so that a difference within the noise
   * of a measurement does not send everything to one of them.
   */
  private int better(int one, int other, long lots) {
    if ((lots & (EXPLORE_ONE_IN - 1)) == 0) {
      return (lots & EXPLORE_ONE_IN) == 0 ? one : other;
    }
    double costOfOne = loads[one].cost();
    double costOfOther = loads[other].cost();
    double ofOther = costOfOther * costOfOther;
    double drawn = (lots * GOLDEN_RATIO >>> 11) * DOUBLE_UNIT * (costOfOne * costOfOne + ofOther);
    return drawn < ofOther ? one : other;
  }

  /** Every bit of the answer depends on every bit of the moment. */
  private static long mixed(long nanos) {
    long bits = (nanos ^ (nanos >>> 32)) * GOLDEN_RATIO;
    bits = (bits ^ (bits >>> 29)) * GOLDEN_RATIO;
    return bits ^ (bits >>> 32);
  }

  /** What another process has proved of the very server counts as well as what is known here. */
  private static boolean isEligibleAsPin(
      ServerState server,
      long maxStaleness,
      ReadDemand demand,
      Writes.Bound written,
      long seenAt,
      long nowNanos) {
    return server.mayServe()
        && server.stalenessNanos(nowNanos) <= maxStaleness
        && showsSeen(demand, server, seenAt)
        && (holdsWrites(server, written)
            || Moments.reaches(demand.pinnedShowsWrittenNanos(), written.atNanos()));
  }

  private static boolean showsSeen(ReadDemand demand, ServerState pinned, long seenAt) {
    return Moments.reaches(pinned.freshAsOfNanos(), seenAt)
        || Moments.reaches(demand.pinnedShowsSeenNanos(), seenAt);
  }

  private static boolean isEligible(
      ServerState server, long maxStaleness, Writes.Bound written, long seenAt, long nowNanos) {
    return server.mayServe()
        && server.stalenessNanos(nowNanos) <= maxStaleness
        && Moments.reaches(server.freshAsOfNanos(), seenAt)
        && holdsWrites(server, written);
  }

  private static boolean holdsWrites(ServerState server, Writes.Bound written) {
    return Moments.reaches(server.freshAsOfNanos(), written.atNanos())
        || (!written.gtids().isEmpty() && server.executed().contains(written.gtids()));
  }

  /**
   * The least hopeless of the findings: what would have had to be better for a replica to serve.
   */
  private Reason whyNone(long maxStaleness, ClusterState state, int excluded, long nowNanos) {
    Reason why = Reason.NO_REPLICA_AVAILABLE;
    for (int index : replicasBeside[state.primaryIndex() + 1]) {
      if (index == excluded) {
        continue;
      }
      ServerState server = state.server(index);
      if (server.mayServe()) {
        if (server.stalenessNanos(nowNanos) <= maxStaleness) {
          return Reason.NO_REPLICA_REACHED_POSITION;
        }
        why = Reason.NO_REPLICA_FRESH;
      } else if (server.health() == Health.STALE) {
        why = Reason.NO_REPLICA_FRESH;
      }
    }
    return why;
  }

  /**
   * The replica that is worth waiting for because it lacks nothing but the caller's own writes, and
   * is not known to be further behind than the wait would last.
   *
   * @param patienceNanos how far behind a replica may have been when it was last measured
   * @return its index, or −1 if waiting is pointless
   */
  public int worthWaitingFor(
      ReadIntent intent,
      ReadDemand demand,
      ClusterState state,
      int excluded,
      long patienceNanos,
      long nowNanos) {
    if (demand.writes().binding(intent.entity()).gtids().isEmpty()) {
      return -1;
    }
    return freshest(intent, demand, state, excluded, patienceNanos, nowNanos, true);
  }

  /**
   * The replica that lacks least of what the caller has seen, if waiting for it can be worth while.
   *
   * @param patienceNanos how far behind a replica may have been when it was last measured
   * @return its index, or −1
   */
  public int closest(
      ReadIntent intent,
      ReadDemand demand,
      ClusterState state,
      int excluded,
      long patienceNanos,
      long nowNanos) {
    return freshest(intent, demand, state, excluded, patienceNanos, nowNanos, false);
  }

  /** The pinned replica if it is not too far behind, otherwise the freshest one that is not. */
  private int freshest(
      ReadIntent intent,
      ReadDemand demand,
      ClusterState state,
      int excluded,
      long patienceNanos,
      long nowNanos,
      boolean mustShowSeen) {
    int best = -1;
    for (int index : replicasBeside[state.primaryIndex() + 1]) {
      ServerState server = state.server(index);
      if (index == excluded
          || !server.mayServe()
          || server.stalenessNanos(nowNanos) > intent.maxStalenessNanos()
          || (mustShowSeen && !shows(demand, server))
          || wasBehindBy(server) > patienceNanos) {
        continue;
      }
      if (index == demand.pinnedServer() && isSamePin(demand, server)) {
        return index;
      }
      if (best < 0 || server.freshAsOfNanos() - state.server(best).freshAsOfNanos() > 0) {
        best = index;
      }
    }
    return best;
  }

  /**
   * Whether some replica serves and, when it was last measured, was no further behind than this.
   */
  public boolean keepsUp(ClusterState state, int excluded, long behindNanos) {
    for (int index : replicasBeside[state.primaryIndex() + 1]) {
      ServerState server = state.server(index);
      if (index != excluded && server.mayServe() && wasBehindBy(server) <= behindNanos) {
        return true;
      }
    }
    return false;
  }

  private static long wasBehindBy(ServerState server) {
    return server.freshAsOfNanos() == Moments.NEVER || server.sampledAtNanos() == Moments.NEVER
        ? Long.MAX_VALUE
        : server.sampledAtNanos() - server.freshAsOfNanos();
  }

  /**
   * The freshest replica that answers and shows what the caller has written and seen, however stale
   * it is otherwise: for reads that would rather be stale than not be answered.
   *
   * @return its index, or −1
   */
  public int leastStale(ReadIntent intent, ReadDemand demand, ClusterState state, int excluded) {
    Writes.Bound written = demand.writes().binding(intent.entity());
    int best = -1;
    for (int index : replicasBeside[state.primaryIndex() + 1]) {
      if (index == excluded) {
        continue;
      }
      ServerState server = state.server(index);
      if (!answers(server)
          || server.freshAsOfNanos() == Moments.NEVER
          || !shows(demand, server)
          || !holdsWrites(server, written)) {
        continue;
      }
      if (best < 0 || server.freshAsOfNanos() - state.server(best).freshAsOfNanos() > 0) {
        best = index;
      }
    }
    return best;
  }

  private boolean answers(ServerState server) {
    return server.mayServe()
        || (server.health() == Health.STALE && Collections.disjoint(server.findings(), refused));
  }

  /**
   * Whether a server is proved to show what the caller has seen: more, if the caller would move to
   * it.
   */
  public static boolean shows(ReadDemand demand, ServerState server) {
    int pinned = demand.pinnedServer();
    if (pinned < 0) {
      return Moments.reaches(server.freshAsOfNanos(), demand.seenAtNanos());
    }
    if (pinned == server.index() && isSamePin(demand, server)) {
      return showsSeen(demand, server, demand.seenAtNanos());
    }
    return Moments.reaches(
        server.freshAsOfNanos(), Moments.later(demand.seenAtNanos(), demand.pinnedServedAtNanos()));
  }

  /** All routes there are. */
  public Routes routes() {
    return routes;
  }
}
