package dev.leeway.gate;

/**
 * Something about a server that an operator should know, named for what it is.
 *
 * <p>A finding describes; {@link MonitorSettings#refuse} decides which of them keep a replica from
 * serving. Those about replication and about being writable are made of replicas only.
 */
public enum Finding {
  /** It replicates from nobody: no replication channel is configured. */
  DETACHED("it replicates from nobody"),
  /** The thread that receives from the source is not connected. */
  RECEIVER_STOPPED("its receiver thread is not connected to the source"),
  /** A thread that applies what was received is stopped. */
  APPLIER_STOPPED("its applier thread is stopped"),
  /**
   * Another server answers at this address than before, and has not been proved since. Goes away
   * when the new server has been measured often enough to serve.
   */
  UUID_CHANGED("another server answers at its address than before"),
  /** The same server answers under the name of another configured server as well. */
  SAME_SERVER_TWICE("the same server is configured under another name as well"),
  /** It has executed transactions that the primary lacks. */
  ERRANT_TRANSACTIONS("it has executed transactions that the primary lacks"),
  /** It is not {@code super_read_only}: somebody could write on it. */
  WRITABLE("it is not super_read_only"),
  /** Its clock and the primary's differ by more than a second. No decision depends on it. */
  CLOCK_SKEWED("its clock differs from the primary's"),
  /** A heartbeat table is configured, but it or the primary's row in it cannot be read here. */
  HEARTBEAT_MISSING("the heartbeat cannot be read on it"),
  /** The state of replication cannot be read here: the account lacks a privilege. */
  REPLICATION_UNREADABLE("the state of its replication cannot be read"),
  /**
   * It applies in parallel without keeping the commit order, so a heartbeat proves nothing here.
   */
  COMMIT_ORDER_NOT_KEPT("it applies transactions out of order"),
  /** {@code gtid_mode} is off: positions prove nothing here. */
  GTIDS_OFF("its transactions have no GTIDs");

  private final String sentence;

  Finding(String sentence) {
    this.sentence = sentence;
  }

  /**
   * What was found, as a clause to be put behind a server's name; the same text in every message.
   */
  public String sentence() {
    return sentence;
  }
}
