package dev.leeway.queue.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * A channel that says of each message whether the broker has taken it and put it into a queue.
 *
 * <p>Safe for any number of threads. Owns its channel.
 */
final class ConfirmedChannel implements AutoCloseable {
  private final Channel channel;
  private final NavigableMap<Long, Published> waiting = new ConcurrentSkipListMap<>();

  /** A message on its way. */
  private record Published(String tag, CompletableFuture<Void> taken) {}

  ConfirmedChannel(Connection connection) throws IOException {
    channel = connection.createChannel();
    channel.confirmSelect();
    channel.addConfirmListener(
        (sequence, multiple) -> settle(sequence, multiple, null),
        (sequence, multiple) ->
            settle(sequence, multiple, new IOException("the broker refused the message")));
    // A message without a queue comes back before it is confirmed.
    channel.addReturnListener(
        returned ->
            fail(
                String.valueOf(returned.getProperties().getMessageId()),
                new IOException(
                    "the broker has no queue for '"
                        + returned.getRoutingKey()
                        + "' (expected: declared before jobs are sent)")));
    channel.addShutdownListener(
        cause -> {
          // What was on its way when the channel ended may have arrived or not.
          waiting.values().forEach(each -> each.taken().completeExceptionally(cause));
          waiting.clear();
        });
  }

  CompletableFuture<Void> publish(String queue, AMQP.BasicProperties properties, byte[] body) {
    CompletableFuture<Void> taken = new CompletableFuture<>();
    synchronized (channel) {
      long sequence = channel.getNextPublishSeqNo();
      waiting.put(sequence, new Published(String.valueOf(properties.getMessageId()), taken));
      try {
        channel.basicPublish("", queue, true, properties, body);
      } catch (IOException | RuntimeException e) {
        waiting.remove(sequence);
        taken.completeExceptionally(e);
      }
    }
    return taken;
  }

  void declare(String queue, Map<String, Object> arguments) throws IOException {
    synchronized (channel) {
      channel.queueDeclare(queue, true, false, false, arguments);
    }
  }

  private void settle(long sequence, boolean multiple, @Nullable Throwable failure) {
    NavigableMap<Long, Published> settled =
        multiple ? waiting.headMap(sequence, true) : waiting.subMap(sequence, true, sequence, true);
    for (Published each : settled.values()) {
      if (failure == null) {
        each.taken().complete(null);
      } else {
        each.taken().completeExceptionally(failure);
      }
    }
    settled.clear();
  }

  private void fail(String tag, Throwable failure) {
    waiting.values().stream()
        .filter(each -> each.tag().equals(tag))
        .forEach(each -> each.taken().completeExceptionally(failure));
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } catch (java.util.concurrent.TimeoutException | com.rabbitmq.client.AlreadyClosedException e) {
      // It is gone, which is what was wanted.
    }
  }
}
