package dev.leeway.queue;

/**
 * Thrown by a job that does not find the row it is about.
 *
 * <p>If the job was reading a replica, it is run again on the primary at once. If the row is not
 * there either, it is not committed yet: the job is put back, each time for longer, and after a
 * bounded number of times it fails with a {@link NeverVisibleException}.
 */
public class NotYetVisibleException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * @param what what was looked for, such as {@code order 42}
   */
  public NotYetVisibleException(String what) {
    super(what + " is not visible yet (expected: committed by whoever sent the job)");
  }
}
