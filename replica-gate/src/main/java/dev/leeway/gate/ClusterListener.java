package dev.leeway.gate;

/**
 * Is told what changed in a cluster.
 *
 * <p>All calls come from one thread of the monitor's, one after the other, without a lock held. A
 * call that takes long delays later calls, never a measurement. What it throws is logged and
 * dropped.
 */
public interface ClusterListener {
  /** Ends the telling when closed. A call under way is not waited for. */
  interface Registration extends AutoCloseable {
    @Override
    void close();
  }

  /** A server's health or findings changed. Called for each server that changed. */
  default void serverChanged(ServerState before, ServerState after) {}

  /**
   * Another server is the primary now, or none is, or one is again.
   *
   * @param oldIndex the former primary, −1 if none was known
   * @param newIndex the present one, −1 if none is known
   * @param epoch the epoch that goes with the present one
   */
  default void primaryChanged(int oldIndex, int newIndex, long epoch) {}

  /**
   * A newer state was published. States that follow each other closely are told as one.
   *
   * @param state the newest
   */
  default void stateChanged(ClusterState state) {}
}
