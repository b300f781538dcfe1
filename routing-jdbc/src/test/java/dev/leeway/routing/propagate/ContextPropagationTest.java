package dev.leeway.routing.propagate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.gate.GtidSet;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.context.CallContext;
import dev.leeway.routing.context.ScopeState;
import io.micrometer.context.ContextExecutorService;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** The accessors, found by the library as in an application, with the contexts of two Leeways. */
class ContextPropagationTest {
  private static final ReadIntent LISTING = ReadIntent.replica().named("listing");
  private static final GtidSet WRITTEN = GtidSet.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-7");

  private final ContextSnapshotFactory snapshots = ContextSnapshotFactory.builder().build();
  private final ExecutorService pool = Executors.newFixedThreadPool(1);
  private final Supplier<CallContext> shop = ThreadLocal.withInitial(CallContext::new)::get;
  private final Supplier<CallContext> archive = ThreadLocal.withInitial(CallContext::new)::get;

  /** What one thread has in force. */
  private record Seen(ReadIntent intent, @Nullable ScopeState scope) {}

  private static Seen seen(Supplier<CallContext> leeway) {
    return new Seen(leeway.get().intent(), leeway.get().scope());
  }

  private static final Seen NOTHING = new Seen(ReadIntent.undeclared(), null);

  @BeforeEach
  void open() {
    OpenContexts.opened(shop);
    OpenContexts.opened(archive);
  }

  @AfterEach
  void close() throws InterruptedException {
    OpenContexts.closed(shop);
    OpenContexts.closed(archive);
    pool.shutdownNow();
    assertThat(pool.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
  }

  private ExecutorService wrapped(ExecutorService executor) {
    return ContextExecutorService.wrap(executor, snapshots);
  }

  @Test
  void aTaskOnAWrappedPoolHasTheIntentAndTheScopeOfItsCaller() throws Exception {
    ScopeState scope = new ScopeState(0, null);
    shop.get().attach(scope);
    shop.get().enter(LISTING);

    assertThat(wrapped(pool).submit(() -> seen(shop)).get(5, TimeUnit.SECONDS))
        .isEqualTo(new Seen(LISTING, scope));
    assertThat(wrapped(pool).submit(() -> seen(archive)).get(5, TimeUnit.SECONDS))
        .isEqualTo(NOTHING);
  }

  @Test
  void aTaskSeesWhatItsCallerWroteAfterItWasQueued() throws Exception {
    ScopeState scope = new ScopeState(0, null);
    shop.get().attach(scope);
    CountDownLatch busy = new CountDownLatch(1);
    Future<Boolean> blocking = pool.submit(() -> busy.await(5, TimeUnit.SECONDS));
    Future<GtidSet> task =
        wrapped(pool)
            .submit(
                () -> {
                  ScopeState mine = shop.get().scope();
                  return mine == null ? GtidSet.EMPTY : mine.writes().everything().gtids();
                });

    scope.wrote(WRITTEN, System.nanoTime());
    busy.countDown();

    assertThat(blocking.get(5, TimeUnit.SECONDS)).isTrue();
    assertThat(task.get(5, TimeUnit.SECONDS)).isEqualTo(WRITTEN);
  }

  @Test
  void aPooledThreadIsCleanAfterEachOfTwentyTasks() throws Exception {
    List<Seen> between = new ArrayList<>();
    for (int request = 0; request < 20; request++) {
      ScopeState scope = new ScopeState(0, null);
      shop.get().attach(scope);
      shop.get().enter(LISTING);
      Seen inside = wrapped(pool).submit(() -> seen(shop)).get(5, TimeUnit.SECONDS);
      assertThat(inside).isEqualTo(new Seen(LISTING, scope));
      shop.get().attach(null);
      shop.get().enter(ReadIntent.undeclared());

      between.add(pool.submit(() -> seen(shop)).get(5, TimeUnit.SECONDS));
    }

    assertThat(between).hasSize(20).containsOnly(NOTHING);
  }

  @Test
  void aPooledThreadIsCleanAfterATaskThatThrew() throws Exception {
    shop.get().attach(new ScopeState(0, null));
    Future<?> failing =
        wrapped(pool)
            .submit(
                () -> {
                  throw new IllegalStateException("from the task");
                });

    assertThat(failing).failsWithin(5, TimeUnit.SECONDS);
    assertThat(pool.submit(() -> seen(shop)).get(5, TimeUnit.SECONDS)).isEqualTo(NOTHING);
  }

  @Test
  void aThreadGetsItsOwnScopeBackAfterAForeignTask() throws Exception {
    ScopeState mine = new ScopeState(0, null);
    ScopeState theirs = new ScopeState(0, null);
    shop.get().attach(theirs);
    ContextSnapshot snapshot = snapshots.captureAll();
    shop.get().attach(mine);
    archive.get().enter(LISTING);

    Seen inside = snapshot.wrap(() -> seen(shop)).call();

    assertThat(inside.scope()).isSameAs(theirs);
    assertThat(seen(shop).scope()).isSameAs(mine);
    assertThat(seen(archive).intent()).isSameAs(LISTING);
  }

  @Test
  void completableFuturesOnAWrappedPoolSeeTheScopeInEveryStage() throws Exception {
    ScopeState scope = new ScopeState(0, null);
    shop.get().attach(scope);
    ExecutorService executor = wrapped(pool);

    List<@Nullable ScopeState> stages =
        CompletableFuture.supplyAsync(() -> seen(shop).scope(), executor)
            .thenApplyAsync(first -> List.of(first, seen(shop).scope()), executor)
            .get(5, TimeUnit.SECONDS);

    assertThat(stages).containsExactly(scope, scope);
    assertThat(pool.submit(() -> seen(shop)).get(5, TimeUnit.SECONDS)).isEqualTo(NOTHING);
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void aVirtualThreadHasTheIntentAndTheScopeOfItsCaller() throws Exception {
    ScopeState scope = new ScopeState(0, null);
    shop.get().attach(scope);
    shop.get().enter(LISTING);
    ExecutorService virtual = virtualThreads();
    try {
      List<Future<Seen>> tasks = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        tasks.add(wrapped(virtual).submit(() -> seen(shop)));
      }
      for (Future<Seen> task : tasks) {
        assertThat(task.get(5, TimeUnit.SECONDS)).isEqualTo(new Seen(LISTING, scope));
      }
      assertThat(virtual.submit(() -> seen(shop)).get(5, TimeUnit.SECONDS)).isEqualTo(NOTHING);
    } finally {
      virtual.shutdownNow();
    }
  }

  /** By its name, since this is compiled for Java 17. */
  private static ExecutorService virtualThreads()
      throws NoSuchMethodException, IllegalAccessException, InvocationTargetException {
    return (ExecutorService)
        Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
  }

  @Test
  void whereNothingIsInForceNothingIsCarried() {
    assertThat(new IntentAccessor().getValue()).isNull();
    assertThat(new ScopeAccessor().getValue()).isNull();
  }

  @Test
  void aLeewayThatWasClosedIsLeftOut() {
    shop.get().enter(LISTING);
    OpenContexts.closed(shop);

    assertThat(new IntentAccessor().getValue()).isNull();
  }
}
