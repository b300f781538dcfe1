package dev.leeway.proxy.frontend;

/**
 * Which character sets a text can be read in without knowing them: those in which no byte of a
 * character looks like a quote, a backslash or another sign of SQL.
 */
final class Collations {
  private Collations() {}

  /**
   * Whether a session that logged in with this collation sends such texts: utf8mb4, utf8mb3,
   * latin1, ascii or binary, by their numbers.
   */
  static boolean areReadable(int collation) {
    return switch (collation) {
      case 5, 8, 15, 31, 47, 48, 49, 94 -> true;
      case 11, 63, 65 -> true;
      case 33, 45, 46, 76, 83, 223 -> true;
      default -> (collation >= 192 && collation <= 247) || (collation >= 255 && collation <= 323);
    };
  }
}
