package dev.leeway.gate;

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What is known of a cluster at one moment. Immutable; reading it never locks and never waits. */
public final class ClusterState {
  private final ClusterId cluster;
  private final ServerState[] servers;
  private final List<ServerState> serverList;
  private final int primaryIndex;
  private final String primaryExplanation;
  private final HeartbeatStatus heartbeat;
  private final long version;
  private final @Nullable PrimaryClock primaryClock;

  private ClusterState(
      ClusterId cluster,
      List<ServerState> servers,
      int primaryIndex,
      String primaryExplanation,
      HeartbeatStatus heartbeat,
      long version,
      @Nullable PrimaryClock primaryClock) {
    this.cluster = cluster;
    this.serverList = List.copyOf(servers);
    this.servers = serverList.toArray(new ServerState[0]);
    this.primaryIndex = primaryIndex;
    this.primaryExplanation = primaryExplanation;
    this.heartbeat = heartbeat;
    this.version = version;
    this.primaryClock = primaryClock;
  }

  /**
   * A state put together by hand, for tests and for those who learn of servers elsewhere.
   *
   * @param servers each at its own {@link ServerState#index}
   * @param primaryIndex the primary's index, or −1 if no server is known to be it
   * @param primaryExplanation why that one is, or none is, the primary: one clause
   * @throws IllegalArgumentException if an index does not fit
   */
  public static ClusterState of(
      ClusterId cluster,
      List<ServerState> servers,
      int primaryIndex,
      String primaryExplanation,
      HeartbeatStatus heartbeat,
      long version) {
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(primaryExplanation, "primaryExplanation");
    Objects.requireNonNull(heartbeat, "heartbeat");
    for (int i = 0; i < servers.size(); i++) {
      if (servers.get(i).index() != i) {
        throw new IllegalArgumentException(
            "Cluster state - server "
                + servers.get(i).name()
                + " of index "
                + servers.get(i).index()
                + " at place "
                + i
                + " (expected: each at its own index)");
      }
    }
    if (primaryIndex < -1 || primaryIndex >= servers.size()) {
      throw new IllegalArgumentException(
          "Cluster state - primary index "
              + primaryIndex
              + " (expected: -1 to "
              + (servers.size() - 1)
              + ")");
    }
    return new ClusterState(
        cluster, servers, primaryIndex, primaryExplanation, heartbeat, version, null);
  }

  /** The same state, in which the primary's clock has been read. */
  public ClusterState withPrimaryClock(@Nullable PrimaryClock clock) {
    return new ClusterState(
        cluster, serverList, primaryIndex, primaryExplanation, heartbeat, version, clock);
  }

  /** The cluster's name and the epoch, which is one higher after each change of primary. */
  public ClusterId cluster() {
    return cluster;
  }

  /** All servers, each at its {@link ServerState#index}. Unmodifiable. */
  public List<ServerState> servers() {
    return serverList;
  }

  /** How many servers there are. */
  public int serverCount() {
    return servers.length;
  }

  /** One server. Allocates nothing. */
  public ServerState server(int index) {
    return servers[index];
  }

  /** The server that takes writes, or −1 if none is known to. */
  public int primaryIndex() {
    return primaryIndex;
  }

  /** The server that takes writes, or null if none is known to. */
  public @Nullable ServerState primary() {
    return primaryIndex < 0 ? null : servers[primaryIndex];
  }

  /** Why that server is, or no server is, the primary: one clause for messages. */
  public String primaryExplanation() {
    return primaryExplanation;
  }

  /** The server of this {@code server_uuid}, or null. */
  public @Nullable ServerState serverOf(UUID serverUuid) {
    for (ServerState server : servers) {
      if (serverUuid.equals(server.serverUuid())) {
        return server;
      }
    }
    return null;
  }

  /** What the primary's own heartbeat says about its writer. */
  public HeartbeatStatus heartbeat() {
    return heartbeat;
  }

  /** The clock of the primary; null if it was never read. */
  public @Nullable PrimaryClock primaryClock() {
    return primaryClock;
  }

  /** Counts up with each state that a monitor publishes. */
  public long version() {
    return version;
  }

  /** One line: cluster, primary, and each server. */
  @Override
  public String toString() {
    return cluster
        + " primary "
        + (primaryIndex < 0 ? "unknown" : servers[primaryIndex].name())
        + " "
        + serverList
        + ", heartbeat "
        + heartbeat;
  }
}
