package dev.leeway.routing.observe;

import dev.leeway.routing.decide.Route;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** How long the statements of one method took, by server and outcome. */
final class MethodTimers {
  /** Makes and publishes the timer of a server and an outcome. */
  interface Register {
    Timer timer(String method, String server, String outcome);
  }

  private final String method;
  private final AtomicReferenceArray<Timer> timers;
  private final Register register;

  MethodTimers(String method, int servers, Register register) {
    this.method = method;
    this.timers = new AtomicReferenceArray<>(2 * (servers + 1));
    this.register = register;
  }

  Timer of(Route route, boolean failed) {
    int slot = 2 * (route.server() - Route.NO_SERVER) + (failed ? 1 : 0);
    Timer timer = timers.getAcquire(slot);
    return timer == null ? first(slot, route, failed) : timer;
  }

  private synchronized Timer first(int slot, Route route, boolean failed) {
    Timer known = timers.get(slot);
    if (known != null) {
      return known;
    }
    Timer timer = register.timer(method, route.serverName(), failed ? "error" : "success");
    timers.setRelease(slot, timer);
    return timer;
  }
}
