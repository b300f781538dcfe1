package dev.leeway.queue;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A job on its way, with what travels beside it.
 *
 * @param id the same in every copy of the job, so that a handler can tell a duplicate
 */
public record SentJob(Job job, String id, JobEnvelope envelope) {
  /** The name of the header with the id. */
  public static final String ID = "leeway-job-id";

  /** Checks that nothing is missing. */
  public SentJob {
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(envelope, "envelope");
  }

  /** All headers, by name. */
  public Map<String, String> headers() {
    Map<String, String> headers = new LinkedHashMap<>(envelope.headers());
    headers.put(ID, id);
    return headers;
  }

  /** The same job with another envelope. */
  public SentJob with(JobEnvelope other) {
    return new SentJob(job, id, other);
  }
}
