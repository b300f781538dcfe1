package dev.leeway.queue.dbscheduler;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import dev.leeway.queue.Admission;
import dev.leeway.queue.Bed;
import dev.leeway.queue.Bed.Seen;
import dev.leeway.queue.Consistency;
import dev.leeway.queue.Job;
import dev.leeway.queue.JobCarrier;
import dev.leeway.queue.JobContract;
import dev.leeway.queue.JobHandler;
import dev.leeway.queue.JobListener;
import dev.leeway.queue.JobRunner;
import dev.leeway.queue.Jobs;
import dev.leeway.queue.SentJob;
import dev.leeway.testkit.Fault;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DbSchedulerJobIT extends JobContract {
  private static final AtomicInteger NAMES = new AtomicInteger();

  private @Nullable DbQueue current;

  @Override
  protected TestQueue newQueue(Bed bed) throws Exception {
    bed.schema()
        .execute(
            "CREATE TABLE IF NOT EXISTS scheduled_tasks (task_name VARCHAR(100) NOT NULL,"
                + " task_instance VARCHAR(100) NOT NULL, task_data BLOB, execution_time"
                + " TIMESTAMP(6) NOT NULL, picked BOOLEAN NOT NULL, picked_by VARCHAR(50),"
                + " last_success TIMESTAMP(6) NULL, last_failure TIMESTAMP(6) NULL,"
                + " consecutive_failures INT, last_heartbeat TIMESTAMP(6) NULL, version BIGINT NOT"
                + " NULL, priority SMALLINT, PRIMARY KEY (task_name, task_instance), INDEX"
                + " execution_time_idx (execution_time), INDEX last_heartbeat_idx"
                + " (last_heartbeat))",
            "DELETE FROM scheduled_tasks");
    bed.schema().awaitReplicated();
    reasons.clear();
    seen.clear();
    DbQueue queue = new DbQueue(bed, "task-" + NAMES.incrementAndGet());
    current = queue;
    return queue;
  }

  @Override
  protected boolean keepsFailures() {
    return false;
  }

  @Override
  protected boolean dropsDuplicates() {
    return true;
  }

  @Override
  protected boolean queueWaits() {
    return current != null && current.isPicked();
  }

  private static final class DbQueue implements TestQueue {
    private final Bed bed;
    private final String name;
    private final DbSchedulerJobs jobs;
    private @Nullable Scheduler scheduler;

    DbQueue(Bed bed, String name) {
      this.bed = bed;
      this.name = name;
      SchedulerClient client =
          SchedulerClient.Builder.create(bed.leeway().dataSource())
              .tableName("scheduled_tasks")
              .build();
      jobs = DbSchedulerJobs.over(bed.leeway(), client, "scheduled_tasks");
    }

    boolean isPicked() {
      try {
        return "1"
            .equals(
                Bed.CLUSTER
                    .primary()
                    .queryString(
                        "SELECT MAX(picked) FROM " + bed.schema().name() + ".scheduled_tasks"));
      } catch (SQLException e) {
        throw new AssertionError("the scheduler's table cannot be asked", e);
      }
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public JobCarrier carrier() {
      return jobs;
    }

    @Override
    public void sendRaw(String payload, Map<String, String> headers) {
      jobs.sendRaw(Job.of(name, payload), headers);
    }

    @Override
    public void consume(JobRunner runner, @Nullable Consistency declared, JobHandler handler) {
      Scheduler started =
          Scheduler.create(
                  bed.leeway().dataSource(),
                  List.of(
                      DbSchedulerWorker.builder(runner, name, handler)
                          .consistency(declared)
                          .retries(2, Duration.ofMillis(50))
                          .task()))
              .threads(4)
              .pollingInterval(Duration.ofMillis(20))
              .heartbeatInterval(Duration.ofSeconds(1))
              .shutdownMaxWait(Duration.ofMillis(50))
              .build();
      scheduler = started;
      started.start();
    }

    @Override
    public void crash() {
      if (scheduler != null) {
        scheduler.stop();
        scheduler = null;
      }
    }

    @Override
    public List<String> failures() {
      return List.of();
    }

    @Override
    public void close() {
      crash();
    }
  }

  private final Queue<Admission.Reason> reasons = new ConcurrentLinkedQueue<>();
  private final Queue<Seen> seen = new ConcurrentLinkedQueue<>();

  private JobRunner noting() {
    return JobRunner.builder(bed.leeway())
        .listener(
            new JobListener() {
              @Override
              public void admitted(SentJob job, Admission admission) {
                reasons.add(admission.reason());
              }
            })
        .build();
  }

  private void readRow(SentJob job) throws Exception {
    seen.add(bed.read(Long.parseLong(job.job().text())));
  }

  private long scheduleInTransaction(boolean commit) throws Exception {
    DbQueue db = (DbQueue) queue;
    try (Connection connection = bed.leeway().dataSource().getConnection()) {
      connection.setAutoCommit(false);
      long id = Bed.insert(connection, "together");
      db.jobs.schedule(connection, Job.of(queue.name(), Long.toString(id)), Instant.now());
      if (commit) {
        connection.commit();
      } else {
        connection.rollback();
      }
      return id;
    }
  }

  @Test
  void aJobsRowOnTheReplicaIsEvidenceEnough() throws Exception {
    scheduleInTransaction(false);
    scheduleInTransaction(true);
    Bed.CLUSTER.awaitCaughtUp(Bed.BOUND);
    queue.consume(noting(), Consistency.caughtUp(Duration.ofSeconds(20)), this::readRow);

    Bed.await(() -> "the job runs: " + reasons, () -> !seen.isEmpty());
    assertThat(seen).hasSize(1);
    assertThat(seen.element().status()).isEqualTo("together");
    assertThat(seen.element().byPrimary()).isFalse();
    assertThat(reasons).containsExactly(Admission.Reason.EVIDENCE_SEEN);
  }

  @Test
  void withoutEvidenceTheWorkerFindsThePositionAndWaits() throws Exception {
    List<Fault> paused =
        Bed.CLUSTER.replicas().stream().map(replica -> replica.pauseApplier()).toList();
    scheduleInTransaction(true);
    queue.consume(noting(), Consistency.caughtUp(Duration.ofSeconds(20)), this::readRow);
    Bed.await(() -> "the job is picked", this::queueWaits);
    assertThat(seen).isEmpty();
    paused.forEach(Fault::close);

    Bed.await(() -> "the job runs: " + reasons, () -> !seen.isEmpty());
    assertThat(seen.element().status()).isEqualTo("together");
    assertThat(seen.element().byPrimary()).isFalse();
    assertThat(reasons).containsExactly(Admission.Reason.CAUGHT_UP);
  }

  @Test
  void ofJobsOfOneKeyThatWaitOneIsKeptAndReadsTheNewestWrite() throws Exception {
    DbQueue db = (DbQueue) queue;
    Jobs jobs = Jobs.over(bed.leeway(), db.jobs.coalescing());
    List<Fault> paused =
        Bed.CLUSTER.replicas().stream().map(replica -> replica.pauseApplier()).toList();
    long id = bed.insert("version 0");
    for (int i = 1; i <= 3; i++) {
      bed.update(id, "version " + i);
      jobs.send(Job.of(queue.name(), Long.toString(id)).withKey("order " + id)).join();
    }
    queue.consume(noting(), Consistency.caughtUp(Duration.ofSeconds(20)), this::readRow);
    Bed.await(() -> "the job is picked", this::queueWaits);
    paused.forEach(Fault::close);

    Bed.await(() -> "the job runs: " + reasons, () -> !seen.isEmpty());
    assertThat(seen).hasSize(1);
    assertThat(seen.element().status()).isEqualTo("version 3");
    assertThat(seen.element().byPrimary()).isFalse();
  }
}
