package dev.leeway.queue.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.gate.ClusterId;
import dev.leeway.gate.WritePosition;
import dev.leeway.queue.Bed;
import dev.leeway.queue.Bed.Seen;
import dev.leeway.queue.Consistency;
import dev.leeway.queue.JobConsistency;
import dev.leeway.queue.JobEnvelope;
import dev.leeway.queue.JobRunner;
import dev.leeway.testkit.Fault;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

class JobExecutorIT {
  private static final Consistency CAUGHT_UP = Consistency.caughtUp(Duration.ofSeconds(20));

  private static Bed bed;

  private ExecutorService threads;
  private JobExecutor executor;

  @BeforeAll
  static void openBed() throws Exception {
    bed = new Bed("executor");
  }

  @AfterAll
  static void closeBed() {
    bed.close();
  }

  @BeforeEach
  void open() {
    threads = Executors.newFixedThreadPool(2);
    executor =
        JobExecutor.builder(JobRunner.over(bed.leeway()), threads).consistency(CAUGHT_UP).build();
  }

  @AfterEach
  void close() {
    Bed.CLUSTER.undoFaults();
    executor.close();
    threads.shutdownNow();
  }

  @Test
  void aTaskThatIsSubmittedInATransactionStartsAfterTheCommit() throws Exception {
    Future<Seen> seen;
    try (Connection connection = bed.leeway().dataSource().getConnection()) {
      connection.setAutoCommit(false);
      long id = Bed.insert(connection, "submitted");
      seen = executor.submit(() -> bed.read(id));
      assertThat(seen).isNotDone();
      connection.commit();
    }

    assertThat(seen.get(20, TimeUnit.SECONDS).status()).isEqualTo("submitted");
  }

  @Test
  void theFutureOfATaskWhoseTransactionIsRolledBackIsCancelled() throws Exception {
    AtomicInteger ran = new AtomicInteger();
    Future<Integer> future;
    try (Connection connection = bed.leeway().dataSource().getConnection()) {
      connection.setAutoCommit(false);
      Bed.insert(connection, "rolled back");
      future = executor.submit(ran::incrementAndGet);
      connection.rollback();
    }

    assertThatThrownBy(() -> future.get(20, TimeUnit.SECONDS))
        .isInstanceOf(CancellationException.class);
    assertThat(ran).hasValue(0);
  }

  @Test
  void aThousandTasksThatWaitHoldNoThreadAndNoConnection() throws Exception {
    List<Fault> paused =
        Bed.CLUSTER.replicas().stream().map(replica -> replica.pauseApplier()).toList();
    long id = bed.insert("for all");
    int threadsBefore = Thread.activeCount();
    int sessionsBefore = sessions();
    List<CompletableFuture<Seen>> tasks = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      tasks.add(executor.call(CAUGHT_UP, () -> bed.read(id)));
    }

    assertThat(tasks).noneMatch(CompletableFuture::isDone);
    // Besides the pool of two and the timer, nothing grows with the number of those who wait.
    assertThat(Thread.activeCount() - threadsBefore).isLessThanOrEqualTo(20);
    assertThat(sessions() - sessionsBefore).isLessThanOrEqualTo(10);
    paused.forEach(Fault::close);

    for (CompletableFuture<Seen> task : tasks) {
      Seen seen = task.get(20, TimeUnit.SECONDS);
      assertThat(seen.status()).isEqualTo("for all");
      assertThat(seen.byPrimary()).isFalse();
    }
  }

  @Test
  void aTaskThatWaitsTakesLessThanTwoKibibytes() throws Exception {
    Bed.CLUSTER.replicas().forEach(replica -> replica.pauseApplier());
    long id = bed.insert("for all");
    int count = 9_000;
    List<CompletableFuture<Seen>> tasks = new ArrayList<>(count);
    long before = usedBytes();
    for (int i = 0; i < count; i++) {
      tasks.add(executor.call(CAUGHT_UP, () -> bed.read(id)));
    }
    long each = (usedBytes() - before) / count;

    assertThat(tasks).noneMatch(CompletableFuture::isDone);
    assertThat(each).as("bytes of the heap for each of those who wait").isLessThan(2_048);
    tasks.forEach(task -> task.cancel(false));
  }

  /** What is reachable, as far as a full collection tells. */
  private static long usedBytes() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      least =
          Math.min(least, Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
    }
    return least;
  }

  /** Sessions of the application on all servers. */
  private static int sessions() throws Exception {
    int sum = 0;
    for (var server : Bed.CLUSTER.servers()) {
      sum +=
          Integer.parseInt(
              String.valueOf(
                  server.queryString(
                      "SELECT COUNT(*) FROM information_schema.processlist WHERE user = '"
                          + server.user()
                          + "'")));
    }
    return sum;
  }

  @Test
  void tasksOfOneKeyThatWaitBecomeOneWithTheNewestPosition() throws Exception {
    List<Fault> paused =
        Bed.CLUSTER.replicas().stream().map(replica -> replica.pauseApplier()).toList();
    long id = bed.insert("first");
    AtomicInteger runs = new AtomicInteger();
    AtomicReference<Seen> seen = new AtomicReference<>();
    List<CompletableFuture<?>> tasks = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      bed.update(id, "version " + i);
      tasks.add(
          executor.coalesce(
              "order " + id,
              CAUGHT_UP,
              () -> {
                runs.incrementAndGet();
                seen.set(bed.read(id));
              }));
    }
    paused.forEach(Fault::close);
    for (CompletableFuture<?> task : tasks) {
      task.get(20, TimeUnit.SECONDS);
    }

    assertThat(runs).hasValue(1);
    assertThat(seen.get())
        .matches(read -> read != null && "version 5".equals(read.status()) && !read.byPrimary());
  }

  @JobConsistency(Consistency.Kind.PRIMARY)
  private static final class OnPrimary implements Callable<Seen> {
    private final long id;

    OnPrimary(long id) {
      this.id = id;
    }

    @Override
    public Seen call() throws Exception {
      return bed.read(id);
    }
  }

  @Test
  void aTasksClassMayDeclareThePrimary() throws Exception {
    Seen seen = executor.submit(new OnPrimary(bed.insert("x"))).get(20, TimeUnit.SECONDS);

    assertThat(seen.byPrimary()).isTrue();
  }

  @Test
  void tooManyTasksAreRefused() throws Exception {
    Bed.CLUSTER.replicas().forEach(replica -> replica.pauseApplier());
    try (JobExecutor small =
        JobExecutor.builder(JobRunner.over(bed.leeway()), threads).maxPending(1).build()) {
      bed.insert("y");
      CompletableFuture<Integer> first =
          small.call(Consistency.caughtUp(Duration.ofSeconds(1)), () -> 1);

      assertThatThrownBy(() -> small.call(CAUGHT_UP, () -> 2))
          .isInstanceOf(RejectedExecutionException.class)
          .hasMessage(
              "executor jobs - a task was not taken: 1 are pending (expected: fewer than 1).");
      assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo(1);
    }
  }

  @Test
  void oneTasksStickinessDoesNotReachTheNext() throws Exception {
    for (int i = 0; i < 20; i++) {
      executor.call(Consistency.primary(), () -> bed.insert("sticky?")).get(20, TimeUnit.SECONDS);
      AtomicReference<Seen> seen = new AtomicReference<>();
      executor
          .accept(nothingWritten(), CAUGHT_UP, () -> seen.set(bed.read(1)))
          .get(20, TimeUnit.SECONDS);
      assertThat(seen.get()).matches(read -> read != null && !read.byPrimary());
    }
  }

  private static JobEnvelope nothingWritten() {
    return JobEnvelope.of(
        WritePosition.nothingWritten(new ClusterId("executor", 0)), null, Instant.now());
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void virtualThreadsWillDo() throws Exception {
    ExecutorService virtual =
        (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    try (JobExecutor light = JobExecutor.builder(JobRunner.over(bed.leeway()), virtual).build()) {
      List<CompletableFuture<Seen>> tasks = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        long id = bed.insert("light " + i);
        tasks.add(light.call(CAUGHT_UP, () -> bed.read(id)));
      }
      for (int i = 0; i < 200; i++) {
        assertThat(tasks.get(i).get(20, TimeUnit.SECONDS).status()).isEqualTo("light " + i);
      }
    } finally {
      virtual.shutdown();
    }
  }
}
