package dev.leeway.routing.bind;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.leeway.annotation.Fallback;
import dev.leeway.annotation.IntentBoundary;
import dev.leeway.annotation.RoutedMethod;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.context.CallContext;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ContextBoundaryTest {
  private static final RoutedMethod LIST =
      RoutedMethod.readReplica("shop.Orders", "list(long)", "5s", Fallback.STALE, "40ms");
  private static final RoutedMethod FIND =
      RoutedMethod.readPrimary("shop.Orders", "find(long)", "the customer edits what he sees");
  private static final RoutedMethod SAVE = RoutedMethod.write("shop.Orders", "save(shop.Order)");
  private static final RoutedMethod SILENT = RoutedMethod.undeclared("shop.Orders", "count()");

  private final ThreadLocal<CallContext> contexts = ThreadLocal.withInitial(CallContext::new);
  private final ContextBoundary boundary = new ContextBoundary(contexts::get);

  private ReadIntent current() {
    return contexts.get().intent();
  }

  @Test
  void everythingAReplicaMethodDeclaresIsInForceInsideIt() {
    IntentBoundary.Scope scope = boundary.enter(LIST);

    assertThat(current())
        .isEqualTo(
            ReadIntent.replica()
                .maxStaleness(Duration.ofSeconds(5))
                .fallback(Fallback.STALE)
                .catchUp(Duration.ofMillis(40))
                .named("Orders.list"));
    scope.close();
    assertThat(current()).isEqualTo(ReadIntent.undeclared());
  }

  @Test
  void aReplicaMethodThatNamesNoBoundsLeavesThemToTheConfiguration() {
    RoutedMethod bare = RoutedMethod.readReplica("Orders", "all()", "", Fallback.PRIMARY, "");

    assertThat(ContextBoundary.intent(bare)).isEqualTo(ReadIntent.replica().named("Orders.all"));
  }

  @Test
  void theEntityThatAMethodNamesIsThatOfItsIntent() {
    assertThat(ContextBoundary.intent(LIST.about("order")).entity())
        .isEqualTo(ReadIntent.replica().entity("order").entity());
    assertThat(ContextBoundary.intent(LIST).entity()).isNull();
  }

  @Test
  void primaryWriteAndSilentMethodsBecomeTheirKindsOfIntent() {
    assertThat(ContextBoundary.intent(FIND))
        .isEqualTo(ReadIntent.primary("the customer edits what he sees").named("Orders.find"));
    assertThat(ContextBoundary.intent(SAVE)).isEqualTo(ReadIntent.write().named("Orders.save"));
    assertThat(ContextBoundary.intent(SILENT))
        .isEqualTo(ReadIntent.undeclared().named("Orders.count"));
  }

  @Test
  void nestedMethodsRestoreTheIntentAroundThem() {
    IntentBoundary.Scope list = boundary.enter(LIST);
    IntentBoundary.Scope save = boundary.enter(SAVE);
    IntentBoundary.Scope find = boundary.enter(FIND);

    assertThat(current().kind()).isEqualTo(ReadIntent.Kind.PRIMARY);
    find.close();
    assertThat(current().kind()).isEqualTo(ReadIntent.Kind.WRITE);
    save.close();
    assertThat(current().kind()).isEqualTo(ReadIntent.Kind.REPLICA);
    list.close();
    assertThat(current()).isEqualTo(ReadIntent.undeclared());
  }

  @Test
  void anIntentPutInForceByOtherMeansIsRestoredToo() {
    ReadIntent outer = ReadIntent.write().named("by hand");
    contexts.get().enter(outer);

    boundary.enter(LIST).close();

    assertThat(current()).isSameAs(outer);
  }

  @Test
  void recursionDeeperThanTheFirstStackIsRestoredLevelByLevel() {
    int depth = 100;
    IntentBoundary.Scope scope = boundary.enter(SAVE);
    for (int i = 1; i < depth; i++) {
      scope = boundary.enter(i % 2 == 0 ? SAVE : LIST);
    }

    for (int i = depth - 1; i > 0; i--) {
      assertThat(current().label()).isEqualTo(i % 2 == 0 ? "Orders.save" : "Orders.list");
      scope.close();
    }
    scope.close();
    assertThat(current()).isEqualTo(ReadIntent.undeclared());
  }

  @Test
  void closingOnceTooOftenChangesNothing() {
    IntentBoundary.Scope scope = boundary.enter(LIST);
    scope.close();
    scope.close();

    assertThat(current()).isEqualTo(ReadIntent.undeclared());
  }

  @Test
  void anIntentIsInForceOnItsOwnThreadOnly() {
    IntentBoundary.Scope scope = boundary.enter(LIST);

    assertThat(CompletableFuture.supplyAsync(this::current).join())
        .isEqualTo(ReadIntent.undeclared());
    scope.close();
  }

  @Test
  void enteringAndLeavingAllocatesNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    enterAndLeave(20_000);

    long least = Long.MAX_VALUE;
    for (int round = 0; round < 20 && least > 0; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      enterAndLeave(10_000);
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }

    // The measurement itself may allocate a little; a byte per call would be 20,000.
    assertThat(least).isLessThan(1_000);
  }

  private void enterAndLeave(int times) {
    for (int i = 0; i < times; i++) {
      IntentBoundary.Scope outer = boundary.enter(LIST);
      IntentBoundary.Scope inner = boundary.enter(SAVE);
      inner.close();
      outer.close();
    }
  }
}
