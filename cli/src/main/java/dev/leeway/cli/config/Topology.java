package dev.leeway.cli.config;

import dev.leeway.gate.MonitorSettings;
import dev.leeway.gate.ServerEndpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A cluster as a topology file describes it: complete and free of contradictions, but not yet
 * tried.
 *
 * @param cluster the name positions are bound to
 * @param replicas possibly empty; their names differ from each other and from the primary's
 * @param monitoring how servers are watched and judged
 * @param catchUp how long a read waits for a replica before it goes to the primary
 * @param drillSchema where a drill may make its table; empty if the file names no schema
 */
public record Topology(
    String cluster,
    ServerEndpoint primary,
    List<ServerEndpoint> replicas,
    MonitorSettings monitoring,
    Duration catchUp,
    Optional<String> drillSchema) {

  public Topology {
    replicas = List.copyOf(replicas);
  }

  /** The primary first, then the replicas in file order. */
  public List<ServerEndpoint> servers() {
    List<ServerEndpoint> servers = new ArrayList<>();
    servers.add(primary);
    servers.addAll(replicas);
    return List.copyOf(servers);
  }
}
