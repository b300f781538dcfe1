package dev.leeway.statement;

/**
 * Cuts a text into the tokens that MySQL's own lexer would see, one at a time, without copying.
 *
 * <p>Follows the server in the places where a guess would hide a word: {@code 1.FOR} is a number
 * and a word, {@code t.for} a column, {@code 5--1} no comment, and the content of an executable
 * comment counts as if the marks were not there. Where the server's reading depends on something
 * unknown (its version, its character set), the token is {@link Token#BROKEN}.
 *
 * <p>Mutable, for one thread and one text at a time.
 */
final class Lexer {
  enum Token {
    /** The text is used up. */
    END,
    /** What cannot be read with certainty; nothing after it can be either. */
    BROKEN,
    /** An unquoted word. */
    WORD,
    /** A name in quotes. */
    QUOTED_NAME,
    STRING,
    NUMBER,
    /** A {@code ?}. */
    PARAMETER,
    USER_VARIABLE,
    /** Two at signs and a name, which is the variable's scope if a dot follows. */
    SYSTEM_VARIABLE,
    /** {@code :=}. */
    ASSIGNMENT,
    /** One character of punctuation, in {@link #symbol}. */
    SYMBOL
  }

  /** The oldest server Leeway serves; executable comments for it or older ones always count. */
  private static final int OLDEST_SERVER = 80_000;

  private static final int NO_VERSION = -1;

  private final boolean ansiQuotes;
  private final boolean backslashEscapes;

  private String text = "";
  private int position;
  private boolean inExecutableComment;
  private boolean skipNewerComments;

  /** The version that a comment for newer servers asks for, or {@link #NO_VERSION}. */
  private int newerVersion = NO_VERSION;

  private boolean severalNewerVersions;

  Token token = Token.END;
  Word word = Word.NAME;
  char symbol;
  int start;
  int end;

  /** Whether a dot stands right before the token, which makes any word a name. */
  boolean afterDot;

  Lexer(boolean ansiQuotes, boolean backslashEscapes) {
    this.ansiQuotes = ansiQuotes;
    this.backslashEscapes = backslashEscapes;
  }

  /**
   * Begins a text.
   *
   * @param skipNewerComments whether executable comments for servers newer than the oldest we serve
   *     are skipped, as an old server would, or read, as a new one would
   */
  void begin(String newText, boolean skipNewerComments) {
    this.text = newText;
    this.skipNewerComments = skipNewerComments;
    position = 0;
    inExecutableComment = false;
    newerVersion = NO_VERSION;
    severalNewerVersions = false;
    token = Token.END;
    afterDot = false;
  }

  /** Lets go of the text. */
  void release() {
    text = "";
  }

  String text() {
    return text;
  }

  /** Whether the text has a comment that some of the servers we serve would read and some skip. */
  boolean sawNewerComment() {
    return newerVersion != NO_VERSION;
  }

  /** Whether such comments ask for different versions, so that two readings do not cover all. */
  boolean sawSeveralNewerVersions() {
    return severalNewerVersions;
  }

  /** Whether the current token is this unquoted word, given in capitals. */
  boolean is(String capitals) {
    return token == Token.WORD && !afterDot && Names.matches(text, start, end, capitals);
  }

  boolean isSymbol(char wanted) {
    return token == Token.SYMBOL && symbol == wanted;
  }

  boolean isName() {
    return token == Token.WORD || token == Token.QUOTED_NAME;
  }

  /** Whether the token ends a statement: the end of the text, a semicolon, or broken text. */
  boolean isEnd() {
    return token == Token.END || token == Token.BROKEN || isSymbol(';');
  }

  /** Moves to the next token. At the end, and at broken text, it stays. */
  void next() {
    if (token == Token.BROKEN) {
      return;
    }
    boolean dotBefore = token == Token.SYMBOL && symbol == '.';
    int previousEnd = end;
    if (!skipBlanksAndComments()) {
      token = Token.BROKEN;
      start = Math.min(position, text.length());
      end = start;
      return;
    }
    start = position;
    afterDot = dotBefore && start == previousEnd && start > 0;
    if (start >= text.length()) {
      token = inExecutableComment ? Token.BROKEN : Token.END;
      end = start;
      return;
    }
    token = read(text.charAt(start));
    end = position;
  }

  private Token read(char c) {
    if (afterDot && isNamePart(c)) {
      position = endOfName(start);
      word = Word.NAME;
      return checkedName();
    }
    if (isDigit(c)) {
      return readNumber();
    }
    if (isNamePart(c)) {
      position = endOfName(start);
      word = Vocabulary.find(text, start, position);
      return checkedName();
    }
    return switch (c) {
      case '\'' -> readQuoted(c, Token.STRING, backslashEscapes);
      case '"' ->
          ansiQuotes
              ? readQuoted(c, Token.QUOTED_NAME, false)
              : readQuoted(c, Token.STRING, backslashEscapes);
      case '`' -> readQuoted(c, Token.QUOTED_NAME, false);
      case '@' -> readVariable();
      case '?' -> {
        position++;
        yield Token.PARAMETER;
      }
      case ':' -> readAssignment();
      case '.' -> readDot();
      case '(', ')', ',', ';', '+', '-', '*', '/', '%' -> readSymbol(c);
      case '=', '<', '>', '!', '~', '^', '&', '|', '{', '}' -> readSymbol(c);
      default -> Token.BROKEN;
    };
  }

  private Token readAssignment() {
    if (charAt(position + 1) != '=') {
      return Token.BROKEN;
    }
    position += 2;
    return Token.ASSIGNMENT;
  }

  private Token readDot() {
    if (isDigit(charAt(position + 1)) && !nameEndsHere()) {
      position = endOfFraction(position + 1);
      return Token.NUMBER;
    }
    return readSymbol('.');
  }

  private Token readSymbol(char c) {
    symbol = c;
    position++;
    return Token.SYMBOL;
  }

  /** Whether the dot at the current position directly follows an unquoted name. */
  private boolean nameEndsHere() {
    return start == end && start > 0 && token == Token.WORD;
  }

  /**
   * A dollar sign in front may open a dollar-quoted text on newer servers, and blanks and marks of
   * other alphabets are letters or blanks depending on the connection's character set.
   */
  private Token checkedName() {
    if (text.charAt(start) == '$') {
      return Token.BROKEN;
    }
    for (int i = start; i < position; i++) {
      char c = text.charAt(i);
      if (c >= 0x80 && isOdd(c)) {
        return Token.BROKEN;
      }
    }
    return Token.WORD;
  }

  private static boolean isOdd(char c) {
    int type = Character.getType(c);
    return Character.isSpaceChar(c)
        || type == Character.CONTROL
        || type == Character.FORMAT
        || type == Character.SURROGATE
        || type == Character.UNASSIGNED
        || c == 0xFFFD;
  }

  private Token readNumber() {
    int i = position;
    while (isDigit(charAt(i))) {
      i++;
    }
    char c = charAt(i);
    if (c == '.') {
      position = endOfFraction(i + 1);
      return Token.NUMBER;
    }
    if (c == 'e' || c == 'E') {
      int digits = i + 1;
      if (charAt(digits) == '+' || charAt(digits) == '-') {
        digits++;
      }
      if (isDigit(charAt(digits))) {
        position = endOfDigits(digits);
        return Token.NUMBER;
      }
    }
    int endOfName = endOfName(i);
    position = endOfName;
    if (endOfName == i) {
      return Token.NUMBER;
    }
    // A name may begin with digits. Hexadecimal and binary numbers are read as names too, which
    // does
    // no harm: neither may be followed by a parenthesis in a valid statement.
    word = Word.NAME;
    return checkedName();
  }

  private int endOfFraction(int from) {
    int i = endOfDigits(from);
    if (charAt(i) == 'e' || charAt(i) == 'E') {
      int digits = i + 1;
      if (charAt(digits) == '+' || charAt(digits) == '-') {
        digits++;
      }
      if (isDigit(charAt(digits))) {
        return endOfDigits(digits);
      }
    }
    return i;
  }

  private int endOfDigits(int from) {
    int i = from;
    while (isDigit(charAt(i))) {
      i++;
    }
    return i;
  }

  private int endOfName(int from) {
    int i = from;
    while (i < text.length() && isNamePart(text.charAt(i))) {
      i++;
    }
    return i;
  }

  private Token readQuoted(char quote, Token result, boolean escapes) {
    int after = afterQuoted(position, quote, escapes);
    if (after < 0) {
      return Token.BROKEN;
    }
    position = after;
    return result;
  }

  /** The position after the quoted piece that begins at {@code from}, or -1 if it does not end. */
  private int afterQuoted(int from, char quote, boolean escapes) {
    int i = from + 1;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c == quote) {
        if (charAt(i + 1) != quote) {
          return i + 1;
        }
        i += 2;
      } else if (c == '\\' && escapes) {
        i += 2;
      } else {
        // An old server that skips this comment would see its end inside the quotes.
        if (inExecutableComment && c == '*' && charAt(i + 1) == '/') {
          return -1;
        }
        i++;
      }
    }
    return -1;
  }

  private Token readVariable() {
    if (charAt(position + 1) == '@') {
      return readSystemVariable();
    }
    position++;
    char c = charAt(position);
    if (c == '\'' || c == '"' || c == '`') {
      return readQuoted(c, Token.USER_VARIABLE, c != '`' && backslashEscapes);
    }
    while (position < text.length()
        && (isNamePart(text.charAt(position)) || text.charAt(position) == '.')) {
      position++;
    }
    return Token.USER_VARIABLE;
  }

  private Token readSystemVariable() {
    position += 2;
    if (charAt(position) == '`') {
      return readQuoted('`', Token.SYSTEM_VARIABLE, false);
    }
    int endOfName = endOfName(position);
    if (endOfName == position) {
      return Token.BROKEN;
    }
    position = endOfName;
    return Token.SYSTEM_VARIABLE;
  }

  /** Returns false where a comment does not end, or ends differently for different servers. */
  private boolean skipBlanksAndComments() {
    while (position < text.length()) {
      char c = text.charAt(position);
      if (isBlank(c)) {
        position++;
      } else if (c == '#' || (c == '-' && startsDashComment())) {
        if (!skipLine()) {
          return false;
        }
      } else if (c == '/' && charAt(position + 1) == '*') {
        if (!skipOrEnterComment()) {
          return false;
        }
      } else if (inExecutableComment && c == '*' && charAt(position + 1) == '/') {
        inExecutableComment = false;
        position += 2;
      } else {
        return true;
      }
    }
    return true;
  }

  private boolean startsDashComment() {
    if (charAt(position + 1) != '-') {
      return false;
    }
    int third = position + 2;
    return third >= text.length() || text.charAt(third) <= ' ' || text.charAt(third) == 0x7F;
  }

  private boolean skipLine() {
    while (position < text.length() && text.charAt(position) != '\n') {
      char c = text.charAt(position);
      // The server ends such a comment at a NUL, and an executable comment around it may end here.
      if (c == 0 || (inExecutableComment && c == '*' && charAt(position + 1) == '/')) {
        return false;
      }
      position++;
    }
    return true;
  }

  private boolean skipOrEnterComment() {
    char mark = charAt(position + 2);
    if (mark == '!') {
      return enterExecutableComment();
    }
    int close = text.indexOf("*/", position + 2);
    if (close < 0 || inExecutableComment) {
      // Inside an executable comment, a server that skips it and one that reads it may disagree
      // about which mark ends which comment.
      return false;
    }
    if ((mark == 'M' || mark == 'm') && charAt(position + 3) == '!') {
      return false;
    }
    if (mark == '+' && !quotesAreClosed(position + 3, close)) {
      return false;
    }
    position = close + 2;
    return true;
  }

  /** A quote in an optimizer hint may hide the mark that ends the comment. */
  private boolean quotesAreClosed(int from, int to) {
    int i = from;
    while (i < to) {
      char c = text.charAt(i);
      if (c == '\'' || c == '"' || c == '`') {
        int close = text.indexOf(c, i + 1);
        if (close < 0 || close >= to) {
          return false;
        }
        i = close;
      }
      i++;
    }
    return true;
  }

  private boolean enterExecutableComment() {
    if (inExecutableComment) {
      return false;
    }
    int digits = position + 3;
    int afterDigits = digits;
    while (afterDigits < digits + 6 && isDigit(charAt(afterDigits))) {
      afterDigits++;
    }
    int version = 0;
    if (afterDigits - digits >= 5) {
      for (int i = digits; i < afterDigits; i++) {
        version = version * 10 + (text.charAt(i) - '0');
      }
    } else {
      afterDigits = digits;
    }
    if (version > OLDEST_SERVER) {
      severalNewerVersions |= newerVersion != NO_VERSION && newerVersion != version;
      newerVersion = version;
      if (skipNewerComments) {
        int close = text.indexOf("*/", afterDigits);
        if (close < 0) {
          return false;
        }
        position = close + 2;
        return true;
      }
    }
    inExecutableComment = true;
    position = afterDigits;
    return true;
  }

  private char charAt(int index) {
    return index < text.length() ? text.charAt(index) : 0;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isBlank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
  }

  private static boolean isNamePart(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '_'
        || c == '$'
        || c >= 0x80;
  }
}
