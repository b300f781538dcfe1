package dev.leeway.gate;

import static dev.leeway.gate.GateResult.Outcome.FOREIGN_CLUSTER;
import static dev.leeway.gate.GateResult.Outcome.LOST;
import static dev.leeway.gate.GateResult.Outcome.NO_REPLICA;
import static dev.leeway.gate.GateResult.Outcome.REACHED;
import static dev.leeway.gate.GateResult.Outcome.TIMED_OUT;
import static dev.leeway.gate.GateResult.Outcome.USE_PRIMARY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.testkit.Fault;
import dev.leeway.testkit.MySqlCluster;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.MySqlTopology;
import dev.leeway.testkit.Server;
import dev.leeway.testkit.TestSchema;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The gate on real servers. The limit is an hour, so that a replica that stands still may serve.
 */
@MySqlTopology(replicas = 2)
class ReplicaGateIT {
  private static final Duration SOON = Duration.ofSeconds(10);

  private MySqlCluster cluster;
  private MySqlServer primary;
  private MySqlServer replica1;
  private MySqlServer replica2;
  private TestSchema schema;
  private Watch watch;
  private ReplicaGate gate;

  @BeforeEach
  void open(
      MySqlCluster shared,
      TestSchema empty,
      @Server("primary") MySqlServer p,
      @Server("replica-1") MySqlServer r1,
      @Server("replica-2") MySqlServer r2)
      throws Exception {
    cluster = shared;
    primary = p;
    replica1 = r1;
    replica2 = r2;
    schema = empty;
    schema
        .execute("CREATE TABLE t (id BIGINT PRIMARY KEY AUTO_INCREMENT, a INT)")
        .awaitReplicated();
    watch =
        Watch.of(cluster, s -> s.ejectAbove(Duration.ofHours(1)).pollTimeout(Duration.ofSeconds(1)))
            .ready();
    gate = ReplicaGate.over(watch.monitor);
  }

  @AfterEach
  void close() {
    gate.close();
    watch.close();
  }

  @Test
  void aWriteIsReachedAMomentLater() throws Exception {
    for (int i = 0; i < 50; i++) {
      GateResult result = gate.await(insert(), SOON);

      assertThat(result.outcome()).as(result.explanation()).isEqualTo(REACHED);
      assertThat(result.server()).startsWith("replica-");
    }
  }

  @Test
  void whatAReplicaIsKnownToHaveIsAnsweredWithoutAsking() throws Exception {
    WritePosition position = insert();
    assertThat(gate.hasReached(position, SOON)).isTrue();

    GateResult again = gate.await(position, Duration.ZERO);

    assertThat(gate.hasReached(position)).isTrue();
    assertThat(again.outcome()).isEqualTo(REACHED);
    int index = watch.server(Objects.requireNonNull(again.server())).index();
    assertThat(gate.reachedOn(index, position.gtids())).isTrue();
    assertThat(gate.awaitOn(index, position.gtids(), 0)).isTrue();
  }

  @Test
  void aSetOfTwoServersSpreadOverTwoLinesGates() throws Exception {
    primary.execute(
        "SET gtid_next='11111111-1111-1111-1111-111111111111:7'",
        "BEGIN",
        "COMMIT",
        "SET gtid_next='AUTOMATIC'");
    String text = Objects.requireNonNull(primary.queryString("SELECT @@global.gtid_executed"));
    GtidSet executed = GtidSet.parse(text);

    assertThat(text).contains("\n");
    assertThat(executed.sources()).hasSizeGreaterThanOrEqualTo(2);
    assertThat(gate.hasReached(position(executed), SOON)).isTrue();
    assertThat(gate.awaitOn(1, executed, SOON.toNanos())).isTrue();
  }

  @Test
  void aWriteUnderATagGatesOnEachReplicaByItself() throws Exception {
    GtidSet tagged;
    try (Fault frozen2 = replica2.pauseApplier()) {
      try (Fault frozen1 = replica1.pauseApplier()) {
        tagged = writeUnderTag("aaa");
        assertThat(gate.hasReached(position(tagged), Duration.ofMillis(200)))
            .as("%s, %s", frozen1, frozen2)
            .isFalse();
      }
      assertThat(gate.await(position(tagged), SOON).server()).isEqualTo("replica-1");
      assertThat(gate.awaitOn(2, tagged, 1)).isFalse();
    }
    assertThat(gate.awaitOn(2, tagged, SOON.toNanos())).isTrue();
  }

  @Test
  void noPositionIsNeverReached() {
    assertThatThrownBy(() -> gate.hasReached(noPosition()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "shop gate - no position was given (expected: one). Without a position, read on the"
                + " primary.");
    assertThatThrownBy(() -> gate.hasReached(WritePosition.parse("")))
        .isInstanceOf(IllegalArgumentException.class);
    WritePosition nothing = WritePosition.nothingWritten(new ClusterId(Watch.CLUSTER, 1));
    for (Callable<?> question :
        List.<Callable<?>>of(
            () -> gate.hasReached(nothing),
            () -> gate.hasReached(nothing, SOON),
            () -> gate.await(nothing, SOON),
            () -> gate.awaitAsync(nothing, SOON).isDone())) {
      assertThatThrownBy(question::call)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("shop gate - the position says that nothing was written");
    }
    assertThatThrownBy(() -> gate.reachedOn(1, GtidSet.EMPTY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("shop gate - an empty GTID set was given");
    assertThatThrownBy(() -> gate.awaitOn(1, GtidSet.EMPTY, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void verdictsThatTheServersHaveNoPartInAreGivenAtOnce() throws Exception {
    WritePosition incomplete =
        WritePosition.incomplete(new ClusterId(Watch.CLUSTER, 1), insert().gtids());
    WritePosition foreign = WritePosition.of(new ClusterId("other", 1), insert().gtids());

    GateResult usePrimary = gate.await(incomplete, SOON);
    GateResult foreignCluster = gate.await(foreign, SOON);

    assertThat(usePrimary.outcome()).isEqualTo(USE_PRIMARY);
    assertThat(usePrimary.waited()).isZero();
    assertThat(usePrimary.explanation())
        .isEqualTo(
            "shop gate - the position does not say all that was written. Read on the primary.");
    assertThat(foreignCluster.outcome()).isEqualTo(FOREIGN_CLUSTER);
    assertThat(foreignCluster.explanation())
        .isEqualTo(
            "shop gate - the position is of cluster 'other' and means nothing here. Ask that"
                + " cluster's gate.");
    assertThat(gate.hasReached(incomplete)).isFalse();
    assertThat(gate.hasReached(foreign)).isFalse();
  }

  @Test
  void aPositionThatNoServerHasIsLostLongBeforeTheTimeout() throws Exception {
    WritePosition never = position(GtidSet.parse("99999999-9999-9999-9999-999999999999:1-5"));

    GateResult result = gate.await(never, Duration.ofSeconds(30));
    GateResult later = gate.awaitAsync(never, Duration.ofSeconds(30)).get(10, TimeUnit.SECONDS);

    assertThat(result.outcome()).isEqualTo(LOST);
    assertThat(later.outcome()).isEqualTo(LOST);
    assertThat(result.waited()).isLessThan(Duration.ofSeconds(10));
  }

  @Test
  void aZeroTimeoutAsksTheMemoryAndANegativeOneIsRefused() throws Exception {
    freezeBoth();
    WritePosition position = insert();

    GateResult result = gate.await(position, Duration.ZERO);

    assertThat(result.outcome()).isEqualTo(TIMED_OUT);
    assertThat(result.waited()).isLessThan(Duration.ofMillis(100));
    assertThatThrownBy(() -> gate.hasReached(position, Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("shop gate - timeout: PT-0.001S (expected: zero or more)");
    assertThatThrownBy(() -> gate.await(position, Duration.ofMillis(-1), Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("shop gate - maxStaleness: PT-0.001S (expected: zero or more)");
    assertThatThrownBy(() -> WritePosition.parse("garbage"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void replicasThatStandStillAreWaitedForNoLongerThanAllowed() throws Exception {
    freezeBoth();
    WritePosition position = insert();

    GateResult result = gate.await(position, Duration.ofMillis(500));

    assertThat(result.outcome()).isEqualTo(TIMED_OUT);
    assertThat(result.waited()).isBetween(Duration.ofMillis(500), Duration.ofMillis(1_000));
    assertThat(result.explanation())
        .startsWith("shop gate - no replica reached " + position.gtids().describe() + " within 50")
        .contains("replica-1 lacks " + position.gtids().describe())
        .endsWith(". Read on the primary, or allow more time.");
  }

  @Test
  void manyWaitersThatTimeOutTogetherLeaveNothingBehind() throws Exception {
    freezeBoth();
    WritePosition position = insert();
    List<GateResult> results = atOnce(10, () -> gate.await(position, Duration.ofMillis(500)));

    assertThat(results).extracting(GateResult::outcome).containsOnly(TIMED_OUT);
    assertThat(results).allMatch(result -> result.waited().compareTo(Duration.ofSeconds(2)) < 0);
    assertThat(gate.waiting()).isZero();
    assertThat(gate.connections()).isLessThanOrEqualTo(8);
  }

  @Test
  void whoWaitsIsLetThroughWhenTheReplicasMoveOn() throws Exception {
    freezeBoth();
    WritePosition position = insert();
    CompletableFuture<GateResult> waiting = gate.awaitAsync(position, Duration.ofSeconds(30));
    assertThat(gate.await(position, Duration.ofMillis(300)).outcome()).isEqualTo(TIMED_OUT);
    assertThat(waiting).isNotDone();

    cluster.undoFaults();

    assertThat(waiting.get(10, TimeUnit.SECONDS).outcome()).isEqualTo(REACHED);
  }

  @Test
  void aReplicaThatHangsDoesNotMakeTheWaitLonger() throws Exception {
    replica2.pauseApplier();
    replica1.freeze();
    WritePosition position = insert();

    GateResult result = gate.await(position, Duration.ofMillis(500));

    assertThat(result.outcome()).isEqualTo(TIMED_OUT);
    assertThat(result.waited()).isBetween(Duration.ofMillis(500), Duration.ofMillis(1_000));
    assertThat(gate.awaitOn(1, position.gtids(), TimeUnit.MILLISECONDS.toNanos(300))).isFalse();
    replica1.thaw();
    assertThat(gate.await(position, SOON).server()).isEqualTo("replica-1");
  }

  @Test
  void aWaitForOneReplicaEndsWhenThatMayNoLongerServe() throws Exception {
    replica1.pauseApplier();
    WritePosition position = insert();
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      Future<Boolean> waiting =
          other.submit(() -> gate.awaitOn(1, position.gtids(), TimeUnit.SECONDS.toNanos(60)));
      Eventually.within(SOON, "it waits", () -> gate.waiting() == 1);

      replica1.detach();

      assertThat(waiting.get(10, TimeUnit.SECONDS)).isFalse();
    } finally {
      other.shutdownNow();
    }
    assertThat(gate.waiting()).isZero();
  }

  @Test
  void whenNoReplicaMayServeThatIsWhatIsTold() throws Exception {
    replica1.detach();
    replica2.detach();
    watch.probe.await(
        "nobody serves", SOON, state -> !state.server(1).mayServe() && !state.server(2).mayServe());
    WritePosition position = insert();

    GateResult result = gate.await(position, Duration.ofMillis(200));

    assertThat(result.outcome()).isEqualTo(NO_REPLICA);
    assertThat(result.explanation())
        .startsWith("shop gate - no replica may serve: replica-1 FRESH [DETACHED")
        .endsWith(". Read on the primary.");
  }

  @Test
  void aReplicaThatHasItButIsTooOldIsNotEnough() throws Exception {
    WritePosition position = insert();
    cluster.awaitCaughtUp(SOON);
    freezeBoth();
    watch.probe.await(
        "both are more than a second old",
        SOON,
        state ->
            StateProbe.stalenessMillis(state.server(1)) > 1_000
                && StateProbe.stalenessMillis(state.server(2)) > 1_000);

    assertThat(gate.await(position, Duration.ZERO).outcome()).isEqualTo(REACHED);
    GateResult strict = gate.await(position, Duration.ofSeconds(1), Duration.ofMillis(200));

    assertThat(strict.outcome()).isEqualTo(TIMED_OUT);
    assertThat(strict.explanation()).contains("replica-1 has it but is too stale");
  }

  @Test
  void aThousandWaitersShareAFewConnectionsAndAreLetThroughTogether() throws Exception {
    int waiters = 1_000;
    freezeBoth();
    List<WritePosition> positions = new ArrayList<>();
    try (Connection connection = primary.connect(schema.name());
        Statement statement = connection.createStatement()) {
      GtidSet before = GtidSet.parse(primary.executedGtids());
      for (int i = 0; i < waiters; i++) {
        statement.execute("INSERT INTO t (a) VALUES (" + i + ")");
      }
      GtidSet written = GtidSet.parse(primary.executedGtids()).subtract(before);
      UUID source = UUID.fromString(primary.serverUuid());
      long last = written.last[written.last.length - 1];
      for (int i = 0; i < waiters; i++) {
        positions.add(position(GtidSet.of(new Gtid(source, "", last - i))));
      }
    }
    List<CompletableFuture<GateResult>> waiting = new ArrayList<>();
    for (WritePosition position : positions) {
      waiting.add(gate.awaitAsync(position, Duration.ofSeconds(60)));
    }
    assertThat(gate.waiting()).isEqualTo(waiters);
    Eventually.within(SOON, "every connection is in use", () -> gate.connections() == 8);
    int threads = gateThreads();
    int sessions = gateSessions(replica1);

    cluster.undoFaults();
    for (CompletableFuture<GateResult> answer : waiting) {
      assertThat(answer.get(30, TimeUnit.SECONDS).outcome()).isEqualTo(REACHED);
    }

    assertThat(sessions).isLessThanOrEqualTo(4);
    assertThat(gateSessions(replica1)).isLessThanOrEqualTo(4);
    assertThat(gate.connections()).isLessThanOrEqualTo(8);
    // Four at each replica, and the timer.
    assertThat(threads).isLessThanOrEqualTo(9);
    assertThat(gate.waiting()).isZero();
  }

  /** Prints how long after a replica has it the gate opens; asserts only that it always does. */
  @Test
  void theGateOpensSoonAfterTheReplicaHasIt() throws Exception {
    int rounds = 200;
    List<Long> micros = new ArrayList<>();
    String table = schema.name() + ".t";
    try (Connection onPrimary = primary.connect("");
        Connection onReplica = replica1.connect("");
        Statement write = onPrimary.createStatement();
        Statement wait = onReplica.createStatement()) {
      ExecutorService other = Executors.newSingleThreadExecutor();
      try {
        for (int i = 0; i < rounds; i++) {
          GtidSet before = GtidSet.parse(primary.executedGtids());
          write.execute("INSERT INTO " + table + " (a) VALUES (1)");
          GtidSet written = GtidSet.parse(primary.executedGtids()).subtract(before);
          AtomicLong reachedAt = new AtomicLong();
          Future<?> reached =
              other.submit(
                  () -> {
                    wait.execute("SELECT WAIT_FOR_EXECUTED_GTID_SET('" + written + "', 10)");
                    reachedAt.set(System.nanoTime());
                    return null;
                  });
          boolean opened = gate.awaitOn(1, written, SOON.toNanos());
          long openedAt = System.nanoTime();
          reached.get(10, TimeUnit.SECONDS);
          assertThat(opened).isTrue();
          micros.add(Math.max(0, openedAt - reachedAt.get()) / 1_000);
        }
      } finally {
        other.shutdownNow();
      }
    }
    micros.sort(Long::compare);
    System.out.printf(
        "gate opens after the replica's own answer: median %d us, p95 %d us, max %d us of %d%n",
        micros.get(rounds / 2), micros.get(rounds * 95 / 100), micros.get(rounds - 1), rounds);
  }

  @Test
  void aCancelledWaitIsTakenOffAndAnInterruptedOneEndsAtOnce() throws Exception {
    freezeBoth();
    WritePosition position = insert();
    CompletableFuture<GateResult> cancelled = gate.awaitAsync(position, Duration.ofSeconds(60));
    AtomicLong stillInterrupted = new AtomicLong();
    CompletableFuture<GateResult> interrupted = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              GateResult result = gate.await(position, Duration.ofSeconds(60));
              stillInterrupted.set(Thread.currentThread().isInterrupted() ? 1 : 0);
              interrupted.complete(result);
            });
    thread.start();
    Eventually.within(SOON, "both wait", () -> gate.waiting() == 2);

    cancelled.cancel(true);
    thread.interrupt();

    assertThat(interrupted.get(10, TimeUnit.SECONDS).outcome()).isEqualTo(TIMED_OUT);
    assertThat(stillInterrupted.get()).isEqualTo(1);
    assertThat(gate.waiting()).isZero();
  }

  @Test
  void moreWaitersThanAllowedAreSentToThePrimary() throws Exception {
    freezeBoth();
    WritePosition position = insert();
    try (ReplicaGate small =
        ReplicaGate.builder(watch.monitor).maxWaiters(2).connectionsPerReplica(1).build()) {
      List<CompletableFuture<GateResult>> waiting =
          List.of(
              small.awaitAsync(position, Duration.ofSeconds(60)),
              small.awaitAsync(position, Duration.ofSeconds(60)));

      GateResult third = small.await(position, Duration.ofSeconds(60));

      assertThat(third.outcome()).isEqualTo(USE_PRIMARY);
      assertThat(third.explanation())
          .isEqualTo("shop gate - already 2 wait, which is its limit. Read on the primary.");
      assertThat(waiting).noneMatch(CompletableFuture::isDone);
    }
  }

  @Test
  void aClosedGateAnswersEverybodyAndLeavesNothingBehind() throws Exception {
    freezeBoth();
    WritePosition position = insert();
    CompletableFuture<GateResult> waiting = gate.awaitAsync(position, Duration.ofSeconds(60));

    gate.close();

    assertThat(waiting.get(10, TimeUnit.SECONDS).outcome()).isEqualTo(NO_REPLICA);
    GateResult after = gate.await(position, Duration.ofSeconds(60));
    assertThat(after.outcome()).isEqualTo(NO_REPLICA);
    assertThat(after.explanation()).isEqualTo("shop gate - it is closed. Read on the primary.");
    assertThat(gate.hasReached(position)).isFalse();
    assertThat(gate.awaitOn(1, position.gtids(), 1_000_000)).isFalse();
    Eventually.within(SOON, "no thread of the gate is left", () -> gateThreads() == 0);
    Eventually.within(SOON, "no session of the gate is left", () -> gateSessions(replica1) == 0);
    gate.close();
  }

  @Test
  void questionsAreCountedByOutcome() throws Exception {
    assertThat(gate.hasReached(insert(), SOON)).isTrue();

    assertThat(watch.registry.get("leeway.gate.wait").tag("outcome", "reached").timer().count())
        .isEqualTo(1);
    assertThat(watch.registry.get("leeway.gate.connections").gauge().value()).isPositive();
  }

  /** What an unchecked caller passes. */
  @SuppressWarnings({"NullAway", "DataFlowIssue"})
  private static WritePosition noPosition() {
    return null;
  }

  private void freezeBoth() {
    replica1.pauseApplier();
    replica2.pauseApplier();
  }

  private WritePosition insert() throws Exception {
    return Watch.write(primary, "INSERT INTO " + schema.name() + ".t (a) VALUES (1)");
  }

  private static WritePosition position(GtidSet gtids) {
    return WritePosition.of(new ClusterId(Watch.CLUSTER, 1), gtids);
  }

  private GtidSet writeUnderTag(String tag) throws Exception {
    GtidSet before = GtidSet.parse(primary.executedGtids());
    primary.execute(
        "SET gtid_next='AUTOMATIC:" + tag + "'",
        "INSERT INTO " + schema.name() + ".t (a) VALUES (1)",
        "SET gtid_next='AUTOMATIC'");
    GtidSet tagged = tagged(GtidSet.parse(primary.executedGtids()).subtract(before));
    assertThat(tagged.toString()).contains(":" + tag + ":");
    return tagged;
  }

  /** What carries a tag; the heartbeat's transactions in between do not. */
  private static GtidSet tagged(GtidSet gtids) {
    GtidSet untagged = GtidSet.EMPTY;
    for (int group = 0; group < gtids.tags.length; group++) {
      if (gtids.tags[group].isEmpty()) {
        for (int i = gtids.starts[group]; i < gtids.starts[group + 1]; i++) {
          untagged =
              untagged.union(
                  GtidSet.parse(
                      new UUID(gtids.sourceHigh[group], gtids.sourceLow[group])
                          + ":"
                          + gtids.first[i]
                          + "-"
                          + gtids.last[i]));
        }
      }
    }
    return gtids.subtract(untagged);
  }

  private static <T> List<T> atOnce(int threads, Callable<T> task) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<T> results = new ArrayList<>();
      for (Future<T> future : executor.invokeAll(Collections.nCopies(threads, task))) {
        results.add(future.get(60, TimeUnit.SECONDS));
      }
      return results;
    } finally {
      executor.shutdownNow();
    }
  }

  private static int gateThreads() {
    return (int)
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().contains("-gate-"))
            .count();
  }

  /** The sessions that wait, or have just waited, for the gate. */
  private int gateSessions(MySqlServer server) throws Exception {
    String count =
        server.queryString(
            "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE USER='"
                + server.user()
                + "' AND INFO LIKE 'SELECT WAIT_FOR%'");
    return Integer.parseInt(Objects.requireNonNull(count));
  }
}
