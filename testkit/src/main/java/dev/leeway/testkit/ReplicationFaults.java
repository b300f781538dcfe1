package dev.leeway.testkit;

import java.time.Duration;

/** Faults of replication itself, made with the server's own statements. */
final class ReplicationFaults {
  private static final Duration RECOVERY_BOUND = Duration.ofSeconds(30);

  private static final int BORROWED_NUMBERS = 1000;

  private final Topology topology;

  ReplicationFaults(Topology topology) {
    this.topology = topology;
  }

  Fault delay(MySqlServer replica, Duration delay) {
    requireReplica(replica, "delay");
    Replication.requireWholeSeconds(delay);
    return add(
        replica,
        "applies everything " + delay.toSeconds() + " s late",
        replica.delays().set(delay));
  }

  /**
   * Takes effect at once, also on transactions that are already waiting their time. An applier that
   * does not run is not started by it.
   */
  static void setDelay(MySqlServer replica, Duration delay) {
    String change = "CHANGE REPLICATION SOURCE TO SOURCE_DELAY=" + delay.toSeconds();
    boolean running =
        Replication.status(replica).filter(status -> status.applier().equals("Yes")).isPresent();
    if (running) {
      replica.order("STOP REPLICA SQL_THREAD", change, "START REPLICA SQL_THREAD");
    } else {
      replica.order(change);
    }
  }

  Fault pauseApplier(MySqlServer replica) {
    requireReplica(replica, "pauseApplier");
    return add(replica, "applier stopped", replica.pauses().set(true));
  }

  Fault stopReceiving(MySqlServer replica) {
    requireReplica(replica, "stopReceiving");
    return add(replica, "receiver stopped", replica.deafness().set(true));
  }

  Fault detach(MySqlServer replica) {
    requireReplica(replica, "detach");
    replica.order("STOP REPLICA", "RESET REPLICA ALL");
    return add(
        replica,
        "detached from its source",
        () -> Replication.attach(replica, topology.primary(), topology.delay()));
  }

  Fault forgetSuperReadOnly(MySqlServer replica) {
    requireReplica(replica, "forgetSuperReadOnly");
    replica.order("SET GLOBAL super_read_only=OFF", "SET GLOBAL read_only=OFF");
    return add(
        replica,
        "is writable",
        () -> {
          replica.order("SET GLOBAL super_read_only=ON");
          MySqlServer primary = topology.primary();
          if (!Replication.errant(replica, primary).isEmpty()) {
            rebuild(replica, primary);
          }
        });
  }

  Fault longStatement(MySqlServer replica, Duration duration) {
    requireReplica(replica, "longStatement");
    HeldLock lock = HeldLock.take(replica, duration, "FLUSH TABLES WITH READ LOCK");
    Fault fault = add(replica, "applier blocked for " + duration.toMillis() + " ms", lock::release);
    try {
      // An applier without work would not be blocked by anything.
      topology.primary().order("INSERT INTO " + Replication.PROBE + " VALUES (DEFAULT)");
    } catch (ClusterException e) {
      fault.close();
      throw e;
    }
    return fault;
  }

  Fault blockHeartbeatWriter(MySqlServer primary, String table) {
    if (!topology.isPrimary(primary)) {
      throw new IllegalStateException(
          "testkit - blockHeartbeatWriter: "
              + primary.name()
              + " (expected: the primary, which is "
              + topology.primary().name()
              + ")");
    }
    if (!table.matches("\\w+\\.\\w+")) {
      throw new IllegalArgumentException(
          "testkit - blockHeartbeatWriter: '" + table + "' (expected: schema.table)");
    }
    HeldLock lock = HeldLock.take(primary, Duration.ofHours(1), "LOCK TABLES " + table + " READ");
    return topology
        .faults()
        .add(primary, FaultLedger.Kind.LOCK, "writes to " + table + " wait", lock::release);
  }

  /** Gives a server an empty data directory and lets it apply everything from the source anew. */
  void rebuild(MySqlServer server, MySqlServer source) {
    server.stopNow();
    server.process().wipe();
    server.startNow();
    // A server leaves out what carries its own number, and here it needs what it once wrote itself.
    int number = Integer.parseInt(server.ask("SELECT @@server_id"));
    server.order("SET GLOBAL server_id=" + (number + BORROWED_NUMBERS));
    Replication.attach(server, source, Duration.ZERO);
    Replication.awaitHealthy(server, source, RECOVERY_BOUND);
    Replication.awaitExecuted(server, source.executedGtids(), RECOVERY_BOUND);
    server.order("STOP REPLICA", "SET GLOBAL server_id=" + number);
    Replication.attach(server, source, topology.delay());
  }

  private Fault add(MySqlServer replica, String description, FaultLedger.Undo undo) {
    return topology.faults().add(replica, FaultLedger.Kind.REPLICATION, description, undo);
  }

  private void requireReplica(MySqlServer server, String fault) {
    if (!topology.isReplica(server)) {
      throw new IllegalStateException(
          "testkit - "
              + fault
              + ": "
              + server.name()
              + " is no replica (expected: one of "
              + topology.replicas()
              + ")");
    }
  }
}
