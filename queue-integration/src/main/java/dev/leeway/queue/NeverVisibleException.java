package dev.leeway.queue;

/** A job has looked for its row on the primary as often as allowed, and has never found it. */
public class NeverVisibleException extends RuntimeException {
  private static final long serialVersionUID = 1;

  NeverVisibleException(String message, NotYetVisibleException last) {
    super(message, last);
  }
}
