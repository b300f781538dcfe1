package dev.leeway.queue.rabbitmq;

import com.rabbitmq.client.Connection;
import dev.leeway.queue.JobCarrier;
import dev.leeway.queue.SentJob;
import java.io.IOException;
import java.util.concurrent.CompletionStage;

/**
 * Publishes jobs to the queue of their type, through the default exchange, persistent and
 * confirmed.
 *
 * <p>RabbitMQ keeps the order of a queue while it has one consumer and nothing is redelivered; keys
 * do not matter to it.
 *
 * <p>Safe for any number of threads. Owns a channel of the caller's connection.
 */
public final class RabbitJobs implements JobCarrier, AutoCloseable {
  private final ConfirmedChannel channel;

  private RabbitJobs(ConfirmedChannel channel) {
    this.channel = channel;
  }

  /**
   * Over a connection.
   *
   * @throws IOException if no channel can be opened
   */
  public static RabbitJobs over(Connection connection) throws IOException {
    return new RabbitJobs(new ConfirmedChannel(connection));
  }

  /** The queue must have been declared; the future fails if it was not. */
  @Override
  public CompletionStage<Void> send(SentJob job) {
    return channel.publish(job.job().type(), RabbitHeaders.properties(job), job.job().payload());
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
