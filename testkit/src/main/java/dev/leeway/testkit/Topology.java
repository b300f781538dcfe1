package dev.leeway.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Who is who in a cluster now, and what is wrong with it on purpose. */
final class Topology {
  private final List<MySqlServer> servers = new ArrayList<>();
  private final Set<MySqlServer> retired = ConcurrentHashMap.newKeySet();
  private final Duration delay;
  private final FaultLedger faults = new FaultLedger();
  private volatile @Nullable MySqlServer primary;

  Topology(Duration delay) {
    this.delay = delay;
  }

  /** The first server that is added is the primary. */
  void add(MySqlServer server) {
    servers.add(server);
    if (primary == null) {
      primary = server;
    }
  }

  List<MySqlServer> servers() {
    return List.copyOf(servers);
  }

  MySqlServer primary() {
    MySqlServer current = primary;
    if (current == null) {
      throw new IllegalStateException("a cluster has a primary from its start");
    }
    return current;
  }

  /** The servers that follow the primary, or shall. */
  List<MySqlServer> replicas() {
    MySqlServer current = primary();
    return servers.stream()
        .filter(server -> server != current && !retired.contains(server))
        .toList();
  }

  void promoted(MySqlServer next) {
    retired.add(primary());
    primary = next;
  }

  void restored(MySqlServer former) {
    retired.remove(former);
    primary = former;
  }

  boolean isPrimary(MySqlServer server) {
    return server == primary();
  }

  boolean isReplica(MySqlServer server) {
    return replicas().contains(server);
  }

  /** How far replicas stay behind when nothing is wrong. */
  Duration delay() {
    return delay;
  }

  FaultLedger faults() {
    return faults;
  }

  Optional<MySqlServer> named(String name) {
    return servers.stream().filter(server -> server.name().equals(name)).findFirst();
  }
}
