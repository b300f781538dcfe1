package dev.leeway.queue.jms;

import dev.leeway.queue.Job;
import dev.leeway.queue.JobEnvelope;
import dev.leeway.queue.SentJob;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Our headers among the properties of a message. A property's name must be a Java identifier, so
 * each hyphen becomes an underscore: {@code leeway_position}.
 */
final class JmsHeaders {
  static final String KEY = "leeway_key";

  private JmsHeaders() {}

  static String property(String header) {
    return header.replace('-', '_');
  }

  static @Nullable String text(Message message, String header) {
    try {
      return message.getStringProperty(property(header));
    } catch (JMSException | RuntimeException e) {
      return null;
    }
  }

  static BytesMessage message(Session session, SentJob job, Map<String, String> more)
      throws JMSException {
    BytesMessage message = session.createBytesMessage();
    message.writeBytes(job.job().payload());
    for (Map.Entry<String, String> header : job.headers().entrySet()) {
      message.setStringProperty(property(header.getKey()), header.getValue());
    }
    for (Map.Entry<String, String> header : more.entrySet()) {
      message.setStringProperty(property(header.getKey()), header.getValue());
    }
    if (job.job().key() != null) {
      message.setStringProperty(KEY, job.job().key());
      // Messages of one group go to one consumer, which is all the order that JMS knows.
      message.setStringProperty("JMSXGroupID", job.job().key());
    }
    return message;
  }

  static SentJob job(String type, Message message) throws JMSException {
    JobEnvelope envelope = JobEnvelope.read(header -> text(message, header));
    String id = text(message, SentJob.ID);
    String key = text(message, KEY);
    Job job =
        new Job(
            type,
            key == null || key.length() > Job.MAX_NAME_LENGTH ? null : key,
            payload(message),
            envelope.asked());
    return new SentJob(job, id == null ? String.valueOf(message.getJMSMessageID()) : id, envelope);
  }

  private static byte[] payload(Message message) throws JMSException {
    if (message instanceof BytesMessage bytes) {
      bytes.reset();
      byte[] payload = new byte[Math.toIntExact(bytes.getBodyLength())];
      bytes.readBytes(payload);
      return payload;
    }
    if (message instanceof TextMessage text && text.getText() != null) {
      return text.getText().getBytes(StandardCharsets.UTF_8);
    }
    return new byte[0];
  }
}
