package dev.leeway.gate;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * What the monitor shows of a cluster. docs/monitoring.md lists the names.
 *
 * <p>What is not known is NaN or infinite, never zero: a dashboard that shows nothing is looked at,
 * one that shows no lag is believed.
 */
final class MonitorMetrics implements AutoCloseable {
  private static final double NANOS_PER_SECOND = 1e9;

  private final MeterRegistry registry;
  private final List<Meter> meters = new ArrayList<>();
  private final Timer[] answered;
  private final Timer[] failed;

  MonitorMetrics(
      MeterRegistry registry,
      String clusterName,
      List<String> names,
      Supplier<ClusterState> state,
      LongSupplier clock,
      Readings readings) {
    this.registry = registry;
    answered = new Timer[names.size()];
    failed = new Timer[names.size()];
    for (int i = 0; i < names.size(); i++) {
      int index = i;
      Tags tags = Tags.of("cluster", clusterName, "instance", names.get(i));
      gauge(
          "mysql.heartbeat.lag",
          "seconds",
          "Age of the newest heartbeat on the server, on the primary's clock; NaN if there is none",
          tags,
          state,
          s -> readings.heartbeatLagSeconds(index));
      gauge(
          "leeway.replica.staleness",
          "seconds",
          "Age of the newest data a reader would see on the server, at most; +Inf if unknown",
          tags,
          state,
          s -> seconds(s.server(index).stalenessNanos(clock.getAsLong())));
      gauge(
          "mysql.slave.status.slave.io.running",
          "",
          "1 if the receiver thread is connected, 0 if not, NaN if unknown",
          tags,
          state,
          s -> readings.receiverRunning(index));
      gauge(
          "mysql.slave.status.slave.sql.running",
          "",
          "1 if the applier threads run, 0 if not, NaN if unknown",
          tags,
          state,
          s -> readings.applierRunning(index));
      gauge(
          "leeway.server.serving",
          "",
          "1 if the server may serve reads",
          tags,
          state,
          s -> flag(s.server(index).mayServe()));
      gauge(
          "leeway.server.primary",
          "",
          "1 if the server is taken for the primary",
          tags,
          state,
          s -> flag(s.primaryIndex() == index));
      for (Health health : Health.values()) {
        gauge(
            "leeway.server.health",
            "",
            "1 for the health the server has",
            tags.and("health", lower(health)),
            state,
            s -> flag(s.server(index).health() == health));
      }
      for (Finding finding : Finding.values()) {
        gauge(
            "leeway.server.finding",
            "",
            "1 for each finding about the server",
            tags.and("finding", lower(finding)),
            state,
            s -> flag(s.server(index).findings().contains(finding)));
      }
      answered[i] = poll(tags, "answered");
      failed[i] = poll(tags, "failed");
    }
    for (HeartbeatStatus status : HeartbeatStatus.values()) {
      gauge(
          "leeway.heartbeat.status",
          "",
          "1 for the status the heartbeat has",
          Tags.of("cluster", clusterName, "status", lower(status)),
          state,
          s -> flag(s.heartbeat() == status));
    }
  }

  /** What is shown beside the states. NaN is what is not known. */
  interface Readings {
    /** The age of the newest heartbeat on a server, on the primary's clock. */
    double heartbeatLagSeconds(int index);

    /** 1 or 0. */
    double receiverRunning(int index);

    /** 1 or 0. */
    double applierRunning(int index);
  }

  void answered(int index, long tookNanos) {
    answered[index].record(tookNanos, TimeUnit.NANOSECONDS);
  }

  void failed(int index, long tookNanos) {
    failed[index].record(tookNanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    meters.forEach(registry::remove);
  }

  private Timer poll(Tags tags, String outcome) {
    Timer timer =
        Timer.builder("leeway.poll")
            .description("Polls of the server, and how long they took")
            .tags(tags.and("outcome", outcome))
            .register(registry);
    meters.add(timer);
    return timer;
  }

  private void gauge(
      String name,
      String unit,
      String description,
      Tags tags,
      Supplier<ClusterState> state,
      ToDoubleFunction<ClusterState> value) {
    meters.add(
        Gauge.builder(name, () -> value.applyAsDouble(state.get()))
            .description(description)
            .baseUnit(unit.isEmpty() ? null : unit)
            .tags(tags)
            .strongReference(true)
            .register(registry));
  }

  private static double seconds(long nanos) {
    return nanos == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : nanos / NANOS_PER_SECOND;
  }

  private static double flag(boolean value) {
    return value ? 1 : 0;
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
