package dev.leeway.queue;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts what happens to jobs. Without a registry it counts nothing. Thread-safe. */
final class JobMetrics {
  private final @Nullable MeterRegistry registry;
  private final String cluster;
  private final Map<Admission.Reason, @Nullable Counter> admissions =
      new EnumMap<>(Admission.Reason.class);
  private final @Nullable Timer waits;

  JobMetrics(@Nullable MeterRegistry registry, String cluster) {
    this.registry = registry;
    this.cluster = cluster;
    for (Admission.Reason reason : Admission.Reason.values()) {
      admissions.put(
          reason,
          registry == null
              ? null
              : Counter.builder("leeway.jobs.admitted")
                  .description("Decisions about where a job may read")
                  .tag("cluster", cluster)
                  .tag("place", reason.place().name().toLowerCase(Locale.ROOT))
                  .tag("reason", reason.name().toLowerCase(Locale.ROOT))
                  .register(registry));
    }
    waits =
        registry == null
            ? null
            : Timer.builder("leeway.jobs.wait")
                .description("How long jobs were held at the worker for a replica")
                .tag("cluster", cluster)
                .register(registry);
  }

  void admitted(Admission admission) {
    Counter counter = admissions.get(admission.reason());
    if (counter != null) {
      counter.increment();
    }
    if (waits != null) {
      waits.record(admission.waited());
    }
  }

  /** A job ended, or was sent, or was not. */
  void count(String name, String tag, String value) {
    if (registry != null) {
      Counter.builder(name).tag("cluster", cluster).tag(tag, value).register(registry).increment();
    }
  }

  void time(String name, Duration duration) {
    if (registry != null) {
      Timer.builder(name).tag("cluster", cluster).register(registry).record(duration);
    }
  }

  void gauge(String name, Supplier<Number> value) {
    if (registry != null) {
      Gauge.builder(name, value).tag("cluster", cluster).register(registry);
    }
  }
}
