package dev.leeway.routing.observe;

import dev.leeway.routing.LostUpdate;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.context.CallContext;
import dev.leeway.routing.decide.Route;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts decisions and what comes of them, for one Leeway and one registry.
 *
 * <p>Each figure is a {@link LongAdder} that the registry reads when it is scraped. The number of
 * meters is bounded: at most {@link #MAX_METHODS} method names are told apart, all further ones are
 * counted together as {@value #OTHER}; servers and reasons are few by nature.
 *
 * <p>Closing takes every meter out of the registry. Safe for any number of threads.
 */
public final class LeewayMetrics implements AutoCloseable {
  static final int MAX_METHODS = 256;
  static final int MAX_LOST_UPDATES = 64;
  static final String OTHER = "(other)";

  private final MeterRegistry registry;
  private final String cluster;
  private final List<String> servers;
  private final Queue<Meter> registered = new ConcurrentLinkedQueue<>();

  private final Map<String, MethodRoutes> decisions = new ConcurrentHashMap<>();
  private final Map<String, MethodRoutes> shadowDecisions = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> events = new ConcurrentHashMap<>();
  private final Map<String, MethodTimers> timers = new ConcurrentHashMap<>();
  private final AtomicReferenceArray<StalenessServed> staleness;
  private final LongAdder scopesLeaked;
  private final LongAdder unscopedWrites;
  private final Waits reachedWaits = new Waits();
  private final Waits timedOutWaits = new Waits();

  /** Time spent waiting for replicas. */
  private static final class Waits {
    final LongAdder count = new LongAdder();
    final LongAdder nanos = new LongAdder();
  }

  /** What the calling thread counted last: a method usually runs more than one statement. */
  private static final class LastMethod {
    @Nullable ReadIntent intent;
    @Nullable MethodRoutes routes;
  }

  /**
   * Meters in {@code registry}, which is not closed with them.
   *
   * @param servers the names of the servers, in the order of their indexes
   */
  public LeewayMetrics(MeterRegistry registry, String cluster, List<String> servers) {
    this.registry = registry;
    this.cluster = cluster;
    this.servers = List.copyOf(servers);
    this.staleness = new AtomicReferenceArray<>(servers.size());
    // These stand at zero from the start: an alert on the first one needs a value before it.
    this.scopesLeaked =
        register("leeway.scopes.leaked", "Scopes that were never closed", clusterTag());
    this.unscopedWrites =
        register("leeway.unscoped.writes", "Writes outside any scope", clusterTag());
    registerWaits("reached", reachedWaits);
    registerWaits("timeout", timedOutWaits);
  }

  /** Publishes how much of the budget for fallback reads is used. */
  public void budget(IntSupplier inUse, IntSupplier limit) {
    registered.add(
        Gauge.builder("leeway.fallback.in.use", inUse, IntSupplier::getAsInt)
            .tags("cluster", cluster)
            .description("Reads meant for a replica that the primary is serving now")
            .strongReference(true)
            .register(registry));
    registered.add(
        Gauge.builder("leeway.fallback.limit", limit, IntSupplier::getAsInt)
            .tags("cluster", cluster)
            .description("How many reads meant for a replica the primary may serve at once")
            .strongReference(true)
            .register(registry));
  }

  // An intent is one object for as long as its method lives, so identity is enough and cheaper.
  @SuppressWarnings("ReferenceEquality")
  void decided(CallContext context, ReadIntent intent, Route route, long stalenessNanos) {
    LastMethod last = (LastMethod) context.recorderSlot;
    if (last == null) {
      last = new LastMethod();
      context.recorderSlot = last;
    }
    MethodRoutes routes = last.routes;
    if (routes == null || last.intent != intent) {
      routes =
          routesOf(decisions, intent, "leeway.decisions", "Statements, by where they went and why");
      last.intent = intent;
      last.routes = routes;
    }
    routes.count(route);
    if (route.toReplica()) {
      stalenessOf(route).served(stalenessNanos);
    }
  }

  void shadowed(ReadIntent intent, Route route) {
    routesOf(
            shadowDecisions,
            intent,
            "leeway.shadow.decisions",
            "Statements, by where they would have gone outside shadow mode")
        .count(route);
  }

  void waited(long nanos, boolean reached) {
    Waits waits = reached ? reachedWaits : timedOutWaits;
    waits.count.increment();
    waits.nanos.add(nanos);
  }

  void finished(ReadIntent intent, Route route, long nanos, boolean failed) {
    MethodTimers known = timers.get(intent.label());
    if (known == null) {
      known =
          timers.computeIfAbsent(
              bounded(timers, intent.label()),
              method -> new MethodTimers(method, servers.size(), this::registerTimer));
    }
    known.of(route, failed).record(nanos, TimeUnit.NANOSECONDS);
  }

  private Timer registerTimer(String method, String server, String outcome) {
    return kept(
        Timer.builder("leeway.statements")
            .description("Time from sending a statement until its first answer")
            .tags(clusterTag().and("method", method, "server", server, "outcome", outcome))
            .register(registry));
  }

  void fallbackRejected(ReadIntent intent) {
    String method = bounded(decisions, intent.label());
    count(
        "leeway.fallback.rejected",
        "Reads refused because the primary's budget for fallback reads was used up",
        "method",
        method);
  }

  void scopeLeaked() {
    scopesLeaked.increment();
  }

  void tokenRefused(String verdict) {
    count("leeway.tokens.refused", "Position tokens that were not accepted", "verdict", verdict);
  }

  void retried(Route from, Route to) {
    count(
        "leeway.retries",
        "Reads repeated on another server because their connection failed",
        "server",
        from.serverName(),
        "to",
        to.serverName());
  }

  void unscopedWrite() {
    unscopedWrites.increment();
  }

  void connectionRefused(String server, String why) {
    count(
        "leeway.connections.refused",
        "Connections closed because they led to a server that must not be used so",
        "server",
        server,
        "why",
        why);
  }

  void lostUpdate(LostUpdate found) {
    boolean told = events.size() < MAX_LOST_UPDATES || events.containsKey(lostUpdateKey(found));
    count(
        "leeway.lost.updates",
        "Tables written in a scope that had last read them from a replica",
        "read",
        told ? found.readBy() : OTHER,
        "write",
        told ? found.writtenBy() : OTHER);
  }

  private static String lostUpdateKey(LostUpdate found) {
    return key("leeway.lost.updates", "read", found.readBy(), "write", found.writtenBy());
  }

  private void count(String name, String description, String... tags) {
    String key = key(name, tags);
    LongAdder counter = events.get(key);
    if (counter == null) {
      counter =
          events.computeIfAbsent(
              key, absent -> register(name, description, clusterTag().and(tags)));
    }
    counter.increment();
  }

  private static String key(String name, String... tags) {
    return name + '\n' + String.join("\n", tags);
  }

  private MethodRoutes routesOf(
      Map<String, MethodRoutes> methods, ReadIntent intent, String name, String description) {
    MethodRoutes known = methods.get(intent.label());
    if (known != null) {
      return known;
    }
    return methods.computeIfAbsent(
        bounded(methods, intent.label()),
        method ->
            new MethodRoutes(
                method,
                servers.size(),
                (label, route) ->
                    register(
                        name,
                        description,
                        Tags.of(
                            "cluster",
                            cluster,
                            "method",
                            label,
                            "server",
                            route.serverName(),
                            "role",
                            route.toReplica() ? "replica" : "primary",
                            "reason",
                            route.reason().name()))));
  }

  /** A label can be made at run time, so the number of those told apart must have a bound. */
  private static String bounded(Map<String, ?> methods, String label) {
    return methods.size() < MAX_METHODS || methods.containsKey(label) ? label : OTHER;
  }

  private StalenessServed stalenessOf(Route route) {
    StalenessServed served = staleness.getAcquire(route.server());
    return served == null ? firstStaleness(route) : served;
  }

  private synchronized StalenessServed firstStaleness(Route route) {
    StalenessServed known = staleness.get(route.server());
    if (known != null) {
      return known;
    }
    StalenessServed served = new StalenessServed();
    Tags tags = Tags.of("cluster", cluster, "server", route.serverName());
    for (int i = 0; i <= StalenessServed.BOUNDS_NANOS.length; i++) {
      int bucket = i;
      kept(
          FunctionCounter.builder("leeway.staleness.served.within", served, s -> s.atMost(bucket))
              .description("Reads on a replica whose data was at most this stale, cumulative")
              .tags(tags.and("le", StalenessServed.boundText(bucket)))
              .register(registry));
    }
    kept(
        FunctionTimer.builder(
                "leeway.staleness.served",
                served,
                StalenessServed::count,
                s -> (double) s.sumNanos(),
                TimeUnit.NANOSECONDS)
            .description("Staleness of the data that replicas gave out")
            .tags(tags)
            .register(registry));
    staleness.setRelease(route.server(), served);
    return served;
  }

  private void registerWaits(String outcome, Waits waits) {
    kept(
        FunctionTimer.builder(
                "leeway.catchup.waits",
                waits,
                w -> w.count.sum(),
                w -> (double) w.nanos.sum(),
                TimeUnit.NANOSECONDS)
            .description("Time that reads waited for a replica to reach what their caller wrote")
            .tags("cluster", cluster, "outcome", outcome)
            .register(registry));
  }

  private Tags clusterTag() {
    return Tags.of("cluster", cluster);
  }

  private LongAdder register(String name, String description, Tags tags) {
    LongAdder counter = new LongAdder();
    kept(
        FunctionCounter.builder(name, counter, LongAdder::sum)
            .description(description)
            .tags(tags)
            .register(registry));
    return counter;
  }

  private <M extends Meter> M kept(M meter) {
    registered.add(meter);
    return meter;
  }

  @Override
  public void close() {
    for (Meter meter = registered.poll(); meter != null; meter = registered.poll()) {
      registry.remove(meter);
    }
  }
}
