package dev.leeway.queue.dbscheduler;

import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.exceptions.TaskInstanceCurrentlyExecutingException;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.TaskInstanceId;
import dev.leeway.gate.WritePosition;
import dev.leeway.queue.Job;
import dev.leeway.queue.JobCarrier;
import dev.leeway.queue.JobEnvelope;
import dev.leeway.queue.SentJob;
import dev.leeway.routing.Leeway;
import java.sql.Connection;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Puts jobs into db-scheduler's table.
 *
 * <p>As a carrier of {@link dev.leeway.queue.Jobs} it schedules after the commit. {@link #schedule}
 * schedules in the transaction itself, so that nothing is lost between the two.
 *
 * <p>Safe for any number of threads.
 */
public final class DbSchedulerJobs implements JobCarrier {
  private final Leeway leeway;
  private final SchedulerClient client;
  private final String tableName;
  private final boolean coalescing;

  private DbSchedulerJobs(
      Leeway leeway, SchedulerClient client, String tableName, boolean coalescing) {
    this.leeway = leeway;
    this.client = client;
    this.tableName = tableName;
    this.coalescing = coalescing;
  }

  /**
   * Over the scheduler itself or a client of its table.
   *
   * @param tableName the name of the scheduler's table, {@code scheduled_tasks} unless it was
   *     changed
   */
  public static DbSchedulerJobs over(Leeway leeway, SchedulerClient client, String tableName) {
    return new DbSchedulerJobs(leeway, client, tableName, false);
  }

  /**
   * The same, but of jobs of one type and key that wait only one is kept, which reads what all
   * their dispatchers had written.
   */
  public DbSchedulerJobs coalescing() {
    return new DbSchedulerJobs(leeway, client, tableName, true);
  }

  @Override
  public CompletionStage<Void> send(SentJob job) {
    try {
      put(client, job.job(), JobData.of(job), job.envelope(), Instant.now());
      return CompletableFuture.completedFuture(null);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Puts a job with exactly these headers into the table, as a program without Leeway would. */
  void sendRaw(Job job, Map<String, String> headers) {
    String id = UUID.randomUUID().toString();
    client.scheduleIfNotExists(
        new TaskInstance<>(job.type(), id, JobData.of(job, id, headers)), Instant.now());
  }

  /**
   * Schedules a job in a transaction: it is committed with it or not at all.
   *
   * <p>The position of the commit is not known yet and need not be. Where the job's row is, there
   * is what was committed with it and before; and once the worker has seen the row on the primary,
   * the primary can be asked for a position that covers it.
   *
   * @param transaction a connection to the scheduler's database that is in a transaction
   * @param when when it is due
   * @return the job's id
   */
  public String schedule(Connection transaction, Job job, Instant when) {
    String id = UUID.randomUUID().toString();
    // Incomplete: what this transaction writes is not in it.
    WritePosition unknown =
        WritePosition.incomplete(leeway.clusterState().cluster(), dev.leeway.gate.GtidSet.EMPTY);
    JobEnvelope envelope = JobEnvelope.of(unknown, job.consistency(), Instant.now());
    SchedulerClient here =
        SchedulerClient.Builder.create(new OneConnection(transaction).asDataSource())
            .tableName(tableName)
            .build();
    here.scheduleIfNotExists(
        new TaskInstance<>(job.type(), id, JobData.inTransaction(job, id, envelope)), when);
    return id;
  }

  private void put(SchedulerClient to, Job job, JobData data, JobEnvelope envelope, Instant when) {
    String instance = coalescing && job.key() != null ? job.key() : data.id();
    if (to.scheduleIfNotExists(new TaskInstance<>(job.type(), instance, data), when)) {
      return;
    }
    TaskInstanceId known = TaskInstanceId.of(job.type(), instance);
    boolean merged =
        to.getScheduledExecution(known)
            .map(
                waiting -> {
                  JobEnvelope both =
                      waiting.getData() instanceof JobData other
                          ? other.job(job.type()).envelope().merge(envelope)
                          : envelope;
                  return reschedule(to, known, waiting.getExecutionTime(), data.with(both));
                })
            .orElse(false);
    if (!merged && !to.scheduleIfNotExists(new TaskInstance<>(job.type(), instance, data), when)) {
      // It is being executed, and may have read already.
      to.schedule(new TaskInstance<>(job.type(), instance + "#" + data.id(), data), when);
    }
  }

  private static boolean reschedule(
      SchedulerClient to, TaskInstanceId known, Instant when, JobData data) {
    try {
      return to.reschedule(known, when, data);
    } catch (TaskInstanceCurrentlyExecutingException e) {
      return false;
    }
  }
}
