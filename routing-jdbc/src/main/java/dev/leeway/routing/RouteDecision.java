package dev.leeway.routing;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Where one statement went, and why.
 *
 * @param server the name of the server, as given to the builder
 * @param reason why this server
 * @param staleness how old the data was at most when the decision was made, as far as it was
 *     proved; zero on the primary, empty where nothing was proved
 */
public record RouteDecision(String server, Reason reason, Optional<Duration> staleness) {
  /** Refuses null. */
  public RouteDecision {
    Objects.requireNonNull(server, "server");
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(staleness, "staleness");
  }

  /** The role of the server at that moment. */
  public Reason.Role role() {
    return reason.role();
  }

  /** One line: server, reason, staleness. */
  @Override
  public String toString() {
    return server
        + " ("
        + reason
        + ": "
        + reason.sentence()
        + staleness.map(age -> ", at most " + age.toMillis() + " ms old").orElse("")
        + ")";
  }
}
