package dev.leeway.queue.kafka;

import dev.leeway.gate.WritePosition;
import dev.leeway.routing.Leeway;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Waits inside {@code poll}, once for a whole batch and for a bounded time, until a replica has
 * what the producers of its records had written. Code that then opens a scope for each record by
 * {@link KafkaJobs#openScope} finds replicas that may serve it.
 *
 * <p>Nothing depends on the wait but the load of the primary: what a record must show is settled by
 * its scope.
 */
public final class LeewayConsumerInterceptor<K, V> implements ConsumerInterceptor<K, V> {
  /** The key of the consumer's configuration under which it finds the {@link Leeway}. */
  public static final String LEEWAY = LeewayProducerInterceptor.LEEWAY;

  /** The key for how long a batch waits at most, in milliseconds. Default: 100. */
  public static final String MAX_WAIT_MILLIS = "leeway.max.wait.ms";

  private @Nullable Leeway leeway;
  private Duration maxWait = Duration.ofMillis(100);

  /** Made by the consumer. */
  public LeewayConsumerInterceptor() {}

  @Override
  public void configure(Map<String, ?> configuration) {
    leeway = Configured.leeway(configuration, LEEWAY);
    maxWait = Configured.millis(configuration, MAX_WAIT_MILLIS, maxWait);
  }

  @Override
  public ConsumerRecords<K, V> onConsume(ConsumerRecords<K, V> records) {
    Leeway mine = leeway;
    if (mine == null) {
      return records;
    }
    WritePosition all = null;
    for (ConsumerRecord<K, V> record : records) {
      WritePosition position = KafkaHeaders.envelope(record.headers()).position();
      if (position != null
          && position.isComplete()
          && !position.gtids().isEmpty()
          && position.cluster().name().equals(mine.name())) {
        all = all == null ? position : all.merge(position);
      }
    }
    if (all != null && all.isComplete()) {
      var unused = mine.gate().await(all, maxWait);
    }
    return records;
  }

  @Override
  public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

  @Override
  public void close() {}
}
