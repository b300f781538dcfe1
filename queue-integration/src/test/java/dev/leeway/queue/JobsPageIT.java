package dev.leeway.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.queue.executor.JobExecutor;
import dev.leeway.routing.Leeway;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What docs/jobs.md shows, run as it stands there. */
class JobsPageIT {
  private static Bed bed;

  @BeforeAll
  static void openBed() throws Exception {
    bed = new Bed("shop");
  }

  @AfterAll
  static void closeBed() {
    bed.close();
  }

  // tag::handler[]
  @JobConsistency(value = Consistency.Kind.CAUGHT_UP, maxWait = "1s")
  static final class MonthlyReport implements JobHandler {
    private final Orders orders;

    MonthlyReport(Orders orders) {
      this.orders = orders;
    }

    @Override
    public void handle(SentJob job) throws Exception {
      long order = Long.parseLong(job.job().text());
      String status = orders.find(order); // a @ReadReplica method
      if (status == null) {
        throw new NotYetVisibleException("order " + order);
      }
      orders.report(order, status);
    }
  }

  // end::handler[]

  /** What the handler above works with. */
  static final class Orders {
    private final Queue<String> reported = new ConcurrentLinkedQueue<>();

    @Nullable String find(long order) throws SQLException {
      return bed.read(order).status();
    }

    void report(long order, String status) {
      reported.add(order + " " + status);
    }
  }

  @Test
  void aJobIsSentAfterTheCommitAndRunByARunner() throws Exception {
    Leeway shop = bed.leeway();
    Orders orders = new Orders();
    JobHandler handler = new MonthlyReport(orders);
    JobRunner runner = JobRunner.over(shop);
    CompletableFuture<SentJob> received = new CompletableFuture<>();
    JobCarrier carrier =
        job -> {
          received.complete(job);
          return CompletableFuture.completedFuture(null);
        };
    // tag::send[]
    Jobs jobs = Jobs.over(shop, carrier); // KafkaJobs, RabbitJobs, JmsJobs, DbSchedulerJobs

    CompletableFuture<Void> taken;
    try (Connection connection = shop.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      long order = insertOrder(connection);
      taken = jobs.send(Job.of("reports", Long.toString(order))); // held back
      connection.commit(); // leaves now, with the GTID of this commit
    }
    // end::send[]
    taken.join();
    SentJob job = received.join();
    Admission admission = runner.admit(job.envelope(), JobRunner.declaredBy(handler)).join();
    runner.runInScope(job, admission, handler);

    assertThat(orders.reported).containsExactly(job.job().text() + " new");
  }

  private static long insertOrder(Connection connection) throws SQLException {
    return Bed.insert(connection, "new");
  }

  @Test
  void anOutboxWritesTheJobInTheTransactionAndARelaySendsIt() throws Exception {
    Leeway shop = bed.leeway();
    Queue<SentJob> sent = new ConcurrentLinkedQueue<>();
    JobCarrier carrier =
        job -> {
          sent.add(job);
          return CompletableFuture.completedFuture(null);
        };
    // tag::outbox[]
    Outbox outbox = Outbox.in(shop, "leeway_outbox");
    try (Connection connection = shop.dataSource().getConnection()) {
      outbox.createTable(connection); // or by your migrations: outbox.definition()
    }
    OutboxRelay relay = OutboxRelay.start(outbox, carrier); // in every process; one works

    try (Connection connection = shop.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      long order = insertOrder(connection);
      outbox.send(connection, Job.of("reports", Long.toString(order)).withKey("customer 7"));
      connection.commit();
    }
    // end::outbox[]
    Bed.await(() -> "the job is relayed", () -> !sent.isEmpty());
    relay.close();

    assertThat(sent.element().job().key()).isEqualTo("customer 7");
  }

  @Test
  void anExecutorServiceRunsTasksAfterTheCommit() throws Exception {
    Leeway shop = bed.leeway();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    // tag::executor[]
    JobExecutor executor =
        JobExecutor.builder(JobRunner.over(shop), threads)
            .consistency(Consistency.caughtUp(Duration.ofSeconds(1)))
            .build();

    CompletableFuture<@Nullable String> status;
    try (Connection connection = shop.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      long order = insertOrder(connection);
      status =
          executor.call(
              Consistency.delayed(Duration.ofSeconds(5), 3), () -> bed.read(order).status());
      connection.commit();
    }
    // end::executor[]
    assertThat(status.join()).isEqualTo("new");
    executor.close();
    threads.shutdown();
  }
}
