package dev.leeway.queue.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.queue.Bed;
import dev.leeway.queue.Bed.Seen;
import dev.leeway.queue.Consistency;
import dev.leeway.queue.JobCarrier;
import dev.leeway.queue.JobContract;
import dev.leeway.queue.JobEnvelope;
import dev.leeway.queue.JobHandler;
import dev.leeway.queue.JobRunner;
import dev.leeway.routing.RequestScope;
import dev.leeway.testkit.Fault;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KafkaJobIT extends JobContract {
  private static final AtomicInteger NAMES = new AtomicInteger();

  private @Nullable KafkaQueue current;

  @Override
  protected TestQueue newQueue(Bed bed) throws Exception {
    KafkaQueue queue = new KafkaQueue("jobs-" + NAMES.incrementAndGet());
    current = queue;
    return queue;
  }

  @Override
  protected boolean keepsFailures() {
    return true;
  }

  @Override
  protected boolean queueWaits() {
    return current != null && current.jobConsumer != null && current.jobConsumer.held() > 0;
  }

  private static final class KafkaQueue implements TestQueue {
    private final KafkaBroker broker = KafkaBroker.shared();
    private final String name;
    private final Producer<String, byte[]> producer;
    private final List<String> failures = new ArrayList<>();
    private @Nullable Consumer<String, byte[]> failed;
    private @Nullable KafkaJobConsumer jobConsumer;
    private @Nullable ExecutorService threads;

    KafkaQueue(String name) throws Exception {
      this.name = name;
      broker.createTopics(2, name, name + KafkaJobConsumer.FAILED);
      producer = broker.producer(Map.of());
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public JobCarrier carrier() {
      return KafkaJobs.over(producer);
    }

    @Override
    public void sendRaw(String payload, Map<String, String> headers) throws Exception {
      ProducerRecord<String, byte[]> record =
          new ProducerRecord<>(name, payload.getBytes(StandardCharsets.UTF_8));
      KafkaHeaders.write(headers, record.headers());
      producer.send(record).get();
    }

    @Override
    public void consume(JobRunner runner, @Nullable Consistency declared, JobHandler handler) {
      ExecutorService pool = Executors.newFixedThreadPool(4);
      threads = pool;
      jobConsumer =
          KafkaJobConsumer.builder(
                  runner, broker.consumer(name + "-group", Map.of()), producer, name, pool, handler)
              .consistency(declared)
              .retries(2, Duration.ofMillis(50))
              .start();
    }

    @Override
    public void crash() {
      if (jobConsumer != null) {
        jobConsumer.close();
        jobConsumer = null;
      }
      if (threads != null) {
        threads.shutdownNow();
      }
    }

    @Override
    public List<String> failures() {
      if (failed == null) {
        failed = broker.consumer(name + "-failed", Map.of());
        failed.subscribe(List.of(name + KafkaJobConsumer.FAILED));
      }
      for (ConsumerRecord<String, byte[]> record : failed.poll(Duration.ofMillis(100))) {
        failures.add(
            new String(record.value(), StandardCharsets.UTF_8)
                + " "
                + KafkaHeaders.text(record.headers(), KafkaJobConsumer.FAILURE));
      }
      return failures;
    }

    @Override
    public void close() {
      crash();
      if (failed != null) {
        failed.close();
      }
      producer.close();
    }
  }

  private List<ConsumerRecord<String, byte[]>> receive(
      Consumer<String, byte[]> consumer, int count) {
    List<ConsumerRecord<String, byte[]>> received = new ArrayList<>();
    Bed.await(
        () -> count + " records come: " + received,
        () -> {
          consumer.poll(Duration.ofMillis(50)).forEach(received::add);
          return received.size() >= count;
        });
    return received;
  }

  private static ProducerRecord<String, byte[]> record(String topic, long id) {
    return new ProducerRecord<>(topic, Long.toString(id).getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void interceptorsStampAndWaitForCodeThatKnowsNothingOfJobs() throws Exception {
    KafkaBroker broker = KafkaBroker.shared();
    List<Fault> paused =
        Bed.CLUSTER.replicas().stream().map(replica -> replica.pauseApplier()).toList();
    long id;
    try (Producer<String, byte[]> producer =
            broker.producer(
                Map.of(
                    "interceptor.classes",
                    LeewayProducerInterceptor.class.getName(),
                    LeewayProducerInterceptor.LEEWAY,
                    bed.leeway()));
        RequestScope scope = bed.leeway().openScope()) {
      id = bed.insert("intercepted");
      producer.send(record(queue.name(), id)).get();
      assertThat(scope.isClosed()).isFalse();
    }
    paused.forEach(Fault::close);
    try (Consumer<String, byte[]> consumer =
        broker.consumer(
            "intercepting",
            Map.of(
                "interceptor.classes",
                LeewayConsumerInterceptor.class.getName(),
                LeewayConsumerInterceptor.LEEWAY,
                bed.leeway(),
                LeewayConsumerInterceptor.MAX_WAIT_MILLIS,
                "20000"))) {
      consumer.subscribe(List.of(queue.name()));
      ConsumerRecord<String, byte[]> received = receive(consumer, 1).get(0);
      try (RequestScope scope = KafkaJobs.openScope(bed.leeway(), received)) {
        Seen seen = bed.read(id);
        assertThat(seen.status()).isEqualTo("intercepted");
        assertThat(seen.byPrimary()).as(scope.toString()).isFalse();
      }
    }
  }

  @Test
  void insideATransactionTheInterceptorSaysThatThePositionIsNotKnown() throws Exception {
    KafkaBroker broker = KafkaBroker.shared();
    try (Producer<String, byte[]> producer =
            broker.producer(
                Map.of(
                    "interceptor.classes",
                    LeewayProducerInterceptor.class.getName(),
                    LeewayProducerInterceptor.LEEWAY,
                    bed.leeway()));
        RequestScope scope = bed.leeway().openScope();
        Connection connection = bed.leeway().dataSource().getConnection()) {
      connection.setAutoCommit(false);
      long id = Bed.insert(connection, "open");
      producer.send(record(queue.name(), id)).get();
      connection.commit();
      assertThat(scope.isClosed()).isFalse();
    }
    try (Consumer<String, byte[]> consumer = broker.consumer("plain", Map.of())) {
      consumer.subscribe(List.of(queue.name()));
      ConsumerRecord<String, byte[]> received = receive(consumer, 1).get(0);
      JobEnvelope envelope = KafkaHeaders.envelope(received.headers());
      assertThat(Objects.requireNonNull(envelope.position()).isComplete()).isFalse();
      try (RequestScope scope = KafkaJobs.openScope(bed.leeway(), received)) {
        assertThat(bed.read(1).byPrimary()).as(scope.toString()).isTrue();
      }
    }
  }
}
