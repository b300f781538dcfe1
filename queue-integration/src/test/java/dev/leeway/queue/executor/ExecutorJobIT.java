package dev.leeway.queue.executor;

import dev.leeway.queue.Bed;
import dev.leeway.queue.Consistency;
import dev.leeway.queue.Job;
import dev.leeway.queue.JobCarrier;
import dev.leeway.queue.JobContract;
import dev.leeway.queue.JobEnvelope;
import dev.leeway.queue.JobHandler;
import dev.leeway.queue.JobRunner;
import dev.leeway.queue.SentJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * The contract with the executor service as its own broker: the queue below stands for the memory
 * of the process, and a crash of a worker for a task that is given again.
 */
class ExecutorJobIT extends JobContract {
  private @Nullable InMemory current;

  @Override
  protected TestQueue newQueue(Bed bed) {
    InMemory queue = new InMemory();
    current = queue;
    return queue;
  }

  @Override
  protected boolean keepsFailures() {
    return false;
  }

  @Override
  protected boolean queueWaits() {
    InMemory queue = Objects.requireNonNull(current);
    return queue.given > 0;
  }

  private static final class InMemory implements TestQueue {
    private final List<SentJob> unanswered = new ArrayList<>();
    private @Nullable ExecutorService threads;
    private @Nullable JobExecutor executor;
    private @Nullable Consistency declared;
    private @Nullable JobHandler handler;
    private volatile int given;

    @Override
    public String name() {
      return "memory";
    }

    @Override
    public JobCarrier carrier() {
      return job -> {
        give(job);
        return CompletableFuture.completedFuture(null);
      };
    }

    @Override
    public void sendRaw(String payload, Map<String, String> headers) {
      give(new SentJob(Job.of(name(), payload), "raw", JobEnvelope.read(headers::get)));
    }

    private synchronized void give(SentJob job) {
      unanswered.add(job);
      JobExecutor taking = executor;
      JobHandler doing = handler;
      if (taking != null && doing != null) {
        given++;
        var unused =
            taking
                .accept(job.envelope(), declared, () -> doing.handle(job))
                .whenComplete((nothing, failure) -> answered(job));
      }
    }

    private synchronized void answered(SentJob job) {
      unanswered.remove(job);
    }

    @Override
    public synchronized void consume(
        JobRunner runner, @Nullable Consistency consistency, JobHandler code) {
      threads = Executors.newFixedThreadPool(4);
      executor = JobExecutor.builder(runner, threads).build();
      declared = consistency;
      handler = code;
      List<SentJob> again = List.copyOf(unanswered);
      unanswered.clear();
      again.forEach(this::give);
    }

    @Override
    public synchronized void crash() {
      List<SentJob> left = List.copyOf(unanswered);
      close();
      unanswered.addAll(left);
    }

    @Override
    public List<String> failures() {
      return List.of();
    }

    @Override
    public synchronized void close() {
      if (executor != null && threads != null) {
        executor.shutdownNow();
        threads.shutdownNow();
        executor = null;
      }
      unanswered.clear();
    }
  }
}
