package dev.leeway.queue;

import dev.leeway.gate.WritePosition;
import dev.leeway.routing.AfterCommit;
import dev.leeway.routing.Leeway;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends jobs after the commit of what they are about.
 *
 * <p>Inside a transaction of Leeway's data source a job is held back until the commit and leaves
 * with the position of that commit; after a rollback it never leaves. Outside any transaction it
 * leaves at once, with what the current scope has written.
 *
 * <p>A process that dies between the commit and the sending loses the job. Where that must not
 * happen, {@link Outbox} writes the job in the transaction itself.
 *
 * <p>Safe for any number of threads.
 */
public final class Jobs {
  private static final Logger log = LoggerFactory.getLogger(Jobs.class);

  private final Leeway leeway;
  private final JobCarrier carrier;
  private final JobMetrics metrics;
  private final Clock clock;

  private Jobs(Leeway leeway, JobCarrier carrier, @Nullable MeterRegistry registry, Clock clock) {
    this.leeway = Objects.requireNonNull(leeway, "leeway");
    this.carrier = Objects.requireNonNull(carrier, "carrier");
    this.metrics = new JobMetrics(registry, leeway.name());
    this.clock = clock;
  }

  /** Sends by this carrier. */
  public static Jobs over(Leeway leeway, JobCarrier carrier) {
    return new Jobs(leeway, carrier, null, Clock.systemUTC());
  }

  /** The same, counting in this registry. */
  public Jobs countedIn(MeterRegistry registry) {
    return new Jobs(leeway, carrier, registry, clock);
  }

  /**
   * Sends a job, after the commit if a transaction is open on this thread.
   *
   * @return completes when the broker has taken the job over; exceptionally with a {@link
   *     JobNotSentException} if the transaction was not committed or nobody knows whether it was,
   *     and with the broker's error if the broker did not take it
   */
  public CompletableFuture<Void> send(Job job) {
    Objects.requireNonNull(job, "job");
    CompletableFuture<Void> taken = new CompletableFuture<>();
    leeway.afterCommit(
        new AfterCommit() {
          @Override
          public void committed(WritePosition position) {
            dispatch(job, position, taken);
          }

          @Override
          public void dropped(String why) {
            metrics.count("leeway.jobs.sent", "outcome", "dropped");
            taken.completeExceptionally(
                new JobNotSentException(
                    leeway.name()
                        + " jobs - "
                        + job
                        + " was not sent (expected: a commit of its transaction): "
                        + why
                        + "."));
          }
        });
    return taken;
  }

  private void dispatch(Job job, WritePosition position, CompletableFuture<Void> taken) {
    SentJob sent =
        new SentJob(
            job,
            UUID.randomUUID().toString(),
            JobEnvelope.of(position, job.consistency(), clock.instant()));
    CompletableFuture<Void> answer;
    try {
      answer = carrier.send(sent).toCompletableFuture();
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    var unused =
        answer.whenComplete(
            (nothing, failure) -> {
              if (failure == null) {
                metrics.count("leeway.jobs.sent", "outcome", "sent");
                taken.complete(null);
              } else {
                metrics.count("leeway.jobs.sent", "outcome", "failed");
                log.warn(
                    "{} jobs - {} was committed but not taken by the broker, and is lost unless its"
                        + " sender sends it again. Use an outbox where that must not happen.",
                    leeway.name(),
                    job,
                    failure);
                taken.completeExceptionally(failure);
              }
            });
  }
}
