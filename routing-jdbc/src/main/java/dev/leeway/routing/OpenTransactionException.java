package dev.leeway.routing;

/**
 * The write position was asked for while a transaction is open on the thread: what the transaction
 * writes has no position before it is committed, and may never have one.
 */
public final class OpenTransactionException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  OpenTransactionException(String message) {
    super(message);
  }
}
