package dev.leeway.queue.kafka;

import dev.leeway.gate.GtidSet;
import dev.leeway.gate.WritePosition;
import dev.leeway.queue.JobEnvelope;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.OpenTransactionException;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Stamps every record of a producer with what the current scope has written.
 *
 * <p>Kafka lets an interceptor neither hold a record back nor refuse it. A record that is sent
 * inside an open transaction, or outside any scope, is therefore stamped as one whose position is
 * not known, and its consumer reads the primary. {@link KafkaJobs} sends after the commit instead.
 */
public final class LeewayProducerInterceptor<K, V> implements ProducerInterceptor<K, V> {
  /** The key of the producer's configuration under which it finds the {@link Leeway}. */
  public static final String LEEWAY = "leeway.instance";

  private @Nullable Leeway leeway;

  /** Made by the producer. */
  public LeewayProducerInterceptor() {}

  @Override
  public void configure(Map<String, ?> configuration) {
    leeway = Configured.leeway(configuration, LEEWAY);
  }

  @Override
  public ProducerRecord<K, V> onSend(ProducerRecord<K, V> record) {
    Leeway mine = leeway;
    if (mine != null && record.headers().lastHeader(JobEnvelope.CONSISTENCY) == null) {
      KafkaHeaders.write(
          JobEnvelope.of(position(mine), null, Instant.now()).headers(), record.headers());
    }
    return record;
  }

  private static WritePosition position(Leeway leeway) {
    WritePosition unknown =
        WritePosition.incomplete(leeway.clusterState().cluster(), GtidSet.EMPTY);
    try {
      return leeway.currentScope().map(scope -> scope.position()).orElse(unknown);
    } catch (OpenTransactionException e) {
      return unknown;
    }
  }

  @Override
  public void onAcknowledgement(@Nullable RecordMetadata metadata, @Nullable Exception exception) {}

  @Override
  public void close() {}
}
