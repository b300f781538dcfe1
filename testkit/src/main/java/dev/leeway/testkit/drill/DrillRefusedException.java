package dev.leeway.testkit.drill;

/**
 * A drill that could show nothing: it would have reported success whatever the code under test
 * does.
 */
public final class DrillRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DrillRefusedException(String message) {
    super(message);
  }
}
