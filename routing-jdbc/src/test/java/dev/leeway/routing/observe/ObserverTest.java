package dev.leeway.routing.observe;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import com.sun.management.ThreadMXBean;
import dev.leeway.routing.LostUpdate;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.Reason;
import dev.leeway.routing.context.CallContext;
import dev.leeway.routing.context.ScopeState;
import dev.leeway.routing.decide.Routes;
import dev.leeway.statement.AnalyzedStatement;
import dev.leeway.statement.StatementGuard;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObserverTest {
  private static final List<String> SERVERS = List.of("primary", "replica-1");
  private static final Routes ROUTES = new Routes(SERVERS);
  private static final ReadIntent LIST = ReadIntent.replica().named("Orders.list");
  private static final ReadIntent SAVE = ReadIntent.write().named("Orders.save");
  private static final StatementGuard GUARD = StatementGuard.create();
  private static final AnalyzedStatement SELECT = GUARD.lookup("SELECT * FROM orders");
  private static final AnalyzedStatement UPDATE = GUARD.lookup("UPDATE orders SET status = 1");

  private final CallContext context = new CallContext();

  @Test
  void aDecisionIsOneLineInItsOwnLog() {
    try (CapturedLog log = CapturedLog.of(Observer.DECISIONS, Level.DEBUG);
        Observer observer = new Observer("shop", null, false)) {
      observer.decided(context, LIST, ROUTES.of(1, Reason.STALENESS_ACCEPTED), 41_900_000, SELECT);
      observer.decided(context, LIST, ROUTES.of(1, Reason.SERVED_STALE), Long.MAX_VALUE, SELECT);

      assertThat(log.lines())
          .containsExactly(
              "shop - Orders.list -> replica-1 (STALENESS_ACCEPTED: the replica is within the"
                  + " staleness the read can bear), staleness 41 ms",
              "shop - Orders.list -> replica-1 (SERVED_STALE: staler than declared, as the"
                  + " fallback allows), staleness unknown");
    }
  }

  @Test
  void decisionsAreNotLoggedUnlessAsked() {
    try (CapturedLog log = CapturedLog.of(Observer.DECISIONS, Level.INFO);
        Observer observer = new Observer("shop", null, false)) {
      observer.decided(context, LIST, ROUTES.of(1, Reason.STALENESS_ACCEPTED), 5, SELECT);

      assertThat(log.lines()).isEmpty();
    }
  }

  @Test
  void everythingWorksWithoutARegistry() {
    try (Observer observer = new Observer("shop", null, true)) {
      context.attach(new ScopeState(0, null));
      observer.decided(context, LIST, ROUTES.of(1, Reason.STALENESS_ACCEPTED), 5, SELECT);
      observer.decided(context, SAVE, ROUTES.of(0, Reason.WRITE_INTENT), 0, UPDATE);
      observer.shadowed(LIST, ROUTES.of(1, Reason.STALENESS_ACCEPTED));
      observer.waited(1, true);
      observer.budgetExhausted(LIST);
      observer.scopeLeaked("somewhere");
      observer.tokenRefused("EXPIRED");
      observer.retried(
          ROUTES.of(1, Reason.STALENESS_ACCEPTED), ROUTES.of(0, Reason.RETRIED_ON_PRIMARY));
      observer.unscopedWrite(SAVE);
      observer.connectionRefused("replica-1", "read-only");
      observer.finished(LIST, ROUTES.of(1, Reason.STALENESS_ACCEPTED), 5, false);

      assertThat(observer.lostUpdates())
          .containsExactly(new LostUpdate("orders", "Orders.list", "Orders.save"));
      assertThat(observer.timesStatements()).isFalse();
    }
  }

  @Test
  void lostUpdatesReachTheRegistry() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (Observer observer =
        new Observer("shop", new LeewayMetrics(registry, "shop", SERVERS), false)) {
      context.attach(new ScopeState(0, null));
      observer.decided(context, LIST, ROUTES.of(1, Reason.STALENESS_ACCEPTED), 5, SELECT);
      observer.decided(context, SAVE, ROUTES.of(0, Reason.WRITE_INTENT), 0, UPDATE);

      assertThat(
              registry
                  .get("leeway.lost.updates")
                  .tags("read", "Orders.list", "write", "Orders.save")
                  .functionCounter()
                  .count())
          .isEqualTo(1);
    }
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void statementsAreTimedOnlyWithARegistryAndOnRequest() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();

    assertThat(
            new Observer("shop", new LeewayMetrics(registry, "shop", SERVERS), true)
                .timesStatements())
        .isTrue();
    assertThat(
            new Observer("shop", new LeewayMetrics(registry, "shop", SERVERS), false)
                .timesStatements())
        .isFalse();
  }

  @Test
  void observingReadsAllocatesNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Observer observer =
        new Observer("shop", new LeewayMetrics(new SimpleMeterRegistry(), "shop", SERVERS), false);
    context.attach(new ScopeState(0, null));
    readMany(observer, 20_000);

    long least = Long.MAX_VALUE;
    for (int round = 0; round < 20 && least > 0; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      readMany(observer, 10_000);
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }

    assertThat(least).isLessThan(1_000);
  }

  private void readMany(Observer observer, int times) {
    for (int i = 0; i < times; i++) {
      observer.decided(context, LIST, ROUTES.of(1, Reason.PINNED_REPLICA), 5_000_000, SELECT);
    }
  }
}
