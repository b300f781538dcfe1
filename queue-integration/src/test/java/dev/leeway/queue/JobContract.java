package dev.leeway.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.gate.ClusterId;
import dev.leeway.gate.GtidSet;
import dev.leeway.gate.WritePosition;
import dev.leeway.queue.Admission.Reason;
import dev.leeway.queue.Bed.Seen;
import dev.leeway.routing.RequestScope;
import dev.leeway.testkit.Fault;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What every adapter promises, whatever the broker. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class JobContract {
  /** A queue of a real broker, empty at first, for one test. */
  public interface TestQueue extends AutoCloseable {
    /** What jobs are sent to; the type of every job. */
    String name();

    /** Sends jobs into it. */
    JobCarrier carrier();

    /** Puts a message with exactly these headers into it, as a producer without Leeway does. */
    void sendRaw(String payload, Map<String, String> headers) throws Exception;

    /** Begins to give deliveries to a handler. */
    void consume(JobRunner runner, @Nullable Consistency declared, JobHandler handler)
        throws Exception;

    /**
     * Ends the consumer as a crash does: what it has not answered is delivered again by the broker,
     * to a consumer that begins after this.
     */
    void crash() throws Exception;

    /** The payloads that ended in the broker's own place for failures, and why. */
    List<String> failures() throws Exception;

    @Override
    void close() throws Exception;
  }

  /** What a job saw when it ran, and where it was admitted. */
  protected record Run(SentJob job, @Nullable String status, String server) {}

  private static final Duration LONG = Duration.ofSeconds(20);

  protected Bed bed;
  protected TestQueue queue;
  private Jobs jobs;
  private Outbox outbox;
  protected final Queue<Run> runs = new ConcurrentLinkedQueue<>();
  private final Queue<Admission> admissions = new ConcurrentLinkedQueue<>();
  private final Queue<String> putBacks = new ConcurrentLinkedQueue<>();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final Map<String, AtomicInteger> attempts = new ConcurrentHashMap<>();

  /** An empty queue with a name of its own. */
  protected abstract TestQueue newQueue(Bed bed) throws Exception;

  /** Where a job that fails for good is found in {@link TestQueue#failures}. */
  protected abstract boolean keepsFailures();

  @BeforeAll
  void openBed() throws Exception {
    bed = new Bed("jobs");
    outbox = Outbox.in(bed.leeway(), "leeway_outbox");
    try (Connection connection = bed.leeway().dataSource().getConnection()) {
      outbox.createTable(connection);
    }
  }

  @AfterAll
  void closeBed() {
    bed.close();
  }

  @BeforeEach
  void openQueue() throws Exception {
    Bed.ready(bed.leeway());
    queue = newQueue(bed);
    jobs = Jobs.over(bed.leeway(), queue.carrier());
  }

  @AfterEach
  void closeQueue() throws Exception {
    queue.close();
    Bed.CLUSTER.undoFaults();
    runs.clear();
    admissions.clear();
    putBacks.clear();
    failures.clear();
    attempts.clear();
  }

  protected JobRunner runner() {
    return JobRunner.builder(bed.leeway())
        .lookAgain(3, Duration.ofMillis(50), Duration.ofMillis(200))
        .listener(
            new JobListener() {
              @Override
              public void admitted(SentJob job, Admission admission) {
                admissions.add(admission);
              }

              @Override
              public void putBack(SentJob job, Duration delay, String why) {
                putBacks.add(why);
              }

              @Override
              public void failed(SentJob job, Throwable failure) {
                failures.add(failure);
              }
            })
        .build();
  }

  /** Reads the row whose id is the payload; a missing row is not visible yet. */
  private void readRow(SentJob job) throws Exception {
    long id = Long.parseLong(job.job().text());
    Seen seen = bed.read(id);
    if (seen.status() == null) {
      throw new NotYetVisibleException("order " + id);
    }
    runs.add(new Run(job, seen.status(), seen.server()));
  }

  private void consume(@Nullable Consistency declared) throws Exception {
    queue.consume(runner(), declared, this::readRow);
  }

  private CompletableFuture<Void> send(long id) {
    return jobs.send(Job.of(queue.name(), Long.toString(id)));
  }

  private Run firstRun() {
    Bed.await(
        () -> "a job runs; admitted " + admissions + ", failed " + failures, () -> !runs.isEmpty());
    return runs.element();
  }

  private void awaitRuns(IntPredicate enough) {
    Bed.await(
        () -> "enough jobs run: " + runs + ", admitted " + admissions + ", failed " + failures,
        () -> enough.test(runs.size()));
  }

  private static boolean byPrimary(Run run) {
    return run.server().equals(Bed.CLUSTER.primary().name());
  }

  private List<Reason> reasons() {
    return admissions.stream().map(Admission::reason).toList();
  }

  /** Case D15, with the replicas frozen throughout. */
  @Test
  void aJobSentInATransactionRunsAfterTheCommitAndNeverMissesTheRow() throws Exception {
    Bed.CLUSTER.replicas().forEach(replica -> replica.pauseApplier());
    consume(Consistency.caughtUp(Duration.ofMillis(100)));

    long second;
    CompletableFuture<Void> taken;
    try (RequestScope scope = bed.leeway().openScope();
        Connection connection = bed.leeway().dataSource().getConnection()) {
      connection.setAutoCommit(false);
      Bed.insert(connection, "first");
      second = Bed.insert(connection, "second");
      taken = send(second);
      Bed.insert(connection, "third");
      assertThat(taken).isNotDone();
      assertThat(admissions).isEmpty();
      connection.commit();
      assertThat(scope.position().gtids().isEmpty()).isFalse();
    }
    taken.get(20, java.util.concurrent.TimeUnit.SECONDS);

    Run run = firstRun();
    assertThat(run.status()).isEqualTo("second");
    assertThat(Objects.requireNonNull(run.job().envelope().position()).gtids().transactionCount())
        .as("one commit, which covers all three inserts")
        .isEqualTo(1);
    assertThat(byPrimary(run)).isTrue();
    assertThat(reasons()).containsExactly(Reason.TIMED_OUT);
    assertThat(putBacks).isEmpty();
    assertThat(runs).hasSize(1);
  }

  @Test
  void afterARollbackNoJobRuns() throws Exception {
    consume(Consistency.primary());
    CompletableFuture<Void> dropped;
    try (Connection connection = bed.leeway().dataSource().getConnection()) {
      connection.setAutoCommit(false);
      dropped = send(Bed.insert(connection, "rolled back"));
      connection.rollback();
    }
    long kept = bed.insert("kept");
    send(kept);

    assertThat(firstRun().status()).isEqualTo("kept");
    assertThatThrownBy(dropped::join)
        .hasCauseInstanceOf(JobNotSentException.class)
        .hasMessageContaining("was not sent (expected: a commit of its transaction)");
    assertThat(runs).hasSize(1);
    assertThat(failures).isEmpty();
  }

  @Test
  void aJobWaitsForAReplicaAndReadsThere() throws Exception {
    consume(Consistency.caughtUp(LONG));
    List<Fault> paused =
        Bed.CLUSTER.replicas().stream().map(replica -> replica.pauseApplier()).toList();
    send(bed.insert("late"));
    Bed.await(() -> "the job waits", () -> waiting() || !runs.isEmpty());
    assertThat(runs).isEmpty();
    paused.get(0).close();

    Run run = firstRun();
    assertThat(run.status()).isEqualTo("late");
    assertThat(run.server()).isEqualTo("replica-1");
    assertThat(reasons()).endsWith(Reason.CAUGHT_UP);
  }

  /** Whether a job was asked for and not answered; brokers that put back instead have done so. */
  private boolean waiting() {
    return queueWaits() || !putBacks.isEmpty();
  }

  /** Whether a second copy of a job that has not run yet is left out. */
  protected boolean dropsDuplicates() {
    return false;
  }

  /** Whether the worker holds a job that waits. */
  protected abstract boolean queueWaits();

  @Test
  void aJobThatIsDelayedComesBackWhenTheLagHasPassedAndReadsAReplica() throws Exception {
    List<Fault> paused =
        Bed.CLUSTER.replicas().stream().map(replica -> replica.pauseApplier()).toList();
    consume(Consistency.delayed(LONG, 20));
    send(bed.insert("delayed"));
    Bed.await(() -> "the job is put back: " + admissions, () -> !putBacks.isEmpty());
    assertThat(runs).isEmpty();
    paused.forEach(Fault::close);

    Run run = firstRun();
    assertThat(run.status()).isEqualTo("delayed");
    assertThat(byPrimary(run)).as("admitted " + admissions).isFalse();
    assertThat(failures).isEmpty();
  }

  @Test
  void aJobThatWasDelayedOftenEnoughReadsThePrimary() throws Exception {
    Bed.CLUSTER.replicas().forEach(replica -> replica.pauseApplier());
    consume(Consistency.delayed(Duration.ofMillis(300), 2));
    send(bed.insert("never on a replica"));

    Run run = firstRun();
    assertThat(byPrimary(run)).isTrue();
    assertThat(putBacks.size()).isBetween(1, 2);
    assertThat(failures).isEmpty();
  }

  @Test
  void aMessageOfAnOldProducerReadsThePrimary() throws Exception {
    consume(Consistency.caughtUp(LONG));
    long id = bed.insert("old");
    queue.sendRaw(Long.toString(id), Map.of());

    assertThat(byPrimary(firstRun())).isTrue();
    assertThat(reasons()).containsExactly(Reason.NO_HEADERS);
  }

  @Test
  void aPositionOfAnotherClusterReadsThePrimary() throws Exception {
    consume(Consistency.caughtUp(LONG));
    long id = bed.insert("foreign");
    WritePosition foreign =
        WritePosition.of(
            new ClusterId("billing", 0), GtidSet.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:7"));
    queue.sendRaw(Long.toString(id), JobEnvelope.of(foreign, null, Instant.now()).headers());

    assertThat(byPrimary(firstRun())).isTrue();
    assertThat(reasons()).containsExactly(Reason.FOREIGN_CLUSTER);
  }

  @Test
  void headersOfAnUnknownVersionAndGarbageReadThePrimary() throws Exception {
    consume(Consistency.caughtUp(LONG));
    long id = bed.insert("garbage");
    queue.sendRaw(Long.toString(id), Map.of(JobEnvelope.CONSISTENCY, "2;PRIMARY;x"));
    queue.sendRaw(
        Long.toString(id),
        Map.of(
            JobEnvelope.CONSISTENCY, "1;CAUGHT_UP;1000;0;0;0;0", JobEnvelope.POSITION, "lwp1.%"));

    awaitRuns(count -> count == 2);
    assertThat(runs).allMatch(JobContract::byPrimary);
    assertThat(reasons())
        .containsExactlyInAnyOrder(Reason.UNKNOWN_VERSION, Reason.MALFORMED_HEADERS);
  }

  @Test
  void aDuplicateReadsTheSameAndCarriesTheSameId() throws Exception {
    consume(Consistency.caughtUp(LONG));
    long id = bed.insert("twice");
    WritePosition position = written("twice");
    SentJob sent =
        new SentJob(
            Job.of(queue.name(), Long.toString(id)),
            "the-id",
            JobEnvelope.of(position, null, Instant.now()));
    queue.carrier().send(sent).toCompletableFuture().get(20, java.util.concurrent.TimeUnit.SECONDS);
    queue.carrier().send(sent).toCompletableFuture().get(20, java.util.concurrent.TimeUnit.SECONDS);

    awaitRuns(count -> count == 2 || (dropsDuplicates() && count == 1));
    assertThat(runs).allMatch(run -> run.job().id().equals("the-id"));
    assertThat(runs).allMatch(run -> "twice".equals(run.status()));
  }

  private WritePosition written(String status) throws Exception {
    try (RequestScope scope = bed.leeway().openScope()) {
      bed.insert(status);
      return scope.position();
    }
  }

  @Test
  void aJobSentBeforeTheCommitIsPutBackUntilTheRowIsThere() throws Exception {
    consume(Consistency.caughtUp(LONG));
    try (Connection connection = bed.leeway().dataSource().getConnection()) {
      connection.setAutoCommit(false);
      long id = Bed.insert(connection, "too early");
      WritePosition before = WritePosition.nothingWritten(new ClusterId("jobs", 0));
      queue.sendRaw(Long.toString(id), JobEnvelope.of(before, null, Instant.now()).headers());
      Bed.await(() -> "the job is put back", () -> !putBacks.isEmpty());
      assertThat(runs).isEmpty();
      connection.commit();
    }

    assertThat(firstRun().status()).isEqualTo("too early");
    assertThat(putBacks).allMatch("not visible"::equals);
    assertThat(reasons()).contains(Reason.NOTHING_WRITTEN, Reason.NOT_FOUND_ON_REPLICA);
    assertThat(failures).isEmpty();
  }

  @Test
  void aRowThatNeverComesIsANamedFailureAndHoldsUpNobody() throws Exception {
    consume(Consistency.primary());
    queue.sendRaw("987654321", Map.of());
    send(bed.insert("good"));

    assertThat(firstRun().status()).isEqualTo("good");
    Bed.await(() -> "the lost job fails: " + putBacks, () -> !failures.isEmpty());
    assertThat(failures.element())
        .isInstanceOf(NeverVisibleException.class)
        .hasMessageContaining("looked for its row on the primary 4 times and never found it");
    assertThat(putBacks).hasSize(3);
    if (keepsFailures()) {
      Bed.await(() -> "the broker has it", () -> hasFailure("987654321"));
    }
  }

  private boolean hasFailure(String part) {
    try {
      return queue.failures().stream().anyMatch(failure -> failure.contains(part));
    } catch (Exception e) {
      throw new AssertionError("the broker cannot be asked", e);
    }
  }

  @Test
  void aPoisonMessageEndsWithTheBrokersFailuresAndHoldsUpNobody() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    queue.consume(
        runner(),
        Consistency.primary(),
        job -> {
          if (job.job().text().equals("poison")) {
            tries.incrementAndGet();
            throw new IllegalStateException("cannot be handled");
          }
          readRow(job);
        });
    queue.sendRaw("poison", Map.of("leeway-position", "\u0001garbage"));
    send(bed.insert("good"));

    assertThat(firstRun().status()).isEqualTo("good");
    Bed.await(() -> "the poison fails", () -> !failures.isEmpty());
    if (keepsFailures()) {
      Bed.await(() -> "the broker has it", () -> hasFailure("poison"));
    }
    assertThat(tries.get()).isBetween(1, 5);
  }

  @Test
  void whatAWorkerDidNotAnswerComesAgainAfterAFailoverAndStillReadsItsWrite() throws Exception {
    CompletableFuture<Void> inHand = new CompletableFuture<>();
    CompletableFuture<Void> never = new CompletableFuture<>();
    queue.consume(
        runner(),
        Consistency.caughtUp(LONG),
        job -> {
          inHand.complete(null);
          never.get();
        });
    long id = bed.insert("before the failover");
    send(id);
    inHand.get(20, java.util.concurrent.TimeUnit.SECONDS);
    queue.crash();
    try (Fault failover = Bed.CLUSTER.promote(Bed.CLUSTER.replica("replica-1"))) {
      assertThat(failover.description()).isNotEmpty();
      Bed.await(
          () -> "the new primary is known: " + bed.leeway().clusterState(),
          () ->
              bed.leeway().clusterState().primary() != null
                  && Objects.requireNonNull(bed.leeway().clusterState().primary())
                      .name()
                      .equals("replica-1"));
      consume(Consistency.caughtUp(LONG));

      assertThat(firstRun().status()).isEqualTo("before the failover");
    } finally {
      never.complete(null);
    }
    Bed.await(
        () -> "the first primary is back: " + bed.leeway().clusterState(),
        () ->
            bed.leeway().clusterState().primary() != null
                && Objects.requireNonNull(bed.leeway().clusterState().primary())
                    .name()
                    .equals("primary"));
  }

  @Test
  void aCrashBetweenCommitAndSendLosesNothingThatIsInTheOutbox() throws Exception {
    consume(Consistency.caughtUp(LONG));
    List<Fault> paused =
        Bed.CLUSTER.replicas().stream().map(replica -> replica.pauseApplier()).toList();
    try (Connection connection = bed.leeway().dataSource().getConnection()) {
      connection.setAutoCommit(false);
      long id = Bed.insert(connection, "from the outbox");
      outbox.send(connection, Job.of(queue.name(), Long.toString(id)));
      connection.commit();
    }
    AtomicInteger tries = new AtomicInteger();
    CompletableFuture<Void> never = new CompletableFuture<>();
    OutboxRelay dying =
        OutboxRelay.builder(
                outbox,
                job -> {
                  tries.incrementAndGet();
                  return never;
                })
            .sendBound(Duration.ofMillis(100))
            .start();
    Bed.await(() -> "the first relay was about to send", () -> tries.get() > 0);
    dying.close();

    try (OutboxRelay relay = OutboxRelay.start(outbox, queue.carrier())) {
      Bed.await(() -> "the job waits", () -> waiting() || !runs.isEmpty());
      assertThat(runs).as("relayed by %s before a replica has it", relay.isElected()).isEmpty();
      paused.forEach(Fault::close);

      Run run = firstRun();
      assertThat(run.status()).isEqualTo("from the outbox");
      assertThat(byPrimary(run)).isFalse();
    }
  }

  @Test
  void manyJobsInARowEachReadTheirDispatchersWrite() throws Exception {
    consume(Consistency.caughtUp(LONG));
    int count = 100;
    for (int i = 0; i < count; i++) {
      try (RequestScope scope = bed.leeway().openScope()) {
        assertThat(scope.isClosed()).isFalse();
        send(bed.insert("number " + i));
      }
    }

    awaitRuns(done -> done == count);
    assertThat(failures).isEmpty();
    assertThat(putBacks.stream().filter("not visible"::equals)).isEmpty();
    assertThat(reasons()).doesNotContain(Reason.NOT_FOUND_ON_REPLICA);
    assertThat(runs).allMatch(run -> String.valueOf(run.status()).startsWith("number "));
  }
}
