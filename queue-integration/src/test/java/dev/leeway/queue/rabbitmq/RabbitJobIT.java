package dev.leeway.queue.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import dev.leeway.queue.Bed;
import dev.leeway.queue.Consistency;
import dev.leeway.queue.Job;
import dev.leeway.queue.JobCarrier;
import dev.leeway.queue.JobContract;
import dev.leeway.queue.JobHandler;
import dev.leeway.queue.JobRunner;
import dev.leeway.queue.Jobs;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RabbitJobIT extends JobContract {
  private static final AtomicInteger NAMES = new AtomicInteger();

  private @Nullable RabbitQueue current;

  @Override
  protected TestQueue newQueue(Bed bed) throws Exception {
    RabbitQueue queue = new RabbitQueue("jobs-" + NAMES.incrementAndGet());
    current = queue;
    return queue;
  }

  @Override
  protected boolean keepsFailures() {
    return true;
  }

  @Override
  protected boolean queueWaits() {
    return current != null && current.consumer != null && current.consumer.held() > 0;
  }

  private static final class RabbitQueue implements TestQueue {
    private final String name;
    private final Connection connection;
    private final Channel channel;
    private final RabbitJobs jobs;
    private final List<String> failures = new ArrayList<>();
    private @Nullable RabbitJobConsumer consumer;
    private @Nullable ExecutorService threads;

    RabbitQueue(String name) throws Exception {
      this.name = name;
      connection = RabbitServer.shared().connect();
      channel = connection.createChannel();
      channel.queueDeclare(name, true, false, false, Map.of());
      jobs = RabbitJobs.over(connection);
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public JobCarrier carrier() {
      return jobs;
    }

    @Override
    public void sendRaw(String payload, Map<String, String> headers) throws Exception {
      channel.basicPublish(
          "",
          name,
          new AMQP.BasicProperties().builder().headers(new HashMap<>(headers)).build(),
          payload.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void consume(JobRunner runner, @Nullable Consistency declared, JobHandler handler)
        throws Exception {
      ExecutorService pool = Executors.newFixedThreadPool(4);
      threads = pool;
      consumer =
          RabbitJobConsumer.builder(runner, connection, name, pool, handler)
              .consistency(declared)
              .retries(2, Duration.ofMillis(50))
              .start();
    }

    @Override
    public void crash() throws Exception {
      if (consumer != null) {
        consumer.close();
        consumer = null;
      }
      if (threads != null) {
        threads.shutdownNow();
      }
    }

    @Override
    public List<String> failures() throws Exception {
      for (GetResponse next = channel.basicGet(name + RabbitJobConsumer.FAILED, true);
          next != null;
          next = channel.basicGet(name + RabbitJobConsumer.FAILED, true)) {
        failures.add(
            new String(next.getBody(), StandardCharsets.UTF_8)
                + " "
                + next.getProps().getHeaders().get(RabbitJobConsumer.FAILURE));
      }
      return failures;
    }

    @Override
    public void close() throws Exception {
      crash();
      connection.close();
    }
  }

  @Test
  void aJobForAQueueThatDoesNotExistIsNotTaken() throws Exception {
    try (Connection connection = RabbitServer.shared().connect();
        RabbitJobs jobs = RabbitJobs.over(connection)) {
      assertThatThrownBy(() -> Jobs.over(bed.leeway(), jobs).send(Job.of("nobody", "x")).join())
          .hasMessageContaining("the broker has no queue for 'nobody'");
    }
  }

  @Test
  void aDelayIsNeverShortenedAndLittleLengthened() {
    for (long millis = 1; millis < 3_600_000; millis += 1 + millis / 7) {
      long queued = RabbitJobConsumer.queuedMillis(Duration.ofMillis(millis));

      assertThat(queued).isGreaterThanOrEqualTo(millis);
      assertThat(queued - millis).isLessThan(Math.max(10, millis / 4 + 1));
    }
  }
}
