package dev.leeway.routing.observe;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.leeway.routing.LostUpdate;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.Reason;
import dev.leeway.routing.context.CallContext;
import dev.leeway.routing.decide.Route;
import dev.leeway.routing.decide.Routes;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LeewayMetricsTest {
  private static final List<String> SERVERS = List.of("primary", "replica-1", "replica-2");
  private static final Routes ROUTES = new Routes(SERVERS);
  private static final Route REPLICA = ROUTES.of(1, Reason.STALENESS_ACCEPTED);
  private static final Route FALLBACK = ROUTES.of(0, Reason.NO_REPLICA_FRESH);
  private static final Route NOBODY = ROUTES.of(Route.NO_SERVER, Reason.WRITE_INTENT);
  private static final ReadIntent LIST = ReadIntent.replica().named("Orders.list");
  private static final ReadIntent FIND = ReadIntent.replica().named("Orders.find");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final LeewayMetrics metrics = new LeewayMetrics(registry, "shop", SERVERS);
  private final CallContext context = new CallContext();

  private double counter(String name, String... tags) {
    return registry.get(name).tags(tags).functionCounter().count();
  }

  @Test
  void decisionsAreCountedByMethodServerRoleAndReason() {
    metrics.decided(context, LIST, REPLICA, 1_000);
    metrics.decided(context, LIST, REPLICA, 1_000);
    metrics.decided(context, FIND, FALLBACK, 0);
    metrics.decided(context, LIST, REPLICA, 1_000);

    assertThat(
            counter(
                "leeway.decisions",
                "cluster",
                "shop",
                "method",
                "Orders.list",
                "server",
                "replica-1",
                "role",
                "replica",
                "reason",
                "STALENESS_ACCEPTED"))
        .isEqualTo(3);
    assertThat(
            counter(
                "leeway.decisions",
                "method",
                "Orders.find",
                "server",
                "primary",
                "role",
                "primary",
                "reason",
                "NO_REPLICA_FRESH"))
        .isEqualTo(1);
    assertThat(registry.find("leeway.decisions").functionCounters()).hasSize(2);
  }

  @Test
  void aRouteToNoServerIsCountedToo() {
    metrics.decided(context, LIST, NOBODY, 0);

    assertThat(counter("leeway.decisions", "server", "(no primary)")).isEqualTo(1);
  }

  @Test
  void theStalenessReplicasServedIsAHistogramInSeconds() {
    metrics.decided(context, LIST, REPLICA, TimeUnit.MILLISECONDS.toNanos(20));
    metrics.decided(context, LIST, REPLICA, TimeUnit.MILLISECONDS.toNanos(980));
    metrics.decided(context, LIST, REPLICA, Long.MAX_VALUE);
    metrics.decided(context, LIST, FALLBACK, 0);

    assertThat(counter("leeway.staleness.served.within", "le", "0.01")).isZero();
    assertThat(counter("leeway.staleness.served.within", "le", "0.025")).isEqualTo(1);
    assertThat(counter("leeway.staleness.served.within", "le", "1.0")).isEqualTo(2);
    assertThat(counter("leeway.staleness.served.within", "le", "300.0")).isEqualTo(2);
    assertThat(counter("leeway.staleness.served.within", "le", "+Inf")).isEqualTo(3);
    FunctionTimer sum = registry.get("leeway.staleness.served").functionTimer();
    assertThat(sum.count()).isEqualTo(3);
    assertThat(sum.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(1_000);
    assertThat(registry.find("leeway.staleness.served").tag("server", "primary").meters())
        .isEmpty();
  }

  @Test
  void shadowDecisionsAreCountedApart() {
    metrics.shadowed(LIST, REPLICA);

    assertThat(counter("leeway.shadow.decisions", "reason", "STALENESS_ACCEPTED")).isEqualTo(1);
    assertThat(registry.find("leeway.decisions").meters()).isEmpty();
  }

  @Test
  void methodNamesMadeAtRunTimeDoNotMakeMetersWithoutEnd() {
    for (int i = 0; i < 4 * LeewayMetrics.MAX_METHODS; i++) {
      metrics.decided(context, ReadIntent.replica().named("generated " + i), REPLICA, 0);
    }

    assertThat(registry.find("leeway.decisions").functionCounters())
        .hasSizeLessThanOrEqualTo(LeewayMetrics.MAX_METHODS + 1);
    assertThat(counter("leeway.decisions", "method", LeewayMetrics.OTHER))
        .isEqualTo(3 * LeewayMetrics.MAX_METHODS);
  }

  @Test
  void pairsOfLostUpdatesDoNotMakeMetersWithoutEnd() {
    for (int i = 0; i < 1_000; i++) {
      metrics.lostUpdate(new LostUpdate("orders", "read " + i, "write " + i));
    }
    metrics.lostUpdate(new LostUpdate("stock", "read 0", "write 0"));

    assertThat(registry.find("leeway.lost.updates").functionCounters())
        .hasSizeLessThanOrEqualTo(LeewayMetrics.MAX_LOST_UPDATES + 1);
    assertThat(counter("leeway.lost.updates", "read", "read 0", "write", "write 0")).isEqualTo(2);
  }

  @Test
  void rareEventsAreCounted() {
    assertThat(counter("leeway.scopes.leaked")).isZero();
    assertThat(counter("leeway.unscoped.writes")).isZero();
    assertThat(registry.find("leeway.tokens.refused").meters()).isEmpty();

    metrics.scopeLeaked();
    metrics.unscopedWrite();
    metrics.unscopedWrite();
    metrics.tokenRefused("FORGED");
    metrics.fallbackRejected(LIST);
    metrics.retried(REPLICA, FALLBACK);
    metrics.connectionRefused("replica-2", "read-only");

    assertThat(counter("leeway.scopes.leaked", "cluster", "shop")).isEqualTo(1);
    assertThat(counter("leeway.unscoped.writes")).isEqualTo(2);
    assertThat(counter("leeway.tokens.refused", "verdict", "FORGED")).isEqualTo(1);
    assertThat(counter("leeway.fallback.rejected", "method", "Orders.list")).isEqualTo(1);
    assertThat(counter("leeway.retries", "server", "replica-1", "to", "primary")).isEqualTo(1);
    assertThat(counter("leeway.connections.refused", "server", "replica-2", "why", "read-only"))
        .isEqualTo(1);
  }

  @Test
  void waitsForReplicasAreTimedByOutcome() {
    metrics.waited(TimeUnit.MILLISECONDS.toNanos(3), true);
    metrics.waited(TimeUnit.MILLISECONDS.toNanos(40), false);

    FunctionTimer reached =
        registry.get("leeway.catchup.waits").tag("outcome", "reached").functionTimer();
    assertThat(reached.count()).isEqualTo(1);
    assertThat(reached.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(3);
    assertThat(
            registry.get("leeway.catchup.waits").tag("outcome", "timeout").functionTimer().count())
        .isEqualTo(1);
  }

  @Test
  void statementsAreTimedByMethodServerAndOutcome() {
    metrics.finished(LIST, REPLICA, TimeUnit.MILLISECONDS.toNanos(2), false);
    metrics.finished(LIST, REPLICA, TimeUnit.MILLISECONDS.toNanos(5), true);

    Timer good = registry.get("leeway.statements").tag("outcome", "success").timer();
    assertThat(good.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(2);
    assertThat(registry.get("leeway.statements").tag("outcome", "error").timer().count())
        .isEqualTo(1);
  }

  @Test
  void theBudgetIsReadWhenTheRegistryAsks() {
    int[] used = {3};
    metrics.budget(() -> used[0], () -> 10);

    used[0] = 7;

    assertThat(registry.get("leeway.fallback.in.use").gauge().value()).isEqualTo(7);
    assertThat(registry.get("leeway.fallback.limit").gauge().value()).isEqualTo(10);
  }

  @Test
  void closingTakesEveryMeterOutOfTheRegistryAndNoOther() {
    registry.counter("of.the.application");
    metrics.budget(() -> 0, () -> 1);
    metrics.decided(context, LIST, REPLICA, 5);
    metrics.finished(LIST, REPLICA, Duration.ofMillis(1).toNanos(), false);

    metrics.close();

    assertThat(registry.getMeters())
        .extracting(Meter::getId)
        .extracting(Meter.Id::getName)
        .containsExactly("of.the.application");
  }

  @Test
  void countingAllocatesNothingOnceAMethodWasSeen() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    countMany(20_000);

    long least = Long.MAX_VALUE;
    for (int round = 0; round < 20 && least > 0; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      countMany(10_000);
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }

    assertThat(least).isLessThan(1_000);
  }

  private void countMany(int times) {
    for (int i = 0; i < times; i++) {
      metrics.decided(context, LIST, REPLICA, 7_000_000);
      metrics.decided(context, FIND, FALLBACK, 0);
      metrics.waited(1_000, true);
      metrics.unscopedWrite();
      metrics.finished(LIST, REPLICA, 2_000_000, false);
      metrics.shadowed(LIST, REPLICA);
    }
  }

  @Test
  void nothingIsLostWhenManyThreadsCountForTheFirstTimeAtOnce() throws Exception {
    int threads = 8;
    int each = 2_000;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CountDownLatch start = new CountDownLatch(1);
      List<Future<?>> counting = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        counting.add(
            pool.submit(
                () -> {
                  CallContext mine = new CallContext();
                  start.await();
                  for (int i = 0; i < each; i++) {
                    metrics.decided(mine, i % 2 == 0 ? LIST : FIND, REPLICA, 1_000_000L * i);
                  }
                  return null;
                }));
      }
      start.countDown();
      for (Future<?> done : counting) {
        done.get(30, TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
    }

    assertThat(counter("leeway.decisions", "method", "Orders.list"))
        .isEqualTo(threads * each / 2.0);
    assertThat(counter("leeway.decisions", "method", "Orders.find"))
        .isEqualTo(threads * each / 2.0);
    assertThat(counter("leeway.staleness.served.within", "le", "+Inf")).isEqualTo(threads * each);
  }
}
