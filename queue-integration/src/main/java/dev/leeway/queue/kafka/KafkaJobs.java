package dev.leeway.queue.kafka;

import dev.leeway.gate.WritePosition;
import dev.leeway.queue.JobCarrier;
import dev.leeway.queue.JobEnvelope;
import dev.leeway.queue.SentJob;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.RequestScope;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Sends jobs to the topic of their type, by their key.
 *
 * <p>{@code Producer.send} may block for its {@code max.block.ms} while the broker is away, and it
 * is called by the thread that has committed; set that low. The producer belongs to the caller.
 *
 * <p>Safe for any number of threads.
 */
public final class KafkaJobs implements JobCarrier {
  private final Producer<String, byte[]> producer;

  private KafkaJobs(Producer<String, byte[]> producer) {
    this.producer = Objects.requireNonNull(producer, "producer");
  }

  /** Over a producer. */
  public static KafkaJobs over(Producer<String, byte[]> producer) {
    return new KafkaJobs(producer);
  }

  @Override
  public CompletionStage<Void> send(SentJob job) {
    ProducerRecord<String, byte[]> record =
        new ProducerRecord<>(job.job().type(), job.job().key(), job.job().payload());
    KafkaHeaders.write(job.headers(), record.headers());
    CompletableFuture<Void> taken = new CompletableFuture<>();
    producer.send(
        record,
        (metadata, failure) -> {
          if (failure == null) {
            taken.complete(null);
          } else {
            taken.completeExceptionally(failure);
          }
        });
    return taken;
  }

  /**
   * Opens a scope for a record that some other consumer has received, which shows what its producer
   * had written; on the primary where the record does not tell.
   */
  public static RequestScope openScope(Leeway leeway, ConsumerRecord<?, ?> record) {
    JobEnvelope envelope = KafkaHeaders.envelope(record.headers());
    WritePosition position = envelope.position();
    RequestScope scope = leeway.openScope();
    if (position == null
        || !position.isComplete()
        || !position.cluster().name().equals(leeway.name())) {
      scope.stayOnPrimary();
    } else if (!position.gtids().isEmpty()) {
      scope.adopt(position);
    }
    return scope;
  }
}
