package dev.leeway.queue.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import dev.leeway.queue.Consistency;
import dev.leeway.queue.Delivery;
import dev.leeway.queue.Job;
import dev.leeway.queue.JobEnvelope;
import dev.leeway.queue.JobHandler;
import dev.leeway.queue.JobRunner;
import dev.leeway.queue.NeverVisibleException;
import dev.leeway.queue.SentJob;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the jobs of one queue.
 *
 * <p>A job that waits is an unacknowledged message; the prefetch bounds how many there are, and
 * none holds a thread. A job that is put back is published to a queue that holds it for as long and
 * gives it back then; only after that the received message is acknowledged. So it comes as a new
 * message, and RabbitMQ's own count of deliveries ({@code x-delivery-count}) begins anew.
 *
 * <p>A job that fails is put back in the same way as often as allowed, and then goes to the queue
 * with {@code .failed} after its name, with the reason in the header {@value #FAILURE}.
 *
 * <p>Owns two channels of the caller's connection, and no thread. Declares the queues for delays
 * and failures; those for delays end ten minutes after their last use.
 */
public final class RabbitJobConsumer implements AutoCloseable {
  /** The header that tells why a job failed. */
  public static final String FAILURE = "leeway-failure";

  /** The header that counts how often a job has failed. */
  public static final String FAILURES = "leeway-failures";

  /** What is added to the queue's name for jobs that have failed. */
  public static final String FAILED = ".failed";

  private static final Logger log = LoggerFactory.getLogger(RabbitJobConsumer.class);
  private static final long UNUSED_MILLIS = TimeUnit.MINUTES.toMillis(10);
  private static final int MAX_FAILURE_TEXT = 1_000;

  private final JobRunner runner;
  private final String queue;
  private final Executor threads;
  private final JobHandler handler;
  private final @Nullable Consistency declared;
  private final int retries;
  private final Duration retryDelay;
  private final Channel channel;
  private final ConfirmedChannel onward;
  private final AtomicInteger held = new AtomicInteger();
  private final Map<String, Long> declaredAtNanos = new ConcurrentHashMap<>();
  private volatile boolean closed;

  private RabbitJobConsumer(Builder builder) throws IOException {
    runner = builder.runner;
    queue = builder.queue;
    threads = builder.threads;
    handler = builder.handler;
    declared = builder.consistency == null ? JobRunner.declaredBy(handler) : builder.consistency;
    retries = builder.retries;
    retryDelay = builder.retryDelay;
    onward = new ConfirmedChannel(builder.connection);
    onward.declare(queue + FAILED, Map.of());
    channel = builder.connection.createChannel();
    channel.basicQos(builder.prefetch);
    channel.basicConsume(
        queue,
        false,
        new DefaultConsumer(channel) {
          @Override
          public void handleDelivery(
              String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
            held.incrementAndGet();
            new Received(envelope.getDeliveryTag(), properties, body).begin();
          }
        });
  }

  /**
   * A builder.
   *
   * @param queue a queue that was declared
   * @param threads where handlers run
   */
  public static Builder builder(
      JobRunner runner, Connection connection, String queue, Executor threads, JobHandler handler) {
    return new Builder(runner, connection, queue, threads, handler);
  }

  /** How many messages were received and not answered: their jobs wait or run. */
  public int held() {
    return held.get();
  }

  /** A delay that queues exist for: never shorter, and longer by a tenth or so. */
  static long queuedMillis(Duration delay) {
    long millis = Math.max(1, delay.toMillis());
    long step = 10;
    while (millis > step * 20) {
      step *= 5;
    }
    return (millis + step - 1) / step * step;
  }

  private String delayQueue(Duration delay) throws IOException {
    long millis = queuedMillis(delay);
    String name = "leeway.delay." + queue + "." + millis;
    long now = System.nanoTime();
    Long before = declaredAtNanos.get(name);
    if (before == null || now - before > TimeUnit.MILLISECONDS.toNanos(UNUSED_MILLIS / 2)) {
      onward.declare(
          name,
          Map.of(
              "x-message-ttl",
              millis,
              "x-expires",
              millis + UNUSED_MILLIS,
              "x-dead-letter-exchange",
              "",
              "x-dead-letter-routing-key",
              queue));
      declaredAtNanos.put(name, now);
    }
    return name;
  }

  /** One message in hand. */
  private final class Received implements Delivery {
    private final long tag;
    private final AMQP.BasicProperties properties;
    private final byte[] body;
    private final SentJob job;

    Received(long tag, AMQP.BasicProperties properties, byte[] body) {
      this.tag = tag;
      this.properties = properties;
      this.body = body;
      JobEnvelope envelope = RabbitHeaders.envelope(properties);
      String id = RabbitHeaders.text(properties, SentJob.ID);
      if (id == null) {
        id = properties.getMessageId() == null ? "" : properties.getMessageId();
      }
      job = new SentJob(new Job(queue, null, body, envelope.asked()), id, envelope);
    }

    void begin() {
      runner.handle(this, declared, threads, handler);
    }

    @Override
    public SentJob job() {
      return job;
    }

    @Override
    public void done() {
      answered();
      try {
        synchronized (channel) {
          channel.basicAck(tag, false);
        }
      } catch (IOException | AlreadyClosedException e) {
        // The broker gives it to somebody again, who finds the work done.
        log.debug("{} jobs - {} was done and not acknowledged", runner.leeway().name(), job, e);
      }
    }

    private void answered() {
      held.decrementAndGet();
    }

    @Override
    public void putBack(JobEnvelope next, Duration delay, String why) {
      again(job.with(next), delay, Map.of());
    }

    private void again(SentJob next, Duration delay, Map<String, String> more) {
      try {
        onward(delayQueue(delay), RabbitHeaders.with(properties, next, more));
      } catch (IOException | AlreadyClosedException e) {
        returned(e);
      }
    }

    private void onward(String where, AMQP.BasicProperties sent) {
      CompletableFuture<Void> taken = onward.publish(where, sent, body);
      var unused =
          taken.whenComplete(
              (nothing, failure) -> {
                if (failure == null) {
                  done();
                } else {
                  returned(failure);
                }
              });
    }

    /** It could not be sent on, so the broker is to give it again itself. */
    private void returned(Throwable failure) {
      answered();
      if (closed) {
        return;
      }
      log.warn("{} jobs - {} could not be put back", runner.leeway().name(), job, failure);
      try {
        synchronized (channel) {
          channel.basicNack(tag, false, true);
        }
      } catch (IOException | AlreadyClosedException e) {
        log.debug("{} jobs - {} was left to the broker", runner.leeway().name(), job, e);
      }
    }

    @Override
    public void failed(Throwable failure) {
      if (closed) {
        // The message goes back with the channel.
        answered();
        return;
      }
      int failures = RabbitHeaders.number(properties, FAILURES) + 1;
      if (failures <= retries && !(failure instanceof NeverVisibleException)) {
        again(job, retryDelay, Map.of(FAILURES, Integer.toString(failures)));
        return;
      }
      String text = String.valueOf(failure);
      onward(
          queue + FAILED,
          RabbitHeaders.with(
              properties,
              job,
              Map.of(
                  FAILURE,
                  text.substring(0, Math.min(MAX_FAILURE_TEXT, text.length())),
                  FAILURES,
                  Integer.toString(failures))));
    }
  }

  /** Ends the channels; what was not answered goes back to the queue. */
  @Override
  public void close() throws IOException {
    closed = true;
    try {
      channel.close();
    } catch (TimeoutException | AlreadyClosedException e) {
      // It is gone, which is what was wanted.
    }
    onward.close();
  }

  /** Collects settings. Not thread-safe. */
  public static final class Builder {
    private final JobRunner runner;
    private final Connection connection;
    private final String queue;
    private final Executor threads;
    private final JobHandler handler;
    private @Nullable Consistency consistency;
    private int prefetch = 100;
    private int retries = 3;
    private Duration retryDelay = Duration.ofSeconds(1);

    private Builder(
        JobRunner runner,
        Connection connection,
        String queue,
        Executor threads,
        JobHandler handler) {
      this.runner = Objects.requireNonNull(runner, "runner");
      this.connection = Objects.requireNonNull(connection, "connection");
      this.queue = Objects.requireNonNull(queue, "queue");
      this.threads = Objects.requireNonNull(threads, "threads");
      this.handler = Objects.requireNonNull(handler, "handler");
    }

    /** What counts before what the handler declares. */
    public Builder consistency(@Nullable Consistency value) {
      consistency = value;
      return this;
    }

    /** How many messages may be in hand, those that wait included. Default: 100. */
    public Builder prefetch(int value) {
      prefetch = value;
      return this;
    }

    /** How often a failed job is tried again, and after how long. Default: 3 times, 1 s. */
    public Builder retries(int times, Duration delay) {
      retries = times;
      retryDelay = delay;
      return this;
    }

    /**
     * The consumer, at work.
     *
     * @throws IOException if the broker refuses, such as a queue that was not declared
     */
    public RabbitJobConsumer start() throws IOException {
      return new RabbitJobConsumer(this);
    }
  }
}
