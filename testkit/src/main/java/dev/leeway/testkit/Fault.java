package dev.leeway.testkit;

/**
 * Something that is wrong with a server on purpose, until it is closed.
 *
 * <p>Closing undoes the fault and is harmless a second time. Where several faults concern the same
 * thing, such as a delay, the latest that is still open counts, in whatever order they are closed.
 *
 * <p>Faults that are still open when {@link MySqlCluster#undoFaults()} is called are undone there,
 * the latest first; the JUnit extension does so after each test.
 */
public interface Fault extends AutoCloseable {

  /** What is wrong and where, in words, for example {@code replica-1: applier paused}. */
  String description();

  /**
   * Undoes the fault.
   *
   * @throws ClusterException if it could not be undone
   */
  @Override
  void close();
}
