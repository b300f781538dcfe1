package dev.leeway.queue;

import java.util.concurrent.CompletionStage;

/** Takes jobs to where their workers find them. Safe for any number of threads. */
@FunctionalInterface
public interface JobCarrier {
  /**
   * Sends a job with its headers.
   *
   * @return completes when the broker has taken it over, exceptionally if it has not or if that is
   *     not known
   */
  CompletionStage<Void> send(SentJob job);
}
