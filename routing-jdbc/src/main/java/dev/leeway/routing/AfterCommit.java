package dev.leeway.routing;

import dev.leeway.gate.WritePosition;

/**
 * What is to be done after a commit, and only after it: sending a message, starting a job.
 *
 * <p>Exactly one of the two methods is called, once, on the thread that ends the transaction. What
 * they throw is logged and goes no further: the transaction has ended by then, and its caller must
 * not take that for a failure of it.
 */
@FunctionalInterface
public interface AfterCommit {
  /**
   * The transaction was committed.
   *
   * @param position what the scope has written up to and including this commit; incomplete if the
   *     GTID of some of it is not known
   */
  void committed(WritePosition position);

  /**
   * The transaction was not committed, or nobody knows whether it was.
   *
   * @param why a sentence's end, such as "it was rolled back"
   */
  default void dropped(String why) {}
}
