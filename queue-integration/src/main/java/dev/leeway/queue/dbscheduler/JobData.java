package dev.leeway.queue.dbscheduler;

import dev.leeway.queue.Consistency;
import dev.leeway.queue.Job;
import dev.leeway.queue.JobEnvelope;
import dev.leeway.queue.SentJob;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What lies in the table for a job: its payload, its headers and its id. Immutable. */
public final class JobData implements Serializable {
  private static final long serialVersionUID = 1;

  private final byte[] payload;
  private final @Nullable String key;
  private final String id;
  private final boolean inTransaction;
  private final HashMap<String, String> headers;

  private JobData(
      byte[] payload,
      @Nullable String key,
      String id,
      boolean inTransaction,
      Map<String, String> headers) {
    this.payload = payload.clone();
    this.key = key;
    this.id = id;
    this.inTransaction = inTransaction;
    this.headers = new HashMap<>(headers);
  }

  /** A job with its envelope. */
  static JobData of(SentJob job) {
    return new JobData(
        job.job().payload(), job.job().key(), job.id(), false, job.envelope().headers());
  }

  /** A job with exactly these headers. */
  static JobData of(Job job, String id, Map<String, String> headers) {
    return new JobData(job.payload(), job.key(), id, false, headers);
  }

  /** A job that is committed with what it is about. */
  static JobData inTransaction(Job job, String id, JobEnvelope envelope) {
    return new JobData(job.payload(), job.key(), id, true, envelope.headers());
  }

  /** The same job with another envelope. */
  JobData with(JobEnvelope envelope) {
    return new JobData(payload, key, id, inTransaction, envelope.headers());
  }

  /** The job, of this type. */
  SentJob job(String type) {
    JobEnvelope envelope = JobEnvelope.read(headers::get);
    Consistency asked = envelope.asked();
    return new SentJob(new Job(type, key, payload, asked), id, envelope);
  }

  String id() {
    return id;
  }

  /** Whether the row was committed with what the job is about. */
  boolean isInTransaction() {
    return inTransaction;
  }
}
