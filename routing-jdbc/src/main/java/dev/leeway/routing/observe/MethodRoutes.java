package dev.leeway.routing.observe;

import dev.leeway.routing.Reason;
import dev.leeway.routing.decide.Route;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;

/**
 * How often each route was taken by one method. A counter comes into being when its route is first
 * taken, so that a registry shows only what happens.
 */
final class MethodRoutes {
  private static final int REASONS = Reason.values().length;

  private final String method;
  private final AtomicReferenceArray<LongAdder> counters;
  private final BiFunction<String, Route, LongAdder> register;

  /**
   * @param register makes and publishes the counter of a route; called once for each
   */
  MethodRoutes(String method, int servers, BiFunction<String, Route, LongAdder> register) {
    this.method = method;
    this.counters = new AtomicReferenceArray<>((servers + 1) * REASONS);
    this.register = register;
  }

  void count(Route route) {
    LongAdder counter = counters.getAcquire(slot(route));
    if (counter == null) {
      counter = first(route);
    }
    counter.increment();
  }

  private synchronized LongAdder first(Route route) {
    LongAdder counter = counters.get(slot(route));
    if (counter == null) {
      counter = register.apply(method, route);
      counters.setRelease(slot(route), counter);
    }
    return counter;
  }

  private static int slot(Route route) {
    return (route.server() - Route.NO_SERVER) * REASONS + route.reason().ordinal();
  }
}
