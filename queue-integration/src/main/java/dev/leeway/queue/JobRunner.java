package dev.leeway.queue;

import dev.leeway.gate.GateResult;
import dev.leeway.gate.WritePosition;
import dev.leeway.queue.Admission.Place;
import dev.leeway.queue.Admission.Reason;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.RequestScope;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What every worker does with a job, whatever the broker: finds out where it may read, waits for a
 * replica without a thread, runs it in a scope of its own, and puts it back where that is called
 * for.
 *
 * <p>Safe for any number of threads. Owns no thread.
 */
public final class JobRunner {
  private static final Logger log = LoggerFactory.getLogger(JobRunner.class);

  /**
   * How long a job that may be put back asks the replicas first. A replica that keeps up has a
   * write about a millisecond after the primary, while what the monitor remembers is up to a poll
   * old.
   */
  private static final Duration GLANCE = Duration.ofMillis(20);

  private final Leeway leeway;
  private final JobMetrics metrics;
  private final JobListener listener;
  private final Clock clock;
  private final int looks;
  private final Duration firstLook;
  private final Duration longestLook;

  private JobRunner(Builder builder) {
    leeway = builder.leeway;
    metrics = new JobMetrics(builder.registry, leeway.name());
    listener = builder.listener;
    clock = builder.clock;
    looks = builder.looks;
    firstLook = builder.firstLook;
    longestLook = builder.longestLook;
  }

  /** A runner with every setting at its default. */
  public static JobRunner over(Leeway leeway) {
    return builder(leeway).build();
  }

  /** A builder with every setting at its default. */
  public static Builder builder(Leeway leeway) {
    return new Builder(leeway);
  }

  /** The Leeway whose servers the jobs read. */
  public Leeway leeway() {
    return leeway;
  }

  /**
   * The consistency that a handler declares: by the annotation on its {@code handle} method, or
   * else on its class; null if it declares none.
   */
  public static @Nullable Consistency declaredBy(JobHandler handler) {
    try {
      Consistency onMethod =
          Consistency.declaredOn(handler.getClass().getMethod("handle", SentJob.class))
              .orElse(null);
      return onMethod == null ? Consistency.declaredOn(handler.getClass()).orElse(null) : onMethod;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("a handler without its method", e);
    }
  }

  // ---- where a job may read

  /**
   * Finds out where a job may read, waiting for a replica as long as its consistency allows.
   *
   * <p>The dispatcher's wish for the primary always counts; otherwise what the worker declares
   * counts before what the dispatcher asks.
   *
   * @param declared what the worker declares for this kind of job; null if nothing
   * @return completes within the time that the consistency allows, never exceptionally
   */
  public CompletableFuture<Admission> admit(JobEnvelope envelope, @Nullable Consistency declared) {
    Reason known = knownWithoutWaiting(envelope, declared);
    if (known != null) {
      return CompletableFuture.completedFuture(counted(Admission.at(known)));
    }
    WritePosition position = Objects.requireNonNull(envelope.position());
    Consistency consistency =
        Objects.requireNonNull(declared == null ? envelope.asked() : declared);
    boolean putsBack = consistency.kind() == Consistency.Kind.DELAYED;
    Duration wait = putsBack ? shorter(GLANCE, consistency.maxWait()) : consistency.maxWait();
    return leeway
        .gate()
        .awaitAsync(position, wait)
        .thenApply(result -> counted(admission(result, envelope, consistency)));
  }

  private @Nullable Reason knownWithoutWaiting(
      JobEnvelope envelope, @Nullable Consistency declared) {
    switch (envelope.form()) {
      case ABSENT:
        return Reason.NO_HEADERS;
      case MALFORMED:
        return Reason.MALFORMED_HEADERS;
      case UNKNOWN_VERSION:
        return Reason.UNKNOWN_VERSION;
      case COMPLETE:
        break;
    }
    Consistency asked = envelope.asked();
    if (isPrimary(asked) || isPrimary(declared)) {
      return Reason.PRIMARY_REQUESTED;
    }
    if (asked == null && declared == null) {
      return Reason.UNDECLARED;
    }
    WritePosition position = envelope.position();
    if (position == null) {
      return Reason.MALFORMED_HEADERS;
    }
    if (!position.cluster().name().equals(leeway.name())) {
      return Reason.FOREIGN_CLUSTER;
    }
    if (!position.isComplete()) {
      return Reason.POSITION_INCOMPLETE;
    }
    return position.gtids().isEmpty() ? Reason.NOTHING_WRITTEN : null;
  }

  private static boolean isPrimary(@Nullable Consistency consistency) {
    return consistency != null && consistency.kind() == Consistency.Kind.PRIMARY;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private Admission admission(GateResult result, JobEnvelope envelope, Consistency consistency) {
    Reason reason =
        switch (result.outcome()) {
          case REACHED -> Reason.CAUGHT_UP;
          case TIMED_OUT -> Reason.TIMED_OUT;
          case USE_PRIMARY -> Reason.TOO_MANY_WAIT;
          case FOREIGN_CLUSTER -> Reason.FOREIGN_CLUSTER;
          case LOST -> Reason.LOST;
          case NO_REPLICA -> Reason.NO_REPLICA;
        };
    long left = consistency.maxWait().toMillis() - envelope.delayedMillis();
    if (reason == Reason.TIMED_OUT
        && consistency.kind() == Consistency.Kind.DELAYED
        && envelope.putBacks() < consistency.attempts()
        && left > 0) {
      long delay =
          ResidualLag.millis(
              leeway.clusterState(),
              System.nanoTime(),
              ageMillis(envelope),
              envelope.delayedMillis(),
              left);
      return new Admission(Reason.LAG, result.waited(), Duration.ofMillis(delay));
    }
    return new Admission(reason, result.waited(), Duration.ZERO);
  }

  private long ageMillis(JobEnvelope envelope) {
    Instant dispatchedAt = envelope.dispatchedAt();
    return dispatchedAt == null ? 0 : clock.millis() - dispatchedAt.toEpochMilli();
  }

  private Admission counted(Admission admission) {
    metrics.admitted(admission);
    return admission;
  }

  // ---- running it

  /**
   * Does all that is to be done with one delivery, and ends it by one of its methods.
   *
   * @param declared what the worker declares for this kind of job; null if nothing
   * @param executor where the handler runs; called once, when the job may run. If it refuses, the
   *     delivery fails
   */
  public void handle(
      Delivery delivery, @Nullable Consistency declared, Executor executor, JobHandler handler) {
    SentJob asked = delivery.job();
    var unused =
        admit(asked.envelope(), declared)
            .thenAccept(
                admission -> {
                  if (admission.place() != Place.LATER && !delivery.starts(asked)) {
                    handle(delivery, declared, executor, handler);
                  } else {
                    admitted(delivery, asked, admission, executor, handler);
                  }
                })
            .exceptionally(
                failure -> {
                  Throwable cause = failure.getCause();
                  fail(delivery, cause == null ? failure : cause);
                  return null;
                });
  }

  /**
   * As {@link #handle}, on the calling thread, which waits: for brokers whose clients give each job
   * to a thread that they own.
   */
  public void handleHere(Delivery delivery, @Nullable Consistency declared, JobHandler handler) {
    SentJob asked = delivery.job();
    Admission admission;
    try {
      admission = admit(asked.envelope(), declared).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fail(delivery, e);
      return;
    } catch (ExecutionException e) {
      fail(delivery, e);
      return;
    }
    admitted(delivery, asked, admission, Runnable::run, handler);
  }

  /** Something that a job's scope can see for itself. */
  @FunctionalInterface
  public interface Evidence {
    /** Whether a replica, which serves the scope from now on, shows it. */
    boolean isSeen() throws Exception;
  }

  /**
   * Runs a job at once if its scope sees evidence that its replica has what the dispatcher wrote,
   * such as a row that was written in the same transaction.
   *
   * @return whether it ran, and its delivery was ended
   */
  public boolean runIfSeen(Delivery delivery, Evidence evidence, JobHandler handler) {
    boolean[] seen = new boolean[1];
    Admission admission = Admission.at(Reason.EVIDENCE_SEEN);
    JobHandler onlyThen =
        job -> {
          seen[0] = evidence.isSeen();
          if (!seen[0]) {
            throw new NotSeenException();
          }
          listener.admitted(job, counted(admission));
          handler.handle(job);
        };
    try {
      runInScope(delivery.job(), admission, onlyThen);
      ended(delivery, admission);
    } catch (NotSeenException e) {
      return false;
    } catch (Exception e) {
      if (!seen[0]) {
        log.debug("{} jobs - no evidence for {} was found", leeway.name(), delivery.job(), e);
        return false;
      }
      failed(delivery, admission, handler, e);
    } catch (Error e) {
      log.error("{} jobs - {} ended by an error", leeway.name(), delivery.job(), e);
      fail(delivery, e);
    }
    return true;
  }

  private static final class NotSeenException extends Exception {
    private static final long serialVersionUID = 1;
  }

  private void admitted(
      Delivery delivery, SentJob job, Admission admission, Executor executor, JobHandler handler) {
    listener.admitted(job, admission);
    if (admission.place() == Place.LATER) {
      JobEnvelope next = job.envelope().putBack(admission.delay().toMillis());
      putBack(delivery, next, admission.delay(), "lag");
    } else {
      executor.execute(() -> run(delivery, admission, handler));
    }
  }

  /**
   * Runs a job that was admitted, on the calling thread, and ends its delivery by one of its
   * methods.
   */
  public void run(Delivery delivery, Admission admission, JobHandler handler) {
    try {
      runInScope(delivery.job(), admission, handler);
      ended(delivery, admission);
    } catch (Exception e) {
      failed(delivery, admission, handler, e);
    } catch (Error e) {
      // Left alone it would end a thread of the worker's, and the delivery would never be ended.
      log.error("{} jobs - {} ended by an error", leeway.name(), delivery.job(), e);
      fail(delivery, e);
    }
  }

  private void ended(Delivery delivery, Admission admission) {
    metrics.count("leeway.jobs.done", "outcome", "done");
    delivery.done();
    listener.done(delivery.job(), admission);
  }

  private void failed(
      Delivery delivery, Admission admission, JobHandler handler, Exception failure) {
    if (failure instanceof NotYetVisibleException e) {
      if (admission.place() == Place.PRIMARY) {
        metrics.count("leeway.jobs.not.visible", "found", "nowhere");
        lookAgainLater(delivery, e);
      } else {
        // A replica does not show it. Whether anybody does, the primary knows.
        Admission onPrimary = counted(Admission.at(Reason.NOT_FOUND_ON_REPLICA));
        listener.admitted(delivery.job(), onPrimary);
        run(delivery, onPrimary, handler);
      }
      return;
    }
    if (failure instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    fail(delivery, failure);
  }

  /** Runs code in a scope as the admission says. */
  public void runInScope(SentJob job, Admission admission, JobHandler handler) throws Exception {
    try (RequestScope scope = leeway.openScope()) {
      if (admission.place() == Place.PRIMARY) {
        scope.stayOnPrimary();
      } else {
        WritePosition position = job.envelope().position();
        if (position != null && !position.gtids().isEmpty()) {
          scope.adopt(position);
        }
      }
      handler.handle(job);
    }
  }

  private void lookAgainLater(Delivery delivery, NotYetVisibleException failure) {
    JobEnvelope envelope = delivery.job().envelope();
    int looked = envelope.lookedInVain() + 1;
    if (looked > looks) {
      fail(
          delivery,
          new NeverVisibleException(
              leeway.name()
                  + " jobs - "
                  + delivery.job().job()
                  + " looked for its row on the primary "
                  + looked
                  + " times and never found it (expected: committed by whoever sent the job). Send"
                  + " jobs after the commit: "
                  + failure.getMessage(),
              failure));
      return;
    }
    Duration delay = firstLook.multipliedBy(1L << Math.min(looked - 1, 30));
    putBack(
        delivery,
        envelope.lookedInVainOnceMore(),
        delay.compareTo(longestLook) > 0 ? longestLook : delay,
        "not visible");
  }

  private void putBack(Delivery delivery, JobEnvelope next, Duration delay, String why) {
    metrics.count("leeway.jobs.put.back", "why", why);
    log.debug("{} jobs - {} is put back for {}: {}", leeway.name(), delivery.job(), delay, why);
    delivery.putBack(next, delay, why);
    listener.putBack(delivery.job(), delay, why);
  }

  private void fail(Delivery delivery, Throwable failure) {
    metrics.count("leeway.jobs.done", "outcome", "failed");
    try {
      delivery.failed(failure);
    } catch (RuntimeException e) {
      // Neither done nor failed, so the broker delivers it again by itself.
      log.warn("{} jobs - {} failed and could not be reported", leeway.name(), delivery.job(), e);
    }
    listener.failed(delivery.job(), failure);
  }

  /** Collects settings. Not thread-safe. */
  public static final class Builder {
    private final Leeway leeway;
    private @Nullable MeterRegistry registry;
    private JobListener listener = JobListener.NONE;
    private Clock clock = Clock.systemUTC();
    private int looks = 5;
    private Duration firstLook = Duration.ofMillis(100);
    private Duration longestLook = Duration.ofSeconds(10);

    private Builder(Leeway leeway) {
      this.leeway = Objects.requireNonNull(leeway, "leeway");
    }

    /** Where to count. Default: nowhere. */
    public Builder meterRegistry(MeterRegistry value) {
      registry = value;
      return this;
    }

    /** Who hears of each job. */
    public Builder listener(JobListener value) {
      listener = value;
      return this;
    }

    /**
     * How often a job that does not find its row on the primary is put back before it fails: after
     * {@code first}, then twice as long each time, at most {@code longest}. Default: 5 times, 100
     * ms, 10 s.
     *
     * @param times 0 to {@value Consistency#MAX_ATTEMPTS}
     */
    public Builder lookAgain(int times, Duration first, Duration longest) {
      if (times < 0 || times > Consistency.MAX_ATTEMPTS || first.isNegative() || first.isZero()) {
        throw new IllegalArgumentException(
            leeway.name()
                + " jobs - lookAgain: "
                + times
                + " times, first after "
                + first
                + " (expected: 0 to "
                + Consistency.MAX_ATTEMPTS
                + " times, first after more than zero)");
      }
      looks = times;
      firstLook = first;
      longestLook = longest;
      return this;
    }

    /** The clock that dispatch times are compared with. Default: this machine's. */
    public Builder clock(Clock value) {
      clock = value;
      return this;
    }

    /** The runner. */
    public JobRunner build() {
      return new JobRunner(this);
    }
  }
}
