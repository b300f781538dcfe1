package dev.leeway.testkit;

import java.time.Duration;

/** A planned change of the primary, and the way back. */
final class Failover {
  private static final Duration BOUND = Duration.ofSeconds(30);

  private final Topology topology;
  private final ReplicationFaults replication;

  Failover(Topology topology, ReplicationFaults replication) {
    this.topology = topology;
    this.replication = replication;
  }

  /**
   * Makes a replica the primary. The former primary stays up, read-only, and follows nobody; if it
   * is down, what the replica has not received is lost, as in life.
   */
  Fault promote(MySqlServer next) {
    MySqlServer former = topology.primary();
    if (!topology.isReplica(next)) {
      throw new IllegalStateException(
          "testkit - promote: "
              + next.name()
              + " is no replica (expected: one of "
              + topology.replicas()
              + ")");
    }
    if (former.process().isAlive()) {
      former.order("SET GLOBAL super_read_only=ON");
      Replication.awaitExecuted(next, former.executedGtids(), BOUND);
    }
    next.order(
        "STOP REPLICA",
        "RESET REPLICA ALL",
        "SET GLOBAL super_read_only=OFF",
        "SET GLOBAL read_only=OFF");
    topology.promoted(next);
    Fault fault =
        topology
            .faults()
            .add(
                next,
                FaultLedger.Kind.ROLE,
                "is the primary instead of " + former.name(),
                () -> restore(former, next));
    for (MySqlServer replica : topology.replicas()) {
      Replication.attach(replica, next, topology.delay());
    }
    return fault;
  }

  private void restore(MySqlServer former, MySqlServer interim) {
    interim.order("SET GLOBAL super_read_only=ON");
    if (!former.process().isAlive()) {
      former.startNow();
    }
    if (Replication.errant(former, interim).isEmpty()) {
      Replication.attach(former, interim, Duration.ZERO);
      Replication.awaitExecuted(former, interim.executedGtids(), BOUND);
    } else {
      // It has commits that were lost in the failover; it can only begin anew.
      replication.rebuild(former, interim);
    }
    former.order(
        "STOP REPLICA",
        "RESET REPLICA ALL",
        "SET GLOBAL super_read_only=OFF",
        "SET GLOBAL read_only=OFF");
    topology.restored(former);
    for (MySqlServer replica : topology.replicas()) {
      Replication.attach(replica, former, topology.delay());
    }
  }
}
