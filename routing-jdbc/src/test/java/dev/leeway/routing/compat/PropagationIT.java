package dev.leeway.routing.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.routing.Leeway;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.RequestScope;
import io.micrometer.context.ContextExecutorService;
import io.micrometer.context.ContextSnapshotFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Requests that use several threads, and threads that serve several requests. */
// A scope and a fault are there to be in force, not to be called.
@SuppressWarnings("try")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PropagationIT {
  private static final ReadIntent REPLICA = ReadIntent.replica().named("propagation.read");

  private final ExecutorService pool = Executors.newFixedThreadPool(1);
  private Shop shop;
  private PlainJdbcIT.JdbcStore store;
  private ExecutorService executor;

  @BeforeAll
  void open() throws Exception {
    shop = Shop.open();
    store = new PlainJdbcIT.JdbcStore(shop.leeway().dataSource());
    // tag::executor[]
    ContextSnapshotFactory snapshots = ContextSnapshotFactory.builder().clearMissing(true).build();
    executor = ContextExecutorService.wrap(pool, snapshots);
    // end::executor[]
  }

  @AfterAll
  void close() throws InterruptedException {
    pool.shutdownNow();
    assertThat(pool.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
    shop.close();
  }

  @BeforeEach
  void asAtFirst() throws Exception {
    shop.onPrimary("UPDATE orders SET status = 'new' WHERE id = 1");
    shop.schema().awaitReplicated();
  }

  private Leeway leeway() {
    return shop.leeway();
  }

  private void write(String status) throws Exception {
    leeway().run(ReadIntent.write(), () -> store.setStatus(1, status));
  }

  private String statusFromAReplica() throws Exception {
    return leeway().read(REPLICA, () -> store.status(1));
  }

  private String serverFromAReplica() throws Exception {
    return leeway().read(REPLICA, store::server);
  }

  @Test
  void aTaskReadsWhatItsRequestWroteBeforeAndAfterItWasQueued() throws Exception {
    try (Shop.StandStill still = shop.replicasStandStill();
        RequestScope scope = leeway().openScope()) {
      CountDownLatch queued = new CountDownLatch(1);
      Future<String> task =
          executor.submit(
              () -> {
                assertThat(queued.await(5, TimeUnit.SECONDS)).isTrue();
                return statusFromAReplica();
              });

      write("written after the task was queued");
      queued.countDown();

      assertThat(task.get(10, TimeUnit.SECONDS)).isEqualTo("written after the task was queued");
    }
  }

  @Test
  void whatATaskWritesItsRequestReads() throws Exception {
    try (Shop.StandStill still = shop.replicasStandStill();
        RequestScope scope = leeway().openScope()) {
      executor
          .submit(
              () -> {
                write("written by the task");
                return null;
              })
          .get(10, TimeUnit.SECONDS);

      assertThat(statusFromAReplica()).isEqualTo("written by the task");
      assertThat(scope.position().gtids().isEmpty()).isFalse();
    }
  }

  @Test
  void aTaskThatOutlivesItsRequestStillReadsWhatTheRequestWrote() throws Exception {
    try (Shop.StandStill still = shop.replicasStandStill()) {
      CountDownLatch ended = new CountDownLatch(1);
      Future<String> task;
      try (RequestScope scope = leeway().openScope()) {
        write("by a request that has ended");
        task =
            executor.submit(
                () -> {
                  assertThat(ended.await(5, TimeUnit.SECONDS)).isTrue();
                  return statusFromAReplica();
                });
      }
      ended.countDown();

      assertThat(task.get(10, TimeUnit.SECONDS)).isEqualTo("by a request that has ended");
      assertThat(job(this::serverFromAReplica)).startsWith("replica-");
    }
  }

  @Test
  void aScopeThatAnotherThreadClosedIsNoMoreInForceWhereItWasOpened() throws Exception {
    try (Shop.StandStill still = shop.replicasStandStill()) {
      RequestScope scope = leeway().openScope();
      write("by a request that is closed elsewhere");
      pool.submit(scope::close).get(5, TimeUnit.SECONDS);

      assertThat(leeway().currentScope()).isEmpty();
      try (RequestScope next = leeway().openScope()) {
        assertThat(serverFromAReplica()).startsWith("replica-");
      }
    }
  }

  @Test
  void theIntentFollowsTheTaskToo() throws Exception {
    try (RequestScope scope = leeway().openScope()) {
      String server =
          leeway().read(REPLICA, () -> executor.submit(store::server).get(10, TimeUnit.SECONDS));

      assertThat(server).startsWith("replica-");
    }
    assertThat(pool.submit(() -> leeway().currentIntent()).get(5, TimeUnit.SECONDS))
        .isEqualTo(ReadIntent.undeclared());
  }

  @Test
  void theStagesOfACompletableFutureReadWhatTheRequestWrote() throws Exception {
    try (Shop.StandStill still = shop.replicasStandStill();
        RequestScope scope = leeway().openScope()) {
      write("before the first stage");

      List<String> seen =
          CompletableFuture.supplyAsync(this::statusUnchecked, executor)
              .thenApplyAsync(first -> List.of(first, statusUnchecked()), executor)
              .get(10, TimeUnit.SECONDS);

      assertThat(seen).containsExactly("before the first stage", "before the first stage");
    }
  }

  private String statusUnchecked() {
    try {
      return statusFromAReplica();
    } catch (Exception e) {
      throw new CompletionException(e);
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void virtualThreadsReadWhatTheRequestWrote() throws Exception {
    ExecutorService virtual =
        (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    try (Shop.StandStill still = shop.replicasStandStill();
        RequestScope scope = leeway().openScope()) {
      ExecutorService wrapped =
          ContextExecutorService.wrap(
              virtual, ContextSnapshotFactory.builder().clearMissing(true).build());
      write("for virtual threads");

      // Fewer at a time than the primary may serve instead of replicas.
      List<Future<String>> tasks = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        tasks.add(wrapped.submit(this::statusFromAReplica));
      }

      for (Future<String> task : tasks) {
        assertThat(task.get(20, TimeUnit.SECONDS)).isEqualTo("for virtual threads");
      }
    } finally {
      virtual.shutdownNow();
    }
  }

  @Test
  void aScopeCanBeAttachedByHand() throws Exception {
    try (Shop.StandStill still = shop.replicasStandStill();
        RequestScope scope = leeway().openScope()) {
      write("for the attached thread");
      Future<String> task =
          // tag::attach[]
          pool.submit(
              () -> {
                try (RequestScope.Attachment attached = scope.attach()) {
                  return statusFromAReplica();
                }
              });
      // end::attach[]

      assertThat(task.get(10, TimeUnit.SECONDS)).isEqualTo("for the attached thread");
    }
  }

  /**
   * Stickiness once hung on a worker's thread: after one job had written, every later job of that
   * worker read the primary.
   */
  @Test
  void whatOneJobWroteDoesNotKeepTheNextJobsOfTheSameWorkerOnThePrimary() throws Exception {
    try (Shop.StandStill still = shop.replicasStandStill()) {
      for (int round = 0; round < 20; round++) {
        assertThat(job(this::serverFromAReplica)).as("job 1 of %d", round).startsWith("replica-");
        Future<String> failing =
            pool.submit(
                () -> {
                  try (RequestScope scope = leeway().openScope()) {
                    leeway().read(ReadIntent.write(), () -> store.insert("by a job"));
                    assertThat(serverFromAReplica()).isEqualTo("primary");
                    throw new IllegalStateException("the job failed");
                  }
                });
        assertThat(failing)
            .failsWithin(10, TimeUnit.SECONDS)
            .withThrowableThat()
            .withMessageContaining("the job failed");
        assertThat(job(this::serverFromAReplica)).as("job 3 of %d", round).startsWith("replica-");
      }
    }
  }

  @Test
  void oneUsersWriteDoesNotKeepTheNextUserOfTheSameThreadOnThePrimary() throws Exception {
    try (Shop.StandStill still = shop.replicasStandStill()) {
      for (int round = 0; round < 20; round++) {
        int number = round;
        String userA =
            job(
                () -> {
                  write("written by A " + number);
                  return statusFromAReplica();
                });
        String userB = job(this::serverFromAReplica);

        assertThat(userA).isEqualTo("written by A " + round);
        assertThat(userB).as("user B, request %d", round).startsWith("replica-");
      }
    }
  }

  /** One request on the pool's only thread. */
  private String job(FrameworkContract.Code<String> code) throws Exception {
    return pool.submit(
            () -> {
              try (RequestScope scope = leeway().openScope()) {
                return code.run();
              }
            })
        .get(10, TimeUnit.SECONDS);
  }
}
