package dev.leeway.gate;

import org.jspecify.annotations.Nullable;

/**
 * Reads the text of a GTID set by the server's own grammar, as tried on MySQL 9.7:
 *
 * <pre>
 *   set      = member { "," member }
 *   member   = [ uuid { ":" item } ]
 *   uuid     = 32 hex digits, or 8-4-4-4-12 hex digits, the latter also in braces
 *   item     = tag | number [ "-" number ]
 *   tag      = letter or "_", then up to 31 letters, digits or "_"
 * </pre>
 *
 * <p>Blanks, tabs and line breaks may stand between any two of these pieces, but not inside a UUID,
 * a tag or a number. A tag stays in force for the following numbers of its member. A member or a
 * tag without numbers holds nothing.
 */
final class GtidSetParser {
  private static final int[] UUID_PARTS = {8, 4, 4, 4, 12};
  private static final int UUID_DIGITS = 32;

  private final String text;
  private final GtidSetCollector collector = new GtidSetCollector();
  private int at;
  private long high;
  private long low;
  private String tag = "";
  private GtidSetCollector.@Nullable Intervals intervals;

  GtidSetParser(String text) {
    this.text = text;
  }

  GtidSet parse() {
    if (text.length() > GtidSet.MAX_TEXT_LENGTH) {
      throw new IllegalArgumentException(
          "GTID set - text of "
              + text.length()
              + " characters (expected: at most "
              + GtidSet.MAX_TEXT_LENGTH
              + ")");
    }
    do {
      skipBlanks();
      if (at < text.length() && peek() != ',') {
        member();
      }
    } while (skip(','));
    if (at < text.length()) {
      throw unexpected("',' or ':' or the end", at);
    }
    return collector.collect();
  }

  private void member() {
    uuid();
    skipBlanks();
    tag = "";
    intervals = null;
    while (skip(':')) {
      skipBlanks();
      if (at < text.length() && GtidTag.isStart(peek())) {
        tag = tag();
        intervals = null;
        skipBlanks();
      } else {
        interval();
      }
    }
  }

  private void uuid() {
    boolean braces = skip('{');
    high = 0;
    low = 0;
    int start = at;
    int digits = hexDigits(0, UUID_PARTS[0]);
    if (!braces && at < text.length() && peek() != '-') {
      digits = hexDigits(digits, UUID_DIGITS);
    } else {
      for (int part = 1; part < UUID_PARTS.length; part++) {
        if (!skip('-')) {
          throw unexpected("a UUID such as 3e11fa47-71ca-11e1-9e33-c80aa9429562", start);
        }
        digits = hexDigits(digits, digits + UUID_PARTS[part]);
      }
    }
    if (braces && !skip('}')) {
      throw unexpected("a closing brace after the UUID", at);
    }
  }

  private int hexDigits(int from, int to) {
    for (int digit = from; digit < to; digit++) {
      int value = at < text.length() ? hexValue(peek()) : -1;
      if (value < 0) {
        throw unexpected("a hex digit of a UUID", at);
      }
      if (digit < UUID_DIGITS / 2) {
        high = high << 4 | value;
      } else {
        low = low << 4 | value;
      }
      at++;
    }
    return to;
  }

  /** Not {@link Character#digit}, which also knows the digits of other scripts. */
  private static int hexValue(char c) {
    if (c >= '0' && c <= '9') {
      return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
      return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  }

  private String tag() {
    int start = at;
    while (at < text.length() && GtidTag.isPart(peek())) {
      at++;
    }
    if (at - start > GtidTag.MAX_LENGTH) {
      throw unexpected("a tag of at most " + GtidTag.MAX_LENGTH + " characters", start);
    }
    return GtidTag.normalized(text.substring(start, at));
  }

  private void interval() {
    long from = number(1);
    long to = from;
    skipBlanks();
    if (skip('-')) {
      skipBlanks();
      to = number(0);
      skipBlanks();
    }
    if (to < from) {
      return;
    }
    // Only now, so that a text of nothing but empty pieces does not take any memory.
    if (intervals == null) {
      intervals = collector.group(high, low, tag);
    }
    intervals.add(from, to);
  }

  private long number(long least) {
    int start = at;
    long number = 0;
    while (at < text.length() && peek() >= '0' && peek() <= '9') {
      int digit = peek() - '0';
      if (number > (Gtid.MAX_NUMBER - digit) / 10) {
        throw unexpected("a number of at most " + Gtid.MAX_NUMBER, start);
      }
      number = number * 10 + digit;
      at++;
    }
    if (at == start) {
      throw unexpected("a number or a tag", start);
    }
    if (number < least) {
      throw unexpected("a number of at least " + least, start);
    }
    return number;
  }

  private void skipBlanks() {
    while (at < text.length() && (peek() == ' ' || (peek() >= '\t' && peek() <= '\r'))) {
      at++;
    }
  }

  private boolean skip(char wanted) {
    if (at < text.length() && peek() == wanted) {
      at++;
      return true;
    }
    return false;
  }

  private char peek() {
    return text.charAt(at);
  }

  private IllegalArgumentException unexpected(String expected, int position) {
    String found =
        position >= text.length()
            ? "the end of the text"
            : "'" + Excerpt.of(text.substring(position, endOfPiece(position))) + "'";
    return new IllegalArgumentException(
        "GTID set - "
            + found
            + " at character "
            + (position + 1)
            + " (expected: "
            + expected
            + ") in '"
            + Excerpt.around(text, position)
            + "'");
  }

  /** The end of the word that starts here, or of the single character if none does. */
  private int endOfPiece(int position) {
    int end = position;
    while (end < text.length()
        && (Character.isLetterOrDigit(text.charAt(end)) || text.charAt(end) == '_')) {
      end++;
    }
    return Math.max(end, position + 1);
  }
}
