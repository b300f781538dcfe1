package dev.leeway.queue.dbscheduler;

import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.ExecutionContext;
import com.github.kagkarlsson.scheduler.task.ExecutionOperations;
import com.github.kagkarlsson.scheduler.task.FailureHandler;
import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import dev.leeway.gate.WritePosition;
import dev.leeway.queue.Consistency;
import dev.leeway.queue.Delivery;
import dev.leeway.queue.JobEnvelope;
import dev.leeway.queue.JobHandler;
import dev.leeway.queue.JobRunner;
import dev.leeway.queue.NeverVisibleException;
import dev.leeway.queue.SentJob;
import dev.leeway.queue.VisiblePosition;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.ReadIntent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes db-scheduler's tasks out of job handlers.
 *
 * <p>A job that waits for a replica holds one of the scheduler's threads, so the scheduler's number
 * of threads bounds them, and {@link Consistency#delayed} is the better choice for long lags. A job
 * that is put back is rescheduled as after a success: db-scheduler sets its count of consecutive
 * failures to zero by that, so it spends no retry and gains those it had spent.
 *
 * <p>A job that fails is tried again as often as the task's builder says, each time after the same
 * delay; then it is taken out of the table, and the log says so. A {@link NeverVisibleException} is
 * not tried again.
 */
public final class DbSchedulerWorker {
  private static final Logger log = LoggerFactory.getLogger(DbSchedulerWorker.class);
  private static final ReadIntent EVIDENCE = ReadIntent.replica();

  private final JobRunner runner;
  private final String type;
  private final @Nullable Consistency declared;
  private final JobHandler handler;
  private final String tableName;
  private final int retries;
  private final Duration retryDelay;

  private DbSchedulerWorker(Builder builder) {
    runner = builder.runner;
    type = builder.type;
    handler = builder.handler;
    declared = builder.consistency == null ? JobRunner.declaredBy(handler) : builder.consistency;
    tableName = builder.tableName;
    retries = builder.retries;
    retryDelay = builder.retryDelay;
  }

  /** A builder of a task for one type of job. */
  public static Builder builder(JobRunner runner, String type, JobHandler handler) {
    return new Builder(runner, type, handler);
  }

  private Task<JobData> task() {
    return Tasks.custom(type, JobData.class).onFailure(onFailure()).execute(this::execute);
  }

  private FailureHandler<JobData> onFailure() {
    return (complete, operations) -> {
      Throwable cause = complete.getCause().orElse(null);
      int failures = complete.getExecution().consecutiveFailures + 1;
      if (failures > retries || cause instanceof NeverVisibleException) {
        log.error(
            "{} jobs - {} {} failed {} times and is given up",
            runner.leeway().name(),
            type,
            complete.getExecution().getId(),
            failures,
            cause);
        operations.remove();
      } else {
        operations.reschedule(complete, Instant.now().plus(retryDelay));
      }
    };
  }

  private CompletionHandler<JobData> execute(
      TaskInstance<JobData> instance, ExecutionContext context) {
    Received received = new Received(instance.getData());
    if (!(received.data.isInTransaction() && runOnEvidence(received, instance))) {
      runner.handleHere(received.positioned(), declared, handler);
    }
    return received.completion();
  }

  /** Where the job's own row is, there is what was committed with it. */
  private boolean runOnEvidence(Received received, TaskInstance<JobData> instance) {
    boolean primaryWanted =
        isPrimary(declared)
            || isPrimary(received.job().envelope().asked())
            || (declared == null && received.job().envelope().asked() == null);
    return !primaryWanted && runner.runIfSeen(received, () -> isOnReplica(instance), handler);
  }

  private static boolean isPrimary(@Nullable Consistency consistency) {
    return consistency != null && consistency.kind() == Consistency.Kind.PRIMARY;
  }

  /**
   * Whether the replica that serves this scope has the row, with the very job that is to be run: a
   * row of the same name may be older.
   */
  private boolean isOnReplica(TaskInstance<JobData> instance) throws SQLException {
    Leeway leeway = runner.leeway();
    return leeway.read(
        EVIDENCE,
        () -> {
          try (Connection connection = leeway.dataSource().getConnection();
              PreparedStatement statement =
                  connection.prepareStatement(
                      "SELECT 1 FROM "
                          + tableName
                          + " WHERE task_name = ? AND task_instance = ? AND LOCATE(?, task_data) > 0")) {
            statement.setString(1, instance.getTaskName());
            statement.setString(2, instance.getId());
            statement.setString(3, instance.getData().id());
            try (ResultSet rows = statement.executeQuery()) {
              // On the primary it proves nothing about replicas.
              return rows.next() && isReplica(leeway);
            }
          }
        });
  }

  private static boolean isReplica(Leeway leeway) {
    String server = leeway.lastDecision().orElseThrow().server();
    var primary = leeway.clusterState().primary();
    return primary == null || !primary.name().equals(server);
  }

  /** One execution. Used by one thread. */
  private final class Received implements Delivery {
    private final JobData data;
    private SentJob job;
    private @Nullable CompletionHandler<JobData> completion;
    private @Nullable Throwable failure;

    Received(JobData data) {
      this.data = data;
      this.job = data.job(type);
    }

    /** With a position for a job whose dispatcher could not know its own. */
    Received positioned() {
      if (data.isInTransaction()) {
        try {
          // The row was read on the primary before, so what it stands for is visible there.
          Optional<WritePosition> visible = VisiblePosition.now(runner.leeway());
          if (visible.isPresent()) {
            job = job.with(job.envelope().positioned(visible.get()));
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      return this;
    }

    CompletionHandler<JobData> completion() {
      if (failure != null) {
        throw failure instanceof RuntimeException runtime
            ? runtime
            : new IllegalStateException(String.valueOf(failure.getMessage()), failure);
      }
      return Objects.requireNonNull(completion, "a job that was not ended");
    }

    @Override
    public SentJob job() {
      return job;
    }

    @Override
    public void done() {
      completion = (complete, operations) -> operations.remove();
    }

    @Override
    public void putBack(JobEnvelope next, Duration delay, String why) {
      completion = new Again(data.with(next), delay);
    }

    @Override
    public void failed(Throwable thrown) {
      failure = thrown;
    }
  }

  /** Back into the table. */
  private record Again(JobData data, Duration delay) implements CompletionHandler<JobData> {
    @Override
    public void complete(ExecutionComplete complete, ExecutionOperations<JobData> operations) {
      operations.reschedule(complete, Instant.now().plus(delay), data);
    }
  }

  /** Collects settings. Not thread-safe. */
  public static final class Builder {
    private final JobRunner runner;
    private final String type;
    private final JobHandler handler;
    private @Nullable Consistency consistency;
    private String tableName = "scheduled_tasks";
    private int retries = 3;
    private Duration retryDelay = Duration.ofSeconds(10);

    private Builder(JobRunner runner, String type, JobHandler handler) {
      this.runner = runner;
      this.type = type;
      this.handler = handler;
    }

    /** What counts before what the handler declares. */
    public Builder consistency(@Nullable Consistency value) {
      consistency = value;
      return this;
    }

    /** The scheduler's table. Default: {@code scheduled_tasks}. */
    public Builder tableName(String value) {
      tableName = value;
      return this;
    }

    /** How often a failed job is tried again, and after how long. Default: 3 times, 10 s. */
    public Builder retries(int times, Duration delay) {
      retries = times;
      retryDelay = delay;
      return this;
    }

    /** The task, to be given to a scheduler. */
    public Task<JobData> task() {
      return new DbSchedulerWorker(this).task();
    }
  }
}
