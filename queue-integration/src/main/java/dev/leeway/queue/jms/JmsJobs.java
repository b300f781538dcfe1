package dev.leeway.queue.jms;

import dev.leeway.queue.JobCarrier;
import dev.leeway.queue.SentJob;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Sends jobs to the queue of their type, one after the other, each acknowledged by the broker
 * before {@link #send} returns.
 *
 * <p>Safe for any number of threads. Owns a session of the caller's connection.
 */
public final class JmsJobs implements JobCarrier, AutoCloseable {
  private final Session session;
  private final MessageProducer producer;

  private JmsJobs(Session session) throws JMSException {
    this.session = session;
    this.producer = session.createProducer(null);
  }

  /**
   * Over a connection.
   *
   * @throws JMSException if no session can be made
   */
  public static JmsJobs over(Connection connection) throws JMSException {
    return new JmsJobs(connection.createSession(false, Session.AUTO_ACKNOWLEDGE));
  }

  @Override
  public CompletionStage<Void> send(SentJob job) {
    try {
      synchronized (session) {
        producer.send(
            session.createQueue(job.job().type()), JmsHeaders.message(session, job, Map.of()));
      }
      return CompletableFuture.completedFuture(null);
    } catch (JMSException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public void close() throws JMSException {
    session.close();
  }
}
