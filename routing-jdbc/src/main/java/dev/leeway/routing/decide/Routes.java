package dev.leeway.routing.decide;

import dev.leeway.routing.Reason;
import java.util.List;

/** Every route there can be in one cluster. Immutable. */
public final class Routes {
  private static final Reason[] REASONS = Reason.values();

  private final Route[][] routes;

  /**
   * Makes all routes.
   *
   * @param serverNames in the order of the cluster's state
   */
  public Routes(List<String> serverNames) {
    routes = new Route[serverNames.size() + 1][REASONS.length];
    for (int server = Route.NO_SERVER; server < serverNames.size(); server++) {
      String name = server == Route.NO_SERVER ? "(no primary)" : serverNames.get(server);
      for (Reason reason : REASONS) {
        routes[server + 1][reason.ordinal()] = new Route(server, name, reason);
      }
    }
  }

  /** The route to a server for a reason; {@link Route#NO_SERVER} is allowed. */
  public Route of(int server, Reason reason) {
    return routes[server + 1][reason.ordinal()];
  }

  /** How many servers there are. */
  public int serverCount() {
    return routes.length - 1;
  }
}
