package dev.leeway.statement;

/** Names as a text has them: with or without quotes, and with letters of either case. */
final class Names {
  private Names() {}

  static boolean isQuote(char c) {
    return c == '`' || c == '"';
  }

  /** Whether the text has these characters here; the case of ASCII letters does not matter. */
  static boolean matches(String text, int start, int end, String word) {
    return matches(text, start, end, word, 0, word.length());
  }

  /** Like {@link #matches}, with the quotes around a name left out. */
  static boolean same(String text, int start, int end, String name) {
    return same(text, start, end, name, 0, name.length());
  }

  /** Like {@link #same}, for a part of {@code name}. */
  static boolean same(String text, int start, int end, String name, int from, int to) {
    boolean quoted = end - start >= 2 && isQuote(text.charAt(start));
    return quoted
        ? matches(text, start + 1, end - 1, name, from, to)
        : matches(text, start, end, name, from, to);
  }

  /** The name that stands here, without quotes around it. */
  static String unquoted(String text, int start, int end) {
    char quote = text.charAt(start);
    if (!isQuote(quote)) {
      return text.substring(start, end);
    }
    String mark = String.valueOf(quote);
    return text.substring(start + 1, end - 1).replace(mark + mark, mark);
  }

  /**
   * Folds ASCII letters only: Java would take the Kelvin sign for a K, and a server its keyword for
   * none.
   */
  static char capital(char c) {
    return c >= 'a' && c <= 'z' ? (char) (c - ('a' - 'A')) : c;
  }

  private static boolean matches(String text, int start, int end, String word, int from, int to) {
    if (end - start != to - from) {
      return false;
    }
    for (int i = 0; i < to - from; i++) {
      if (capital(text.charAt(start + i)) != capital(word.charAt(from + i))) {
        return false;
      }
    }
    return true;
  }
}
