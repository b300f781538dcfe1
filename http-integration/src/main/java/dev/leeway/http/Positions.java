package dev.leeway.http;

import dev.leeway.gate.PositionTokens;
import dev.leeway.gate.TokenList;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.RequestScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** One text for the positions of several clusters. */
final class Positions {
  /** The header, in requests and in responses. */
  static final String HEADER = "Leeway-Position";

  /** The header of a request that has no position yet and would like one with the answer. */
  static final String NONE_YET = "-";

  private Positions() {}

  /**
   * What all scopes have written and seen.
   *
   * @param scopes of different clusters
   * @param names the clusters that are known here: what a scope merely carries along for one of
   *     these is older than what its own scope says
   * @return empty if there is nothing to say
   */
  static String textOf(List<RequestScope> scopes, Set<String> names) {
    List<String> own = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (RequestScope scope : scopes) {
      for (String token : TokenList.split(scope.toTokenOfCommitted())) {
        String cluster = PositionTokens.clusterOf(token).orElse("");
        if (cluster.equals(scope.cluster())) {
          own.add(token);
        } else if (!names.contains(cluster)) {
          others.add(token);
        }
      }
    }
    own.addAll(others);
    return TokenList.join(own);
  }

  static Set<String> namesOf(List<Leeway> leeways) {
    return leeways.stream().map(Leeway::name).collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Checks that positions can be given to strangers.
   *
   * @throws IllegalArgumentException if none is given, two have one name, or one does not sign
   */
  static List<Leeway> checked(String who, List<Leeway> leeways) {
    List<String> problems = new ArrayList<>();
    if (leeways.isEmpty()) {
      problems.add("no Leeway was given (expected: at least one)");
    }
    if (namesOf(leeways).size() < leeways.size()) {
      problems.add("two Leeways have the same name (expected: one for each cluster)");
    }
    for (Leeway leeway : leeways) {
      if (!leeway.signsTokens()) {
        problems.add(
            leeway.name()
                + " does not sign its tokens, so anybody could claim any position (expected: keys)."
                + " Give its builder tokens(PositionTokens…)");
      }
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(who + " - " + String.join("; ", problems));
    }
    return List.copyOf(leeways);
  }
}
