package dev.leeway.routing;

import dev.leeway.gate.ClusterListener;
import dev.leeway.gate.ClusterMonitor;
import dev.leeway.gate.ClusterState;
import dev.leeway.gate.ReplicaGate;
import dev.leeway.gate.ServerEndpoint;
import dev.leeway.gate.ServerState;
import dev.leeway.routing.connection.ConnectionSource;
import dev.leeway.routing.connection.GateCatchUp;
import dev.leeway.routing.connection.MySqlUrl;
import dev.leeway.routing.connection.RoutingCore;
import dev.leeway.routing.connection.ServerProbe;
import dev.leeway.routing.connection.VerifiedConnections;
import dev.leeway.routing.context.Contexts;
import dev.leeway.routing.context.DecisionRecorder;
import dev.leeway.routing.observe.LeewayMetrics;
import dev.leeway.routing.observe.Observer;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts a Leeway whole, or leaves nothing running. */
final class LeewayStart {
  private static final Logger log = LoggerFactory.getLogger(LeewayStart.class);

  /**
   * How much older than its data the measurement of a replica that keeps up can be, beside polling.
   */
  private static final Duration MEASURE_MARGIN = Duration.ofMillis(20);

  /** How long the first measurements are waited for; servers that answered before answer again. */
  private static final Duration FIRST_SAMPLES = Duration.ofSeconds(10);

  private final LeewayBuilder settings;
  private final List<ServerEndpoint> endpoints;
  private final Deque<AutoCloseable> running = new ArrayDeque<>();

  LeewayStart(LeewayBuilder settings, List<ServerEndpoint> endpoints) {
    this.settings = settings;
    this.endpoints = endpoints;
  }

  static LeewayStartException refused(
      String name, List<String> problems, @Nullable Throwable cause) {
    return new LeewayStartException(
        name + " - cannot start, and nothing is running: " + String.join("; ", problems), cause);
  }

  Leeway start() {
    try {
      return tryToStart();
    } catch (LeewayStartException e) {
      stop(e);
      throw e;
    } catch (SQLException | RuntimeException e) {
      LeewayStartException refused =
          refused(settings.name(), List.of(Objects.toString(e.getMessage(), e.toString())), e);
      stop(refused);
      throw refused;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LeewayStartException refused =
          refused(settings.name(), List.of("the thread was interrupted"), e);
      stop(refused);
      throw refused;
    }
  }

  private Leeway tryToStart() throws SQLException, InterruptedException {
    AtomicReference<@Nullable ClusterMonitor> watching = new AtomicReference<>();
    List<VerifiedConnections> sources = new ArrayList<>();
    for (int i = 0; i < endpoints.size(); i++) {
      sources.add(
          new VerifiedConnections(
              settings.name(),
              i,
              endpoints.get(i),
              index -> measuredUuid(watching.get(), index),
              index -> pollNow(watching.get(), index)));
    }
    List<ServerProbe> probes = probe(sources);
    if (endpoints.size() == 1) {
      log.warn(
          "{} - no replica was given, so every read goes to the primary. Give replicas, or"
              + " requireReplicas(true) to be refused here.",
          settings.name());
    }
    ClusterMonitor monitor = startMonitor();
    watching.set(monitor);
    awaitFirstSamples(monitor, probes);
    ReplicaGate gate = ReplicaGate.over(monitor);
    running.push(gate);
    Contexts contexts = new Contexts();
    Observer recorder = observer();
    RoutingCore core = core(monitor, gate, contexts, recorder, sources, probes.get(0));
    running.push(core);
    Leeway leeway = new Leeway(settings, contexts, monitor, gate, core, recorder);
    log.info("{} - started: {}", settings.name(), monitor.state());
    return leeway;
  }

  private Observer observer() {
    MeterRegistry registry = settings.meterRegistry();
    LeewayMetrics metrics = null;
    if (registry != null) {
      metrics =
          new LeewayMetrics(
              registry, settings.name(), endpoints.stream().map(ServerEndpoint::name).toList());
      metrics.budget(settings.budget()::inUse, settings.budget()::concurrent);
    }
    Observer observer = new Observer(settings.name(), metrics, settings.timesStatements());
    running.push(observer);
    return observer;
  }

  private static @Nullable UUID measuredUuid(@Nullable ClusterMonitor monitor, int index) {
    return monitor == null ? null : monitor.state().server(index).serverUuid();
  }

  private static void pollNow(@Nullable ClusterMonitor monitor, int index) {
    if (monitor != null) {
      monitor.pollNow(index);
    }
  }

  /** Looks at every server once, so that every mistake in the configuration is told at once. */
  private List<ServerProbe> probe(List<VerifiedConnections> sources) {
    List<ServerProbe> probes = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    Throwable first = null;
    for (int i = 0; i < sources.size(); i++) {
      ServerProbe probe = ServerProbe.of(endpoints.get(i), sources.get(i), i == 0);
      probes.add(probe);
      String problem = probe.problem();
      if (problem == null) {
        problem = sameAs(probe, probes.subList(0, i));
      }
      if (problem == null) {
        continue;
      }
      if (i > 0 && !probe.isMistake() && !settings.requiresReplicas() && probe.uuid() == null) {
        log.warn("{} - starting without {}", settings.name(), problem);
        continue;
      }
      problems.add(problem);
      first = first == null ? probe.failure() : first;
    }
    if (!problems.isEmpty()) {
      throw refused(settings.name(), problems, first);
    }
    return probes;
  }

  private static @Nullable String sameAs(ServerProbe probe, List<ServerProbe> others) {
    for (ServerProbe other : others) {
      if (probe.uuid() != null && probe.uuid().equals(other.uuid())) {
        return "server "
            + probe.name()
            + " is the same server as "
            + other.name()
            + " (server_uuid "
            + probe.uuid()
            + "; expected: another one)";
      }
    }
    return null;
  }

  private ClusterMonitor startMonitor() {
    ClusterMonitor.Builder builder =
        ClusterMonitor.builder(settings.name())
            .primary(endpoints.get(0))
            .settings(settings.monitoring());
    LeewayBuilder.Account account = settings.heartbeatAccount();
    if (account != null) {
      builder.heartbeatAccount(account.user(), account.password());
    }
    for (ServerEndpoint replica : endpoints.subList(1, endpoints.size())) {
      builder.replica(replica);
    }
    if (settings.meterRegistry() != null) {
      builder.meterRegistry(settings.meterRegistry());
    }
    ClusterMonitor monitor = builder.start();
    running.push(monitor);
    return monitor;
  }

  /** Servers that answered the probe are measured before the first statement asks about them. */
  private void awaitFirstSamples(ClusterMonitor monitor, List<ServerProbe> probes)
      throws InterruptedException {
    CountDownLatch measured = new CountDownLatch(1);
    ClusterListener listener =
        new ClusterListener() {
          @Override
          public void stateChanged(ClusterState state) {
            if (isMeasured(state, probes)) {
              measured.countDown();
            }
          }
        };
    try (ClusterListener.Registration registration = monitor.addListener(listener)) {
      Objects.requireNonNull(registration);
      if (!isMeasured(monitor.state(), probes)
          && !measured.await(FIRST_SAMPLES.toMillis(), TimeUnit.MILLISECONDS)) {
        ServerState primary = monitor.state().server(0);
        if (primary.sampledAtNanos() == ServerState.UNKNOWN_NANOS) {
          throw refused(
              settings.name(),
              List.of(
                  "primary "
                      + primary.name()
                      + " was not measured within "
                      + FIRST_SAMPLES
                      + ": "
                      + primary.problem()),
              null);
        }
        log.warn(
            "{} - not every server was measured within {}: {}",
            settings.name(),
            FIRST_SAMPLES,
            monitor.state());
      }
    }
  }

  private static boolean isMeasured(ClusterState state, List<ServerProbe> probes) {
    for (ServerProbe probe : probes) {
      if (probe.uuid() != null
          && state.server(probe.index()).sampledAtNanos() == ServerState.UNKNOWN_NANOS) {
        return false;
      }
    }
    return true;
  }

  private RoutingCore core(
      ClusterMonitor monitor,
      ReplicaGate gate,
      Contexts contexts,
      DecisionRecorder recorder,
      List<? extends ConnectionSource> sources,
      ServerProbe primary) {
    Duration slack = settings.monitoring().pollInterval().multipliedBy(2).plus(MEASURE_MARGIN);
    MySqlUrl url = MySqlUrl.parse(endpoints.get(0).jdbcUrl());
    return RoutingCore.builder(settings.name())
        .contexts(contexts)
        .servers(endpoints.stream().map(ServerEndpoint::name).toList(), List.copyOf(sources))
        .weights(settings.weights())
        .state(monitor::state)
        .catchUp(new GateCatchUp(monitor, gate))
        .pollNow(monitor::pollNow)
        .refused(settings.monitoring().refuse())
        .pools(settings.pools())
        .budget(settings.budget())
        .recorder(recorder)
        .guard(settings.guard())
        .mode(settings.mode())
        .strictGuard(settings.strictGuard())
        .catchUpNanos(settings.catchUp().toNanos())
        .measureSlackNanos(slack.toNanos())
        .writeHoldNanos(settings.writeHold().toNanos())
        .database(url.database())
        .socketTimeoutMillis(url.socketTimeoutMillis())
        .cursors(endpoints.stream().anyMatch(LeewayStart::usesCursors))
        .defaultIsolation(primary.isolation())
        .build();
  }

  private static boolean usesCursors(ServerEndpoint endpoint) {
    return MySqlUrl.parse(endpoint.jdbcUrl()).usesCursors();
  }

  private void stop(LeewayStartException because) {
    while (!running.isEmpty()) {
      try {
        running.pop().close();
      } catch (Exception e) {
        because.addSuppressed(e);
      }
    }
  }
}
