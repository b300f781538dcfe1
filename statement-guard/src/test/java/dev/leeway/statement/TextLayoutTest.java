package dev.leeway.statement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.statement.Lexer.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What must not matter: blanks, comments, letter case. And what must: everything else. */
class TextLayoutTest {
  private static final String[] SEPARATORS = {
    " ",
    "\n",
    "\t\r\n",
    "/**/",
    "/* FOR UPDATE */",
    " -- next_no()\n",
    "#'\n",
    "\u000b\f",
    "/*\"*/ "
  };

  private final StatementGuard guard = StatementGuard.create();

  @Test
  void blanksAndCommentsBetweenTokensDoNotMatter() {
    Random random = new Random(1);
    for (String sql : texts()) {
      StatementKind kind = guard.classify(sql);
      for (int i = 0; i < 20; i++) {
        String other = withOtherSeparators(sql, random);
        assertThat(guard.classify(other)).as("%s%nfrom %s", other, sql).isEqualTo(kind);
      }
    }
  }

  @Test
  void letterCaseDoesNotMatter() {
    Random random = new Random(2);
    for (String sql : texts()) {
      StatementKind kind = guard.classify(sql);
      for (int i = 0; i < 10; i++) {
        String other = withOtherCase(sql, random);
        assertThat(guard.classify(other)).as(other).isEqualTo(kind);
      }
    }
  }

  @Test
  void aTextThatEndsInsideAStringANameOrACommentIsUnknown() {
    for (String sql : texts()) {
      for (int end : tokenStarts(sql)) {
        for (String open : new String[] {"'x", "\"x", "`x", "/* x", "/*! 1", "/*!50000 1", "@'x"}) {
          String cut = sql.substring(0, end) + "/**/" + open;
          assertThat(guard.classify(cut)).as(cut).isEqualTo(StatementKind.UNKNOWN);
        }
      }
    }
  }

  @Test
  void aTextThatIsCutOffAnywhereIsNeverMoreHarmlessThanItsTokens() {
    for (String sql : Corpus.allOtherReads()) {
      for (int end = 0; end < sql.length(); end++) {
        String cut = sql.substring(0, end);
        if (endsInsideQuotesOrComment(cut)) {
          assertThat(guard.classify(cut)).as(cut).isEqualTo(StatementKind.UNKNOWN);
        }
      }
    }
  }

  @Test
  void noTextMakesTheReadersFailOrDisagree() {
    Random random = new Random(3);
    String marks = "'\"`/*!-#@:=?.;(){}\\$\n\u0000 0123456789eExXbBabcFORUPDATE\u00a0é名";
    for (int i = 0; i < 50_000; i++) {
      StringBuilder garbage = new StringBuilder(random.nextBoolean() ? "SELECT " : "");
      int length = random.nextInt(40);
      for (int j = 0; j < length; j++) {
        garbage.append(marks.charAt(random.nextInt(marks.length())));
      }
      String sql = garbage.toString();
      StatementKind kind = guard.classify(sql);
      assertThat(guard.analyze(sql).kind()).as(sql).isEqualTo(kind);
      assertThat(guard.analyze(sql).reason()).startsWith(kind.name());
    }
  }

  @Test
  void partsOfTextsPutTogetherMakeNoReaderFail() {
    Random random = new Random(4);
    List<String> texts = texts();
    for (int i = 0; i < 50_000; i++) {
      StringBuilder mixed = new StringBuilder();
      for (int j = 0; j < 3; j++) {
        String part = texts.get(random.nextInt(texts.size()));
        int from = random.nextInt(part.length());
        mixed.append(part, from, from + random.nextInt(part.length() - from) + 1);
      }
      String sql = mixed.toString();
      assertThat(guard.analyze(sql).kind()).as(sql).isEqualTo(guard.classify(sql));
    }
  }

  private static List<String> texts() {
    return Stream.concat(Corpus.allPlainReads().stream(), Corpus.allOtherReads().stream())
        .filter(sql -> !sql.contains("/*!"))
        .toList();
  }

  private static String withOtherSeparators(String sql, Random random) {
    Lexer lexer = new Lexer(false, true);
    lexer.begin(sql, false);
    lexer.next();
    StringBuilder other = new StringBuilder(separator(random));
    int end = 0;
    while (lexer.token != Token.END) {
      boolean blankBefore = lexer.start > end;
      if (blankBefore || (mayBeSeparated(sql, lexer) && random.nextInt(3) == 0)) {
        other.append(separator(random));
      }
      other.append(sql, lexer.start, lexer.end);
      end = lexer.end;
      lexer.next();
    }
    return other.append(separator(random)).toString();
  }

  /** A dot makes a name of the word or the digits right behind it, if a name is right before it. */
  private static boolean mayBeSeparated(String sql, Lexer lexer) {
    boolean dotBeforeDigit =
        lexer.isSymbol('.') && lexer.end < sql.length() && Character.isDigit(sql.charAt(lexer.end));
    return !lexer.afterDot && !dotBeforeDigit;
  }

  private static String separator(Random random) {
    return SEPARATORS[random.nextInt(SEPARATORS.length)];
  }

  private static String withOtherCase(String sql, Random random) {
    StringBuilder other = new StringBuilder(sql);
    for (int i = 0; i < sql.length(); i++) {
      char c = sql.charAt(i);
      if (c < 0x80 && random.nextBoolean()) {
        other.setCharAt(
            i, Character.isUpperCase(c) ? Character.toLowerCase(c) : Character.toUpperCase(c));
      }
    }
    return other.toString();
  }

  private static List<Integer> tokenStarts(String sql) {
    List<Integer> starts = new ArrayList<>();
    Lexer lexer = new Lexer(false, true);
    lexer.begin(sql, false);
    lexer.next();
    while (lexer.token != Token.END) {
      starts.add(lexer.start);
      lexer.next();
    }
    return starts;
  }

  /** A second, slower reading of the rules for quotes and comments. */
  private static boolean endsInsideQuotesOrComment(String sql) {
    String rest = sql;
    while (!rest.isEmpty()) {
      char c = rest.charAt(0);
      if (c == '\'' || c == '"' || c == '`') {
        int i = 1;
        while (i < rest.length() && rest.charAt(i) != c) {
          i += rest.charAt(i) == '\\' && c != '`' ? 2 : 1;
        }
        if (i >= rest.length()) {
          return true;
        }
        rest = rest.substring(i + 1);
      } else if (rest.startsWith("/*")) {
        int close = rest.indexOf("*/", 2);
        if (close < 0) {
          return true;
        }
        rest = rest.substring(close + 2);
      } else if (c == '#' || rest.matches("(?s)--(\\s.*|$)")) {
        int line = rest.indexOf('\n');
        rest = line < 0 ? "" : rest.substring(line);
      } else {
        rest = rest.substring(1);
      }
    }
    return false;
  }
}
