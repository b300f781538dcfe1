package dev.leeway.gate;

import java.util.Locale;

/** The rules for the tag in a GTID. */
final class GtidTag {
  static final int MAX_LENGTH = 32;

  private GtidTag() {}

  /**
   * The tag in lower case. The empty tag means untagged and is accepted.
   *
   * @throws IllegalArgumentException if MySQL would refuse it
   */
  static String normalized(String tag) {
    boolean lowerCase = true;
    boolean valid = tag.length() <= MAX_LENGTH && (tag.isEmpty() || isStart(tag.charAt(0)));
    for (int i = 0; valid && i < tag.length(); i++) {
      char c = tag.charAt(i);
      valid = isPart(c);
      lowerCase &= !(c >= 'A' && c <= 'Z');
    }
    if (!valid) {
      throw new IllegalArgumentException(
          "GTID - tag '"
              + Excerpt.of(tag)
              + "' (expected: up to "
              + MAX_LENGTH
              + " letters, digits or underscores, not starting with a digit)");
    }
    return lowerCase ? tag : tag.toLowerCase(Locale.ROOT);
  }

  static boolean isStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  static boolean isPart(char c) {
    return isStart(c) || (c >= '0' && c <= '9');
  }
}
