package dev.leeway.queue;

/**
 * Does the work of one kind of job. Called by several threads at once.
 *
 * <p>Runs inside a request scope of its own, which shows at least what the dispatcher had written.
 * {@link JobConsistency} on the class or on {@code handle} says what to do about replicas that lack
 * it.
 */
@FunctionalInterface
public interface JobHandler {
  /**
   * Does the work. May be called again for the same job, on the same delivery too.
   *
   * @throws NotYetVisibleException if the row it is about is not there
   * @throws Exception for whatever else goes wrong; the broker's own rules for failures apply
   */
  void handle(SentJob job) throws Exception;
}
