package dev.leeway.routing.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.annotation.Fallback;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.PoolSettings;
import dev.leeway.routing.PrimaryBudget;
import dev.leeway.routing.PrimaryBudgetExhaustedException;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.Reason;
import dev.leeway.routing.RequestScope;
import dev.leeway.testkit.Fault;
import dev.leeway.testkit.TestSchema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Case D21 (b): all replicas lag, and the primary must live. */
class BudgetIT {
  private static final int READERS = 60;
  private static final int CAP = 10;

  @Test
  void whenAllReplicasLagThePrimaryTakesTenReadsAtATimeAndTheRestFailsFastOrIsServedStale()
      throws Exception {
    try (TestSchema schema = Servers.newSchema();
        Leeway leeway =
            Servers.ready(
                Servers.builder("budget", schema)
                    .monitoring(
                        Servers.monitoring()
                            .ejectAbove(Duration.ofSeconds(2))
                            .heartbeatInterval(Duration.ofMillis(100))
                            .build())
                    .pools(PoolSettings.defaults().maximum(10, 30))
                    .budget(PrimaryBudget.atMost(CAP))
                    .start())) {
      ReadIntent slow = ReadIntent.replica().named("slow");
      ReadIntent patient = slow.fallback(Fallback.STALE);
      Tally tally = new Tally();
      AtomicBoolean going = new AtomicBoolean(true);
      ExecutorService readers = Executors.newFixedThreadPool(READERS);
      List<Future<?>> running = new ArrayList<>();
      try (Fault lag = Servers.CLUSTER.delay(Duration.ofSeconds(60))) {
        assertThat(lag.description()).isNotEmpty();
        // Something must be behind for a replica to lag.
        schema.execute("UPDATE orders SET note = 'late' WHERE id = 1");
        Servers.await(
            "both replicas are ejected",
            Duration.ofSeconds(30),
            () ->
                leeway.clusterState().servers().stream()
                    .filter(s -> s.index() > 0)
                    .noneMatch(s -> s.mayServe()));
        CountDownLatch enough = new CountDownLatch(READERS * 5);
        for (int i = 0; i < READERS; i++) {
          ReadIntent intent = i % 2 == 0 ? slow : patient;
          running.add(
              readers.submit(
                  () -> {
                    while (going.get()) {
                      tally.read(leeway, intent);
                      enough.countDown();
                    }
                  }));
        }
        enough.await();
        going.set(false);
        for (Future<?> reader : running) {
          reader.get();
        }

        assertThat(tally.mostAtOnceOnPrimary.get()).isBetween(1, CAP);
        assertThat(leeway.budget().inUse()).isZero();
        assertThat(tally.refused.get()).isPositive();
        assertThat(tally.stale.get()).isPositive();
        assertThat(tally.longestRefusalMillis.get()).isLessThan(1_000);
        assertThat(leeway.budget().refused()).isPositive();
      } finally {
        going.set(false);
        readers.shutdownNow();
      }

      schema.awaitReplicated();
      Servers.await(
          "replicas serve again",
          () -> {
            try (RequestScope scope = leeway.openScope()) {
              return String.valueOf(Sql.whoami(leeway)).startsWith("replica-")
                  && scope.pinnedReplica().isPresent();
            } catch (java.sql.SQLException e) {
              return false;
            }
          });
    }
  }

  /** What became of the reads. */
  private static final class Tally {
    private final AtomicInteger onPrimary = new AtomicInteger();
    private final AtomicInteger mostAtOnceOnPrimary = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger stale = new AtomicInteger();
    private final AtomicInteger longestRefusalMillis = new AtomicInteger();

    void read(Leeway leeway, ReadIntent intent) {
      long started = System.nanoTime();
      try {
        // The statement tells how many of them run on its server while it does.
        String running = Sql.read(leeway, intent, "SELECT name FROM whoami WHERE SLEEP(0.05) = 0");
        Reason reason = leeway.lastDecision().orElseThrow().reason();
        if (reason == Reason.SERVED_STALE) {
          assertThat(running).startsWith("replica-");
          stale.incrementAndGet();
        } else {
          assertThat(running).isEqualTo("primary");
          onPrimary.incrementAndGet();
        }
        mostAtOnceOnPrimary.accumulateAndGet(leeway.budget().inUse(), Math::max);
      } catch (PrimaryBudgetExhaustedException e) {
        assertThat(e.getMessage())
            .startsWith(
                "budget - slow (REPLICA, else PRIMARY) was not sent anywhere: no replica is within")
            .contains("of 10 reads on the primary");
        refused.incrementAndGet();
        longestRefusalMillis.accumulateAndGet(
            (int) ((System.nanoTime() - started) / 1_000_000), Math::max);
        Thread.onSpinWait();
      } catch (java.sql.SQLException e) {
        throw new AssertionError(e);
      }
    }
  }
}
