package dev.leeway.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The way back to a cluster on which the next test can rely. */
final class Settling {
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private Settling() {}

  /**
   * Undoes all faults and returns when every replica follows the primary and has all it has.
   *
   * @throws ClusterException if that is not so within the bound; the message lists what is wrong
   */
  static void settle(Topology topology, Duration bound) {
    long deadline = System.nanoTime() + bound.toNanos();
    List<ClusterException> problems = new ArrayList<>(topology.faults().undoAll());
    MySqlServer primary = topology.primary();
    if (problems.isEmpty()) {
      for (MySqlServer replica : topology.replicas()) {
        try {
          settle(topology, primary, replica, deadline);
        } catch (ClusterException e) {
          problems.add(e);
        }
      }
      try {
        requireWritable(primary);
      } catch (ClusterException e) {
        problems.add(e);
      }
    }
    if (!problems.isEmpty()) {
      ClusterException failure =
          new ClusterException(
              "testkit - the cluster is not healthy again within "
                  + bound.toSeconds()
                  + " s: "
                  + String.join(
                      "; ", problems.stream().map(e -> String.valueOf(e.getMessage())).toList())
                  + ". Use faults of the testkit, which know how to undo themselves, or start a"
                  + " cluster of its own for this test.");
      problems.forEach(failure::addSuppressed);
      throw failure;
    }
  }

  private static void settle(
      Topology topology, MySqlServer primary, MySqlServer replica, long deadline) {
    awaitHealthy(replica, primary, deadline);
    if (!"1".equals(replica.ask("SELECT @@global.super_read_only"))) {
      throw new ClusterException(
          replica.name() + " - super_read_only was switched off and not on again");
    }
    String errant = Replication.errant(replica, primary);
    if (!errant.isEmpty()) {
      throw new ClusterException(
          replica.name() + " - has executed " + errant + ", which " + primary.name() + " has not");
    }
    if (topology.delay().isZero()) {
      Replication.awaitExecuted(replica, primary.executedGtids(), left(deadline));
    } else {
      // Waiting a deliberate delay out would only cost time.
      ReplicationFaults.setDelay(replica, Duration.ZERO);
      Replication.awaitExecuted(replica, primary.executedGtids(), left(deadline));
      ReplicationFaults.setDelay(replica, topology.delay());
    }
  }

  /** A thread that does not run is not started by waiting; one that cannot connect yet may. */
  private static void awaitHealthy(MySqlServer replica, MySqlServer primary, long deadline) {
    Duration left = left(deadline);
    Duration first = left.compareTo(PATIENCE) < 0 ? left : PATIENCE;
    try {
      Replication.awaitHealthy(replica, primary, first);
    } catch (ClusterException e) {
      boolean mayRecover =
          Replication.status(replica)
              .filter(status -> !status.receiver().equals("No"))
              .filter(status -> status.applier().equals("Yes"))
              .isPresent();
      if (!mayRecover) {
        throw e;
      }
      Replication.awaitHealthy(replica, primary, left(deadline));
    }
  }

  private static void requireWritable(MySqlServer primary) {
    if (!"0".equals(primary.ask("SELECT @@global.read_only"))) {
      throw new ClusterException(primary.name() + " - is read-only and should be writable");
    }
  }

  private static Duration left(long deadline) {
    return Duration.ofNanos(Math.max(1_000_000, deadline - System.nanoTime()));
  }
}
