package dev.leeway.gate;

import java.io.Serial;

/**
 * A text that was given as a position is none. Trying again cannot help; what must be current is to
 * be read on the primary.
 */
public final class MalformedPositionException extends IllegalArgumentException {
  @Serial private static final long serialVersionUID = 1L;

  MalformedPositionException(String message) {
    super(message);
  }

  MalformedPositionException(String message, IllegalArgumentException cause) {
    super(message, cause);
  }
}
