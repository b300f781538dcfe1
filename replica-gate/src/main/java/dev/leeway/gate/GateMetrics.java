package dev.leeway.gate;

import dev.leeway.gate.GateResult.Outcome;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** What the gate shows of itself. docs/monitoring.md lists the names. */
final class GateMetrics implements AutoCloseable {
  private final MeterRegistry registry;
  private final List<Meter> meters = new ArrayList<>();
  private final Map<Outcome, Timer> waits = new EnumMap<>(Outcome.class);

  GateMetrics(
      MeterRegistry registry, String clusterName, IntSupplier waiting, IntSupplier connections) {
    this.registry = registry;
    for (Outcome outcome : Outcome.values()) {
      Timer timer =
          Timer.builder("leeway.gate.wait")
              .description("Questions to the gate, and how long they were held back")
              .tag("cluster", clusterName)
              .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
              .register(registry);
      meters.add(timer);
      waits.put(outcome, timer);
    }
    gauge("leeway.gate.waiting", "How many wait at the gate", clusterName, waiting);
    gauge("leeway.gate.connections", "Connections of the gate", clusterName, connections);
  }

  void count(Outcome outcome, long waitedNanos) {
    Timer timer = waits.get(outcome);
    if (timer != null) {
      timer.record(waitedNanos, TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public void close() {
    meters.forEach(registry::remove);
  }

  private void gauge(String name, String description, String clusterName, IntSupplier value) {
    meters.add(
        Gauge.builder(name, value::getAsInt)
            .description(description)
            .tag("cluster", clusterName)
            .strongReference(true)
            .register(registry));
  }
}
