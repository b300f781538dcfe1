package dev.leeway.statement;

/**
 * The name that is being read: one part, or several with dots between them, of which the last two
 * matter. Mutable, for one thread.
 */
final class DottedName {
  /** How many parts were read; 0 while no name is being read. */
  int parts;

  /** Where the last part stands. */
  int start;

  int end;

  /** Where the part before the last stands, if there are several. */
  int qualifierStart;

  int qualifierEnd;

  boolean quoted;

  /** What the last part means, if it is a word without quotes. */
  Word word = Word.NAME;

  void forget() {
    parts = 0;
  }

  void begin(Lexer lexer, Word meaning) {
    parts = 1;
    take(lexer, meaning);
  }

  void add(Lexer lexer, Word meaning) {
    qualifierStart = start;
    qualifierEnd = end;
    parts++;
    take(lexer, meaning);
  }

  private void take(Lexer lexer, Word meaning) {
    start = lexer.start;
    end = lexer.end;
    quoted = lexer.token == Lexer.Token.QUOTED_NAME;
    word = meaning;
  }

  /** Where the name begins, as far as it matters. */
  int from() {
    return parts > 1 ? qualifierStart : start;
  }

  /** The last two parts without quotes. */
  String unquoted(String text) {
    String last = Names.unquoted(text, start, end);
    return parts > 1 ? Names.unquoted(text, qualifierStart, qualifierEnd) + "." + last : last;
  }
}
