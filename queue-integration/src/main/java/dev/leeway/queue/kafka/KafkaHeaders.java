package dev.leeway.queue.kafka;

import dev.leeway.queue.JobEnvelope;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** Our headers among those of a record. */
final class KafkaHeaders {
  private KafkaHeaders() {}

  static void write(Map<String, String> ours, Headers to) {
    ours.forEach(
        (name, value) -> {
          to.remove(name);
          to.add(name, value.getBytes(StandardCharsets.UTF_8));
        });
  }

  static @Nullable String text(Headers from, String name) {
    Header header = from.lastHeader(name);
    return header == null || header.value() == null
        ? null
        : new String(header.value(), StandardCharsets.UTF_8);
  }

  static JobEnvelope envelope(Headers from) {
    return JobEnvelope.read(name -> text(from, name));
  }
}
