package dev.leeway.queue.jms;

import dev.leeway.queue.Consistency;
import dev.leeway.queue.Delivery;
import dev.leeway.queue.JobEnvelope;
import dev.leeway.queue.JobHandler;
import dev.leeway.queue.JobRunner;
import dev.leeway.queue.NeverVisibleException;
import dev.leeway.queue.SentJob;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the jobs of one queue, on a fixed number of sessions, each with a thread of its own.
 *
 * <p>A JMS session has one message in hand. A job that waits for a replica therefore holds its
 * session; with long lags {@link Consistency#delayed} is the better choice. A job that is put back
 * is sent again with a delivery delay, in the same transaction of the session that takes it from
 * the queue: neither is lost nor doubled, and as it comes as a new message, the broker's count of
 * deliveries begins anew.
 *
 * <p>A job that fails is put back in the same way as often as allowed, and then goes to the queue
 * with {@code .failed} after its name, with the reason in the property {@value #FAILURE}.
 */
public final class JmsJobConsumer implements AutoCloseable {
  /** The property that tells why a job failed. */
  public static final String FAILURE = "leeway_failure";

  /** The property that counts how often a job has failed. */
  public static final String FAILURES = "leeway_failures";

  /** What is added to the queue's name for jobs that have failed. */
  public static final String FAILED = ".failed";

  private static final Logger log = LoggerFactory.getLogger(JmsJobConsumer.class);
  private static final long RECEIVE_MILLIS = 100;
  private static final long PAUSE_MILLIS = 500;
  private static final Duration CLOSE_BOUND = Duration.ofSeconds(5);
  private static final int MAX_FAILURE_TEXT = 1_000;

  private final JobRunner runner;
  private final Connection connection;
  private final String queue;
  private final JobHandler handler;
  private final @Nullable Consistency declared;
  private final int retries;
  private final Duration retryDelay;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicInteger held = new AtomicInteger();
  private volatile boolean closed;

  private JmsJobConsumer(Builder builder) {
    runner = builder.runner;
    connection = builder.connection;
    queue = builder.queue;
    handler = builder.handler;
    declared = builder.consistency == null ? JobRunner.declaredBy(handler) : builder.consistency;
    retries = builder.retries;
    retryDelay = builder.retryDelay;
    for (int i = 1; i <= builder.sessions; i++) {
      Thread thread =
          new Thread(this::run, "leeway-" + runner.leeway().name() + "-jms-" + queue + "-" + i);
      thread.setDaemon(true);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
  }

  /**
   * A builder.
   *
   * @param connection a connection that was started; belongs to the caller
   */
  public static Builder builder(
      JobRunner runner, Connection connection, String queue, JobHandler handler) {
    return new Builder(runner, connection, queue, handler);
  }

  /** How many messages are in hand: their jobs wait or run. */
  public int held() {
    return held.get();
  }

  private void run() {
    while (!closed) {
      try (Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
        Queue source = session.createQueue(queue);
        try (MessageConsumer consumer = session.createConsumer(source);
            MessageProducer producer = session.createProducer(null)) {
          while (!closed) {
            Message message = consumer.receive(RECEIVE_MILLIS);
            if (message != null) {
              held.incrementAndGet();
              try {
                handle(session, source, producer, message);
              } finally {
                held.decrementAndGet();
              }
            }
          }
        }
      } catch (JMSException | RuntimeException e) {
        if (!closed) {
          log.warn("{} jobs - a session of queue {} ended", runner.leeway().name(), queue, e);
          pause();
        }
      }
    }
  }

  private void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      closed = true;
    }
  }

  private void handle(Session session, Queue source, MessageProducer producer, Message message)
      throws JMSException {
    Received received = new Received(session, source, producer, message);
    runner.handleHere(received, declared, handler);
    if (received.answered && !closed) {
      session.commit();
    } else {
      session.rollback();
    }
  }

  /** One message in hand. Used by its session's thread. */
  private final class Received implements Delivery {
    private final Session session;
    private final Queue source;
    private final MessageProducer producer;
    private final Message message;
    private final SentJob job;
    private boolean answered;

    Received(Session session, Queue source, MessageProducer producer, Message message)
        throws JMSException {
      this.session = session;
      this.source = source;
      this.producer = producer;
      this.message = message;
      this.job = JmsHeaders.job(queue, message);
    }

    @Override
    public SentJob job() {
      return job;
    }

    @Override
    public void done() {
      answered = true;
    }

    @Override
    public void putBack(JobEnvelope next, Duration delay, String why) {
      Map<String, String> failures = Map.of(FAILURES, Integer.toString(failures()));
      send(source, job.with(next), delay, failures);
    }

    private void send(Queue where, SentJob next, Duration delay, Map<String, String> more) {
      try {
        producer.setDeliveryDelay(delay.toMillis());
        producer.send(where, JmsHeaders.message(session, next, more));
        answered = true;
      } catch (JMSException e) {
        // Not answered, so the session is rolled back and the broker gives it again.
        log.warn("{} jobs - {} could not be put back", runner.leeway().name(), job, e);
      }
    }

    private int failures() {
      String text = JmsHeaders.text(message, FAILURES);
      return text != null && text.matches("\\d{1,6}") ? Integer.parseInt(text) : 0;
    }

    @Override
    public void failed(Throwable failure) {
      int failures = failures() + 1;
      if (failure instanceof InterruptedException) {
        return;
      }
      if (failures <= retries && !(failure instanceof NeverVisibleException)) {
        send(source, job, retryDelay, Map.of(FAILURES, Integer.toString(failures)));
        return;
      }
      String text = String.valueOf(failure);
      try {
        send(
            session.createQueue(queue + FAILED),
            job,
            Duration.ZERO,
            Map.of(
                FAILURE,
                text.substring(0, Math.min(MAX_FAILURE_TEXT, text.length())),
                FAILURES,
                Integer.toString(failures)));
      } catch (JMSException e) {
        log.warn("{} jobs - {} failed and cannot be set aside", runner.leeway().name(), job, e);
      }
    }
  }

  /** Ends the threads and sessions; what was not answered goes back to the queue. */
  @Override
  public void close() {
    closed = true;
    long deadline = System.nanoTime() + CLOSE_BOUND.toNanos();
    for (Thread thread : threads) {
      try {
        thread.join(2 * RECEIVE_MILLIS);
        if (thread.isAlive()) {
          thread.interrupt();
        }
        thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Collects settings. Not thread-safe. */
  public static final class Builder {
    private final JobRunner runner;
    private final Connection connection;
    private final String queue;
    private final JobHandler handler;
    private @Nullable Consistency consistency;
    private int sessions = 4;
    private int retries = 3;
    private Duration retryDelay = Duration.ofSeconds(1);

    private Builder(JobRunner runner, Connection connection, String queue, JobHandler handler) {
      this.runner = Objects.requireNonNull(runner, "runner");
      this.connection = Objects.requireNonNull(connection, "connection");
      this.queue = Objects.requireNonNull(queue, "queue");
      this.handler = Objects.requireNonNull(handler, "handler");
    }

    /** What counts before what the handler declares. */
    public Builder consistency(@Nullable Consistency value) {
      consistency = value;
      return this;
    }

    /** How many sessions, and so threads, there are. Default: 4. */
    public Builder sessions(int value) {
      sessions = value;
      return this;
    }

    /** How often a failed job is tried again, and after how long. Default: 3 times, 1 s. */
    public Builder retries(int times, Duration delay) {
      retries = times;
      retryDelay = delay;
      return this;
    }

    /** The consumer, at work. */
    public JmsJobConsumer start() {
      return new JmsJobConsumer(this);
    }
  }
}
