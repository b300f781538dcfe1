package dev.leeway.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.gate.WritePosition;
import dev.leeway.routing.Leeway;
import dev.leeway.testkit.Fault;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs that are committed with what they are about. */
class OutboxIT {
  private static final Duration FAST = Duration.ofMillis(10);

  private static Bed bed;
  private static Outbox outbox;

  private final Queue<SentJob> taken = new ConcurrentLinkedQueue<>();
  private final List<AutoCloseable> open = new ArrayList<>();

  @BeforeAll
  static void openBed() throws Exception {
    bed = new Bed("outbox");
    outbox = Outbox.in(bed.leeway(), "leeway_outbox");
    try (Connection connection = bed.leeway().dataSource().getConnection()) {
      outbox.createTable(connection);
    }
  }

  @AfterAll
  static void closeBed() {
    bed.close();
  }

  @BeforeEach
  void empty() throws Exception {
    bed.schema().execute("DELETE FROM leeway_outbox");
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
    Bed.CLUSTER.undoFaults();
  }

  private CompletionStage<Void> take(SentJob job) {
    taken.add(job);
    return CompletableFuture.completedFuture(null);
  }

  private OutboxRelay relay(Outbox source, JobCarrier carrier) {
    OutboxRelay relay = OutboxRelay.builder(source, carrier).interval(FAST).start();
    open.add(relay);
    return relay;
  }

  private static long dispatch(String key, boolean commit) throws SQLException {
    try (Connection connection = bed.leeway().dataSource().getConnection()) {
      connection.setAutoCommit(false);
      long id = Bed.insert(connection, "row");
      outbox.send(connection, Job.of("test", Long.toString(id)).withKey(key));
      if (commit) {
        connection.commit();
      } else {
        connection.rollback();
      }
      return id;
    }
  }

  private void awaitTaken(int count) {
    Bed.await(() -> count + " jobs are relayed: " + taken, () -> taken.size() >= count);
  }

  private static int left() {
    try {
      return Integer.parseInt(
          String.valueOf(
              Bed.CLUSTER
                  .primary()
                  .queryString("SELECT COUNT(*) FROM " + bed.schema().name() + ".leeway_outbox")));
    } catch (SQLException e) {
      throw new AssertionError("the outbox cannot be counted", e);
    }
  }

  @Test
  void aCommittedJobIsRelayedWithAPositionThatCoversItsTransactionAndARolledBackOneIsNot()
      throws Exception {
    relay(outbox, this::take);
    dispatch("k", false);
    long id = dispatch("k", true);
    awaitTaken(1);
    Bed.await(() -> "the outbox is empty", () -> left() == 0);

    assertThat(taken).hasSize(1);
    SentJob job = taken.element();
    assertThat(job.job().text()).isEqualTo(Long.toString(id));
    WritePosition position = Objects.requireNonNull(job.envelope().position());
    assertThat(position.isComplete()).isTrue();
    Bed.CLUSTER.awaitCaughtUp(Bed.BOUND);
    assertThat(bed.leeway().gate().await(position, Bed.BOUND).isReached()).isTrue();
  }

  @Test
  void aRelayThatDiesBetweenCommitAndSendLosesNothing() throws Exception {
    Set<String> sent = new HashSet<>();
    for (int i = 0; i < 5; i++) {
      sent.add(Long.toString(dispatch("k" + i, true)));
    }
    CompletableFuture<Void> never = new CompletableFuture<>();
    AtomicInteger tries = new AtomicInteger();
    OutboxRelay dying =
        OutboxRelay.builder(
                outbox,
                job -> {
                  tries.incrementAndGet();
                  return never;
                })
            .sendBound(Duration.ofMillis(200))
            .start();
    Bed.await(() -> "the first relay has begun", () -> tries.get() > 0);
    dying.close();
    assertThat(left()).isEqualTo(5);

    relay(outbox, this::take);
    awaitTaken(5);

    assertThat(taken).extracting(job -> job.job().text()).containsAll(sent);
  }

  @Test
  void jobsOfOneKeyKeepTheirOrderEvenIfTheBrokerRefusesForAWhile() throws Exception {
    Map<String, List<String>> expected = new ConcurrentHashMap<>();
    for (int i = 0; i < 60; i++) {
      String key = "key " + i % 5;
      expected.computeIfAbsent(key, k -> new ArrayList<>()).add(Long.toString(dispatch(key, true)));
    }
    AtomicInteger calls = new AtomicInteger();
    relay(
        outbox,
        job ->
            calls.incrementAndGet() % 7 == 3
                ? CompletableFuture.failedFuture(new IllegalStateException("not now"))
                : take(job));
    Bed.await(() -> "the outbox is empty", () -> left() == 0);

    Map<String, List<String>> got = new ConcurrentHashMap<>();
    for (SentJob job : taken) {
      got.computeIfAbsent(String.valueOf(job.job().key()), k -> new ArrayList<>())
          .add(job.job().text());
    }
    assertThat(got).isEqualTo(expected);
  }

  @Test
  void aJobThatTheBrokerWillNeverHaveIsSetAsideWithItsReason() throws Exception {
    long poison = dispatch("poison", true);
    relay(
        outbox,
        job ->
            job.job().text().equals(Long.toString(poison))
                ? CompletableFuture.failedFuture(new IllegalStateException("too large"))
                : take(job));
    String problem =
        "SELECT problem FROM " + bed.schema().name() + ".leeway_outbox WHERE job_key = 'poison'";
    Bed.await(
        () -> "the poison is set aside",
        () -> {
          try {
            // The broker works as long as it takes others.
            dispatch("good", true);
            return Bed.CLUSTER.primary().queryString(problem) != null;
          } catch (SQLException e) {
            throw new AssertionError("the outbox cannot be asked", e);
          }
        });

    assertThat(Bed.CLUSTER.primary().queryString(problem)).contains("too large");
    Bed.await(() -> "only the poison is left", () -> left() == 1);
  }

  @Test
  void oneRelayWorksAndAnotherTakesOver() throws Exception {
    OutboxRelay first = relay(outbox, this::take);
    Bed.await(() -> "the first is elected", first::isElected);
    try (Leeway other = Bed.ready(bed.builder("outbox").start())) {
      Queue<SentJob> takenByOther = new ConcurrentLinkedQueue<>();
      OutboxRelay second =
          OutboxRelay.builder(
                  Outbox.in(other, "leeway_outbox"),
                  job -> {
                    takenByOther.add(job);
                    return CompletableFuture.completedFuture(null);
                  })
              .interval(FAST)
              .start();
      try {
        dispatch("k", true);
        awaitTaken(1);
        assertThat(takenByOther).isEmpty();
        assertThat(second.isElected()).isFalse();
        first.close();
        dispatch("k", true);
        Bed.await(() -> "the second relays", () -> takenByOther.size() == 1);
        assertThat(second.isElected()).isTrue();
      } finally {
        second.close();
      }
    }
  }

  @Test
  void theRelayFollowsThePrimary() throws Exception {
    OutboxRelay relay = relay(outbox, this::take);
    Bed.await(() -> "it is elected", relay::isElected);
    try (Fault failover = Bed.CLUSTER.promote(Bed.CLUSTER.replica("replica-1"))) {
      assertThat(failover.description()).isNotEmpty();
      awaitPrimary("replica-1");
      long id = dispatch("k", true);
      awaitTaken(1);

      assertThat(taken.element().job().text()).isEqualTo(Long.toString(id));
    }
    awaitPrimary("primary");
  }

  static void awaitPrimary(String name) {
    Bed.await(
        () -> name + " is the primary: " + bed.leeway().clusterState(),
        () ->
            bed.leeway().clusterState().primary() != null
                && Objects.requireNonNull(bed.leeway().clusterState().primary())
                    .name()
                    .equals(name));
  }

  @Test
  void aPayloadTooLargeIsRefusedBeforeItIsWritten() throws Exception {
    try (Connection connection = bed.leeway().dataSource().getConnection()) {
      assertThatThrownBy(
              () -> outbox.send(connection, Job.of("test", new byte[Outbox.MAX_PAYLOAD + 1])))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "outbox outbox - test (1048577 bytes) (expected: at most 1048576 bytes). Send a"
                  + " reference to the data instead.");
    }
    assertThatThrownBy(() -> Outbox.in(bed.leeway(), "a; DROP TABLE b"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
