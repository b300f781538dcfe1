package dev.leeway.gate;

/** Foreign text made fit for an error message: short, on one line, without control characters. */
final class Excerpt {
  private static final int MAX_LENGTH = 60;

  private Excerpt() {}

  /** The start of {@code text}. */
  static String of(String text) {
    return around(text, 0);
  }

  /** The part of {@code text} that surrounds the character at {@code index}. */
  static String around(String text, int index) {
    int from = Math.max(0, Math.min(index - MAX_LENGTH / 2, text.length() - MAX_LENGTH));
    int to = Math.min(text.length(), from + MAX_LENGTH);
    StringBuilder excerpt = new StringBuilder(MAX_LENGTH + 6);
    if (from > 0) {
      excerpt.append("...");
    }
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      excerpt.append(c == '\n' || c == '\r' || c == '\t' ? ' ' : c < ' ' || c > '~' ? '?' : c);
    }
    if (to < text.length()) {
      excerpt.append("...");
    }
    return excerpt.toString();
  }
}
