package dev.leeway.queue.rabbitmq;

import com.rabbitmq.client.AMQP;
import dev.leeway.queue.JobEnvelope;
import dev.leeway.queue.SentJob;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Our headers among those of a message. */
final class RabbitHeaders {
  private static final int PERSISTENT = 2;

  private RabbitHeaders() {}

  static @Nullable String text(AMQP.BasicProperties properties, String name) {
    Map<String, Object> headers = properties.getHeaders();
    Object value = headers == null ? null : headers.get(name);
    return value == null ? null : value.toString();
  }

  static int number(AMQP.BasicProperties properties, String name) {
    String text = text(properties, name);
    return text != null && text.matches("\\d{1,6}") ? Integer.parseInt(text) : 0;
  }

  static JobEnvelope envelope(AMQP.BasicProperties properties) {
    return JobEnvelope.read(name -> text(properties, name));
  }

  static AMQP.BasicProperties properties(SentJob job) {
    return with(new AMQP.BasicProperties(), job, Map.of());
  }

  /** The properties of a message that is sent on, with some headers more. */
  static AMQP.BasicProperties with(
      AMQP.BasicProperties known, SentJob job, Map<String, String> more) {
    Map<String, Object> headers = new HashMap<>();
    if (known.getHeaders() != null) {
      headers.putAll(known.getHeaders());
    }
    headers.remove(JobEnvelope.POSITION);
    headers.remove(JobEnvelope.DISPATCHED_AT);
    headers.remove(JobEnvelope.CLUSTER);
    headers.putAll(job.headers());
    headers.putAll(more);
    return known
        .builder()
        .headers(headers)
        .messageId(job.id())
        .deliveryMode(PERSISTENT)
        .expiration(null)
        .build();
  }
}
