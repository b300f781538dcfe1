package dev.leeway.queue;

/** A job did not leave, because the transaction it belongs to was not committed. */
public class JobNotSentException extends RuntimeException {
  private static final long serialVersionUID = 1;

  JobNotSentException(String message) {
    super(message);
  }
}
