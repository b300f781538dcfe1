package dev.leeway.annotation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A file of routes: one per line; empty lines and lines that start with {@code #} say nothing. */
final class LineFile {
  private LineFile() {}

  static String print(Collection<RoutedMethod> routes) {
    StringBuilder text = new StringBuilder();
    for (RoutedMethod route : routes) {
      text.append(route).append('\n');
    }
    return text.toString();
  }

  /**
   * Reads routes.
   *
   * @param source who speaks in the error message
   * @param refusal why a route does not belong into this file, or null if it does
   * @throws IllegalArgumentException if a line is not a route, does not belong here, or repeats a
   *     method
   */
  static List<RoutedMethod> parse(
      String text, String source, Function<RoutedMethod, @Nullable String> refusal) {
    List<RoutedMethod> routes = new ArrayList<>();
    Set<String> methods = new HashSet<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      RoutedMethod route;
      try {
        route = RouteLine.parse(line);
      } catch (IllegalArgumentException e) {
        throw refused(source, number, e.getMessage(), e);
      }
      String problem = refusal.apply(route);
      if (problem == null && !methods.add(route.repository() + '#' + route.signature())) {
        problem = "repeats a method (expected: each method once)";
      }
      if (problem != null) {
        throw refused(source, number, problem, null);
      }
      routes.add(route);
    }
    return routes;
  }

  private static IllegalArgumentException refused(
      String source, int line, @Nullable String problem, @Nullable Exception cause) {
    return new IllegalArgumentException("%s line %d: %s".formatted(source, line, problem), cause);
  }
}
