package dev.leeway.queue;

import java.time.Duration;

/** Told of what happens to jobs at a worker. Must not block or throw. */
public interface JobListener {
  /** Nobody listens. */
  JobListener NONE = new JobListener() {};

  /** It was decided where the job may read; more than once for a job that is put back. */
  default void admitted(SentJob job, Admission admission) {}

  /** The job did its work. */
  default void done(SentJob job, Admission admission) {}

  /** The job was put back. */
  default void putBack(SentJob job, Duration delay, String why) {}

  /** The job failed. */
  default void failed(SentJob job, Throwable failure) {}
}
