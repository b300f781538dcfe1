package dev.leeway.benchmarks.fork;

/** One side of a comparison. Made anew in each forked JVM; needs a public constructor. */
public interface Workload extends AutoCloseable {
  /**
   * Runs the operation repeatedly on the calling thread.
   *
   * @return a value that depends on every operation, so that none can be optimised away
   */
  long run(int operations) throws Exception;
}
