package dev.leeway.queue.executor;

import dev.leeway.gate.WritePosition;
import dev.leeway.queue.Consistency;
import dev.leeway.queue.Delivery;
import dev.leeway.queue.Job;
import dev.leeway.queue.JobEnvelope;
import dev.leeway.queue.JobRunner;
import dev.leeway.queue.SentJob;
import dev.leeway.routing.AfterCommit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An executor service whose tasks start after the commit of the transaction they are given in, and
 * read at least what their giver had written.
 *
 * <p>A task that waits for a replica, or was put back, holds no thread and no connection. A task of
 * a transaction that is rolled back never starts; its future is cancelled.
 *
 * <p>Jobs live in memory alone: they end with the process.
 *
 * <p>Safe for any number of threads. Owns one timer thread; the executor below belongs to the
 * caller.
 */
public final class JobExecutor extends AbstractExecutorService implements AutoCloseable {
  private static final byte[] NO_PAYLOAD = {};
  private static final Duration CLOSE_BOUND = Duration.ofSeconds(30);

  private final JobRunner runner;
  private final Executor threads;
  private final @Nullable Consistency standard;
  private final int maxPending;
  private final ScheduledThreadPoolExecutor timer;
  private final AtomicLong ids = new AtomicLong();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition idle = lock.newCondition();
  // Guarded by the lock.
  private final Set<Task<?>> pending = new HashSet<>();
  private final Map<String, Task<?>> waitingByKey = new HashMap<>();
  private boolean shutDown;

  private JobExecutor(Builder builder) {
    runner = builder.runner;
    threads = builder.threads;
    standard = builder.consistency;
    maxPending = builder.maxPending;
    timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "leeway-" + runner.leeway().name() + "-jobs-timer");
              thread.setDaemon(true);
              return thread;
            });
    timer.setRemoveOnCancelPolicy(true);
  }

  /**
   * A builder.
   *
   * @param threads where tasks run once they may
   */
  public static Builder builder(JobRunner runner, Executor threads) {
    return new Builder(runner, threads);
  }

  // ---- giving tasks

  /**
   * Runs code after the commit, with this consistency.
   *
   * @return completes with the code's result
   * @throws RejectedExecutionException if too many tasks are pending, or this was shut down
   */
  public <T extends @Nullable Object> CompletableFuture<T> call(
      Consistency consistency, Callable<T> code) {
    Task<T> task = new Task<>(consistency, code, null);
    dispatch(task);
    return task;
  }

  /** As {@link #call}, for code without a result. */
  public CompletableFuture<@Nullable Void> run(Consistency consistency, Code code) {
    return call(consistency, code.asCallable());
  }

  /** Code without a result. */
  @FunctionalInterface
  public interface Code {
    /** Does the work. */
    void run() throws Exception;

    /** The same with a result that says nothing. */
    private Callable<@Nullable Void> asCallable() {
      return () -> {
        run();
        return null;
      };
    }
  }

  /**
   * Runs code after the commit, unless a task of the same key is still waiting to start: then the
   * one that waits is run with this code, and reads what either giver had written.
   *
   * @return completes when the code, or the code of a later giver with the same key, has run
   */
  public CompletableFuture<@Nullable Void> coalesce(
      String key, Consistency consistency, Code code) {
    Task<@Nullable Void> task =
        new Task<>(consistency, code.asCallable(), Objects.requireNonNull(key, "key"));
    dispatch(task);
    return task;
  }

  /** Runs a task after the commit, with the consistency that its class or the builder declares. */
  @Override
  public void execute(Runnable command) {
    if (command instanceof Task<?> task) {
      dispatch(task);
    } else {
      dispatch(new Task<>(declaredBy(command), Executors.callable(command), null));
    }
  }

  @Override
  protected <T extends @Nullable Object> RunnableFuture<T> newTaskFor(Callable<T> callable) {
    return new Task<>(declaredBy(callable), callable, null);
  }

  @Override
  protected <T extends @Nullable Object> RunnableFuture<T> newTaskFor(Runnable runnable, T value) {
    return new Task<>(declaredBy(runnable), asCallable(runnable, value), null);
  }

  private static <T extends @Nullable Object> Callable<T> asCallable(Runnable runnable, T value) {
    return () -> {
      runnable.run();
      return value;
    };
  }

  private @Nullable Consistency declaredBy(Object code) {
    return Consistency.declaredOn(code.getClass()).orElse(standard);
  }

  /**
   * Runs code for a job that came by another way, with the envelope it came with.
   *
   * @return completes when the code has run
   */
  public CompletableFuture<@Nullable Void> accept(
      JobEnvelope envelope, @Nullable Consistency declared, Code code) {
    Task<@Nullable Void> task = new Task<>(declared, code.asCallable(), null);
    count(task);
    task.start(envelope);
    return task;
  }

  private void dispatch(Task<?> task) {
    count(task);
    runner
        .leeway()
        .afterCommit(
            new AfterCommit() {
              @Override
              public void committed(WritePosition position) {
                JobEnvelope envelope = JobEnvelope.of(position, null, Instant.now());
                if (!coalesced(task, envelope)) {
                  task.start(envelope);
                }
              }

              @Override
              public void dropped(String why) {
                task.cancel(false);
              }
            });
  }

  private void count(Task<?> task) {
    lock.lock();
    try {
      if (shutDown || pending.size() >= maxPending) {
        throw new RejectedExecutionException(
            runner.leeway().name()
                + " jobs - a task was not taken: "
                + (shutDown
                    ? "the executor was shut down."
                    : pending.size() + " are pending (expected: fewer than " + maxPending + ")."));
      }
      pending.add(task);
    } finally {
      lock.unlock();
    }
    var unused = task.whenComplete((result, failure) -> ended(task));
  }

  private void ended(Task<?> task) {
    lock.lock();
    try {
      pending.remove(task);
      if (task.key != null) {
        waitingByKey.remove(task.key, task);
      }
      if (pending.isEmpty()) {
        idle.signalAll();
        if (shutDown) {
          timer.shutdown();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether a task of the same key waits, which then stands for this one as well. */
  private boolean coalesced(Task<?> task, JobEnvelope envelope) {
    if (task.key == null) {
      return false;
    }
    Task<?> waiting;
    lock.lock();
    try {
      waiting = waitingByKey.get(task.key);
      if (waiting == null) {
        waitingByKey.put(task.key, task);
        return false;
      }
      waiting.standsFor(task, envelope);
    } finally {
      lock.unlock();
    }
    var unused =
        waiting.whenComplete(
            (result, failure) -> {
              if (failure == null) {
                task.complete(null);
              } else {
                task.completeExceptionally(failure);
              }
            });
    return true;
  }

  // ---- a task

  private final class Task<T extends @Nullable Object> extends CompletableFuture<T>
      implements RunnableFuture<T>, Delivery {
    private final @Nullable Consistency consistency;
    private final @Nullable String key;
    private volatile Callable<?> code;
    private volatile @Nullable SentJob job;
    private volatile @Nullable Object result;

    Task(@Nullable Consistency consistency, Callable<T> code, @Nullable String key) {
      this.consistency = consistency;
      this.code = code;
      this.key = key;
    }

    void start(JobEnvelope envelope) {
      Job what = new Job(key == null ? "task" : "task of key", null, NO_PAYLOAD, null);
      job = new SentJob(what, Long.toString(ids.incrementAndGet()), envelope);
      ask();
    }

    private void ask() {
      runner.handle(this, consistency, threads, unused -> work());
    }

    private void work() throws Exception {
      if (!isDone()) {
        result = code.call();
      }
    }

    /** The lock is held. */
    void standsFor(Task<?> other, JobEnvelope envelope) {
      code = other.code;
      SentJob mine = job();
      job = mine.with(mine.envelope().merge(envelope));
    }

    @Override
    public SentJob job() {
      return Objects.requireNonNull(job, "not started");
    }

    @Override
    public boolean starts(SentJob admitted) {
      if (key == null) {
        return true;
      }
      lock.lock();
      try {
        if (job != admitted) {
          return false;
        }
        waitingByKey.remove(key, this);
        return true;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void done() {
      @SuppressWarnings("unchecked") // What the code of this type has returned; null if it stands
      // for a task without a result.
      T value = (T) result;
      complete(value);
    }

    @Override
    public void putBack(JobEnvelope next, Duration delay, String why) {
      lock.lock();
      try {
        SentJob mine = job();
        if (mine.envelope().position() == next.position()) {
          job = mine.with(next);
        }
        // Otherwise it stands for another one by now, whose position is newer.
      } finally {
        lock.unlock();
      }
      try {
        var unused = timer.schedule(this::ask, delay.toNanos(), TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException e) {
        cancel(false);
      }
    }

    @Override
    public void failed(Throwable failure) {
      completeExceptionally(failure);
    }

    /** Called by nobody but code that takes this for an ordinary task; it is given to execute. */
    @Override
    public void run() {
      execute(this);
    }
  }

  // ---- the end

  @Override
  public void shutdown() {
    lock.lock();
    try {
      shutDown = true;
      if (pending.isEmpty()) {
        timer.shutdown();
        idle.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Cancels every task that has not started; those that run are left to end. */
  @Override
  public List<Runnable> shutdownNow() {
    shutdown();
    List<Task<?>> left;
    lock.lock();
    try {
      left = new ArrayList<>(pending);
    } finally {
      lock.unlock();
    }
    left.forEach(task -> task.cancel(false));
    timer.shutdownNow();
    return new ArrayList<>(left);
  }

  @Override
  public boolean isShutdown() {
    lock.lock();
    try {
      return shutDown;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isTerminated() {
    lock.lock();
    try {
      return shutDown && pending.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    long left = unit.toNanos(timeout);
    lock.lock();
    try {
      while (!pending.isEmpty() || !shutDown) {
        if (left <= 0) {
          return false;
        }
        left = idle.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Takes no more tasks, gives those there are 30 seconds, and cancels what is left. */
  @Override
  public void close() {
    shutdown();
    try {
      if (!awaitTermination(CLOSE_BOUND.toNanos(), TimeUnit.NANOSECONDS)) {
        shutdownNow();
      }
    } catch (InterruptedException e) {
      shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  /** Collects settings. Not thread-safe. */
  public static final class Builder {
    private final JobRunner runner;
    private final Executor threads;
    private @Nullable Consistency consistency;
    private int maxPending = 10_000;

    private Builder(JobRunner runner, Executor threads) {
      this.runner = Objects.requireNonNull(runner, "runner");
      this.threads = Objects.requireNonNull(threads, "threads");
    }

    /** What counts for tasks that declare nothing. Default: they read the primary. */
    public Builder consistency(Consistency value) {
      consistency = value;
      return this;
    }

    /** How many tasks may wait and run at once; more are refused. Default: 10,000. */
    public Builder maxPending(int value) {
      if (value < 1) {
        throw new IllegalArgumentException(
            runner.leeway().name() + " jobs - maxPending: " + value + " (expected: 1 or more)");
      }
      maxPending = value;
      return this;
    }

    /** The executor, ready for tasks. */
    public JobExecutor build() {
      return new JobExecutor(this);
    }
  }
}
