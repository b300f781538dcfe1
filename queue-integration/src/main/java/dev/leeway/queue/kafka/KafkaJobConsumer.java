package dev.leeway.queue.kafka;

import dev.leeway.queue.Consistency;
import dev.leeway.queue.Delivery;
import dev.leeway.queue.Job;
import dev.leeway.queue.JobEnvelope;
import dev.leeway.queue.JobHandler;
import dev.leeway.queue.JobRunner;
import dev.leeway.queue.NeverVisibleException;
import dev.leeway.queue.SentJob;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the jobs of one topic, in order within each partition.
 *
 * <p>A job that waits, or is put back, holds its partition and nothing else: no thread, and no
 * attempt, of which Kafka counts none. The other partitions go on, and {@code poll} goes on being
 * called, so no rebalance comes of it. How often a job was put back is kept in memory, and begins
 * anew after a rebalance.
 *
 * <p>A job that fails is tried again in place, and then goes to the topic with {@code .failed}
 * after its name, with the reason in the header {@value #FAILURE}. Its offset is committed after
 * that.
 *
 * <p>Owns two threads. Consumer and producer belong to the caller; the consumer must not commit by
 * itself ({@code enable.auto.commit=false}) and is used by nobody else.
 */
public final class KafkaJobConsumer implements AutoCloseable {
  /** The header that tells why a job failed. */
  public static final String FAILURE = "leeway-failure";

  /** What is added to the topic's name for jobs that have failed. */
  public static final String FAILED = ".failed";

  private static final Logger log = LoggerFactory.getLogger(KafkaJobConsumer.class);
  private static final Duration BUSY_POLL = Duration.ofMillis(2);
  private static final Duration IDLE_POLL = Duration.ofMillis(100);
  private static final Duration CLOSE_BOUND = Duration.ofSeconds(5);
  private static final int MAX_FAILURE_TEXT = 1_000;

  private final JobRunner runner;
  private final Consumer<String, byte[]> consumer;
  private final Producer<String, byte[]> producer;
  private final String topic;
  private final Executor threads;
  private final JobHandler handler;
  private final @Nullable Consistency declared;
  private final int retries;
  private final Duration retryDelay;
  private final ScheduledThreadPoolExecutor timer;
  private final Thread thread;
  private final Queue<Received> ended = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;
  private volatile int held;

  /** For the polling thread alone. */
  private final Map<TopicPartition, Partition> partitions = new HashMap<>();

  private KafkaJobConsumer(Builder builder) {
    runner = builder.runner;
    consumer = builder.consumer;
    producer = builder.producer;
    topic = builder.topic;
    threads = builder.threads;
    handler = builder.handler;
    declared = builder.consistency == null ? JobRunner.declaredBy(handler) : builder.consistency;
    retries = builder.retries;
    retryDelay = builder.retryDelay;
    String name = "leeway-" + runner.leeway().name() + "-kafka-" + topic;
    timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread made = new Thread(task, name + "-timer");
              made.setDaemon(true);
              return made;
            });
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * A builder.
   *
   * @param producer what failed jobs are sent on with
   * @param threads where handlers run
   */
  public static Builder builder(
      JobRunner runner,
      Consumer<String, byte[]> consumer,
      Producer<String, byte[]> producer,
      String topic,
      Executor threads,
      JobHandler handler) {
    return new Builder(runner, consumer, producer, topic, threads, handler);
  }

  /** How many jobs are held: they wait, were put back, or run. */
  public int held() {
    return held;
  }

  /** The records of one partition that were polled and not committed yet. */
  private static final class Partition {
    private final Queue<ConsumerRecord<String, byte[]>> left = new ArrayDeque<>();
    private @Nullable Received inHand;
  }

  private void run() {
    try {
      consumer.subscribe(List.of(topic), new Rebalances());
      while (!closed) {
        try {
          step();
        } catch (KafkaException e) {
          if (!closed) {
            log.warn("{} jobs - {} cannot be polled", runner.leeway().name(), topic, e);
          }
        }
      }
    } finally {
      timer.shutdownNow();
      consumer.close();
    }
  }

  private void step() {
    Duration wait =
        partitions.values().stream().anyMatch(p -> p.inHand != null) ? BUSY_POLL : IDLE_POLL;
    for (ConsumerRecord<String, byte[]> record : consumer.poll(wait)) {
      TopicPartition where = new TopicPartition(record.topic(), record.partition());
      Partition partition = partitions.computeIfAbsent(where, p -> new Partition());
      partition.left.add(record);
      // What is in hand is worked off before more is fetched, so memory is bounded by one poll.
      consumer.pause(List.of(where));
    }
    commitEnded();
    partitions.forEach(this::next);
    held = (int) partitions.values().stream().filter(p -> p.inHand != null).count();
  }

  private void commitEnded() {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    for (Received received = ended.poll(); received != null; received = ended.poll()) {
      Partition partition = partitions.get(received.where);
      // After a rebalance it is another consumer's, which does it again.
      if (partition != null && partition.inHand == received) {
        partition.inHand = null;
        offsets.put(received.where, new OffsetAndMetadata(received.record.offset() + 1));
      }
    }
    if (!offsets.isEmpty()) {
      consumer.commitSync(offsets);
    }
  }

  private void next(TopicPartition where, Partition partition) {
    if (partition.inHand != null) {
      return;
    }
    ConsumerRecord<String, byte[]> record = partition.left.poll();
    if (record == null) {
      if (consumer.paused().contains(where)) {
        consumer.resume(List.of(where));
      }
      return;
    }
    Received received = new Received(where, record);
    partition.inHand = received;
    received.ask();
  }

  private final class Rebalances implements ConsumerRebalanceListener {
    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
      commitEnded();
      revoked.forEach(partitions::remove);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> lost) {
      lost.forEach(partitions::remove);
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> assigned) {}
  }

  /** One record in hand. */
  private final class Received implements Delivery {
    private final TopicPartition where;
    private final ConsumerRecord<String, byte[]> record;
    private volatile SentJob job;
    private int failures;

    Received(TopicPartition where, ConsumerRecord<String, byte[]> record) {
      this.where = where;
      this.record = record;
      JobEnvelope envelope = KafkaHeaders.envelope(record.headers());
      String id = KafkaHeaders.text(record.headers(), SentJob.ID);
      byte[] payload = record.value() == null ? new byte[0] : record.value();
      this.job =
          new SentJob(
              new Job(topic, shortened(record.key()), payload, envelope.asked()),
              id == null ? where + "@" + record.offset() : id,
              envelope);
    }

    private static @Nullable String shortened(@Nullable String key) {
      return key == null || key.length() <= Job.MAX_NAME_LENGTH
          ? key
          : key.substring(0, Job.MAX_NAME_LENGTH);
    }

    void ask() {
      runner.handle(this, declared, threads, handler);
    }

    @Override
    public SentJob job() {
      return job;
    }

    @Override
    public void done() {
      ended.add(this);
    }

    @Override
    public void putBack(JobEnvelope next, Duration delay, String why) {
      job = job.with(next);
      later(delay);
    }

    private void later(Duration delay) {
      try {
        var unused = timer.schedule(this::ask, delay.toNanos(), TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException e) {
        // Closed; whoever gets the partition does it.
        log.debug("{} jobs - {} was closed with {} in hand", runner.leeway().name(), topic, job);
      }
    }

    @Override
    public void failed(Throwable failure) {
      failures++;
      if (closed) {
        return;
      }
      if (failures <= retries && !(failure instanceof NeverVisibleException)) {
        later(retryDelay);
        return;
      }
      ProducerRecord<String, byte[]> aside =
          new ProducerRecord<>(topic + FAILED, record.key(), record.value());
      record.headers().forEach(aside.headers()::add);
      String text = String.valueOf(failure);
      aside
          .headers()
          .add(
              FAILURE,
              text.substring(0, Math.min(MAX_FAILURE_TEXT, text.length()))
                  .getBytes(StandardCharsets.UTF_8));
      producer.send(
          aside,
          (metadata, exception) -> {
            if (exception == null) {
              ended.add(this);
            } else {
              log.warn(
                  "{} jobs - {} failed and cannot be set aside; it is tried again",
                  runner.leeway().name(),
                  job,
                  exception);
              later(retryDelay);
            }
          });
    }
  }

  /**
   * Ends the threads; what is in hand is not committed and comes again, to whoever consumes next.
   */
  @Override
  public void close() {
    closed = true;
    try {
      thread.join(CLOSE_BOUND.plus(IDLE_POLL).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Collects settings. Not thread-safe. */
  public static final class Builder {
    private final JobRunner runner;
    private final Consumer<String, byte[]> consumer;
    private final Producer<String, byte[]> producer;
    private final String topic;
    private final Executor threads;
    private final JobHandler handler;
    private @Nullable Consistency consistency;
    private int retries = 3;
    private Duration retryDelay = Duration.ofSeconds(1);

    private Builder(
        JobRunner runner,
        Consumer<String, byte[]> consumer,
        Producer<String, byte[]> producer,
        String topic,
        Executor threads,
        JobHandler handler) {
      this.runner = Objects.requireNonNull(runner, "runner");
      this.consumer = Objects.requireNonNull(consumer, "consumer");
      this.producer = Objects.requireNonNull(producer, "producer");
      this.topic = Objects.requireNonNull(topic, "topic");
      this.threads = Objects.requireNonNull(threads, "threads");
      this.handler = Objects.requireNonNull(handler, "handler");
    }

    /** What counts before what the handler declares. */
    public Builder consistency(@Nullable Consistency value) {
      consistency = value;
      return this;
    }

    /**
     * How often a failed job is tried again in place, and after how long. Default: 3 times, 1 s.
     */
    public Builder retries(int times, Duration delay) {
      retries = times;
      retryDelay = delay;
      return this;
    }

    /** The consumer, at work. */
    public KafkaJobConsumer start() {
      return new KafkaJobConsumer(this);
    }
  }
}
