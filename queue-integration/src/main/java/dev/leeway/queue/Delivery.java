package dev.leeway.queue;

import java.time.Duration;

/**
 * One job as an adapter has received it. Exactly one of {@link #done}, {@link #putBack} and {@link
 * #failed} is called, once, by any thread.
 */
public interface Delivery {
  /** The job. */
  SentJob job();

  /**
   * The job was admitted and is about to start.
   *
   * @return false if it stands for another job as well since it was asked for, so that what it must
   *     show has grown and has to be asked for anew
   */
  default boolean starts(SentJob admitted) {
    return true;
  }

  /** It was done. */
  void done();

  /**
   * It is to come again later. Where the broker allows, this is no failed attempt.
   *
   * @param next the envelope that it must come with
   * @param why what the put back is for, for logs
   */
  void putBack(JobEnvelope next, Duration delay, String why);

  /** It failed: the broker's own rules for failures apply. */
  void failed(Throwable failure);
}
