package dev.leeway.routing.decide;

import dev.leeway.routing.Reason;

/**
 * A server and the reason to go there. One object for each pair, made at start, so that deciding
 * allocates nothing.
 */
public final class Route {
  /** The server index of a route to a primary that nobody knows at the moment. */
  public static final int NO_SERVER = -1;

  private final int server;
  private final String serverName;
  private final Reason reason;

  Route(int server, String serverName, Reason reason) {
    this.server = server;
    this.serverName = serverName;
    this.reason = reason;
  }

  /** The index of the server in the cluster's state, or {@link #NO_SERVER}. */
  public int server() {
    return server;
  }

  /** The name given to the builder. */
  public String serverName() {
    return serverName;
  }

  /** Why. */
  public Reason reason() {
    return reason;
  }

  /** Whether the statement is for a replica. */
  public boolean toReplica() {
    return reason.role() == Reason.Role.REPLICA;
  }

  @Override
  public String toString() {
    return serverName + " (" + reason + ")";
  }
}
