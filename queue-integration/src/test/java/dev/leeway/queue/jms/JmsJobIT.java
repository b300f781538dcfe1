package dev.leeway.queue.jms;

import dev.leeway.queue.Bed;
import dev.leeway.queue.Consistency;
import dev.leeway.queue.JobCarrier;
import dev.leeway.queue.JobContract;
import dev.leeway.queue.JobHandler;
import dev.leeway.queue.JobRunner;
import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.jspecify.annotations.Nullable;

class JmsJobIT extends JobContract {
  private static final AtomicInteger NAMES = new AtomicInteger();
  private static @Nullable EmbeddedActiveMQ broker;

  private @Nullable JmsQueue current;

  private static synchronized void startBroker() throws Exception {
    if (broker == null) {
      Configuration settings = new ConfigurationImpl();
      settings.setPersistenceEnabled(false);
      settings.setSecurityEnabled(false);
      settings.setJMXManagementEnabled(false);
      settings.addAcceptorConfiguration("in-vm", "vm://0");
      EmbeddedActiveMQ starting = new EmbeddedActiveMQ();
      starting.setConfiguration(settings);
      starting.start();
      broker = starting;
    }
  }

  @Override
  protected TestQueue newQueue(Bed bed) throws Exception {
    startBroker();
    JmsQueue queue = new JmsQueue("jobs-" + NAMES.incrementAndGet());
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

  private static final class JmsQueue implements TestQueue {
    private final String name;
    private final ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory("vm://0");
    private final Connection connection;
    private final Session session;
    private final JmsJobs jobs;
    private final List<String> failures = new ArrayList<>();
    private @Nullable JmsJobConsumer consumer;

    JmsQueue(String name) throws Exception {
      this.name = name;
      connection = factory.createConnection();
      connection.start();
      session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
      jobs = JmsJobs.over(connection);
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
      TextMessage message = session.createTextMessage(payload);
      for (Map.Entry<String, String> header : headers.entrySet()) {
        message.setStringProperty(JmsHeaders.property(header.getKey()), header.getValue());
      }
      session.createProducer(session.createQueue(name)).send(message);
    }

    @Override
    public void consume(JobRunner runner, @Nullable Consistency declared, JobHandler handler) {
      consumer =
          JmsJobConsumer.builder(runner, connection, name, handler)
              .consistency(declared)
              .retries(2, Duration.ofMillis(50))
              .start();
    }

    @Override
    public void crash() {
      if (consumer != null) {
        consumer.close();
        consumer = null;
      }
    }

    @Override
    public List<String> failures() throws Exception {
      try (MessageConsumer failed =
          session.createConsumer(session.createQueue(name + JmsJobConsumer.FAILED))) {
        for (Message next = failed.receive(50); next != null; next = failed.receive(50)) {
          failures.add(
              JmsHeaders.job(name, next).job().text()
                  + " "
                  + next.getStringProperty(JmsJobConsumer.FAILURE));
        }
      }
      return failures;
    }

    @Override
    public void close() throws Exception {
      crash();
      connection.close();
      factory.close();
    }
  }
}
