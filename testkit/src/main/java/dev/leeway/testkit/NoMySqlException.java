package dev.leeway.testkit;

/** No way to a MySQL server works on this machine; the message lists each way and why it failed. */
public final class NoMySqlException extends ClusterException {
  private static final long serialVersionUID = 1L;

  NoMySqlException(String message) {
    super(message);
  }
}
