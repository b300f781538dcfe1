package dev.leeway.gate;

import java.util.Objects;

/**
 * Which replication topology a position belongs to, and since which change of primary.
 *
 * @param name the name the application gave the topology: 1 to {@value #MAX_NAME_LENGTH} visible
 *     ASCII characters, no blanks
 * @param epoch how many changes of primary were seen, zero or more. Positions of another epoch stay
 *     comparable, because GTIDs do; the epoch tells which of two views is newer
 */
public record ClusterId(String name, long epoch) {

  /** The longest name, in characters. */
  public static final int MAX_NAME_LENGTH = 64;

  /**
   * Checks both parts.
   *
   * @throws IllegalArgumentException if the name or the epoch is outside its range
   */
  public ClusterId {
    Objects.requireNonNull(name, "name");
    if (name.isEmpty() || name.length() > MAX_NAME_LENGTH || !isVisibleAscii(name)) {
      throw new IllegalArgumentException(
          "Cluster id - name '"
              + Excerpt.of(name)
              + "' of "
              + name.length()
              + " characters (expected: 1 to "
              + MAX_NAME_LENGTH
              + " visible ASCII characters without blanks)");
    }
    if (epoch < 0) {
      throw new IllegalArgumentException(
          "Cluster id - epoch " + epoch + " of '" + name + "' (expected: zero or more)");
    }
  }

  private static boolean isVisibleAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) <= ' ' || text.charAt(i) > '~') {
        return false;
      }
    }
    return true;
  }

  /** The name, and the epoch after an {@code @}. */
  @Override
  public String toString() {
    return name + "@" + epoch;
  }
}
