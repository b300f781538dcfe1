package dev.leeway.proxy.frontend;

import dev.leeway.statement.AnalyzedStatement;
import dev.leeway.statement.StatementKind;
import java.util.Locale;

/**
 * What a statement leaves on its connection, as far as sharing it is concerned.
 *
 * <p>Only what is positively known to leave nothing, or only what can be set again, is told so; a
 * doubt is {@link #PIN}.
 */
enum StatementEffect {
  /** Nothing but what the very next statement could ask about it. */
  NOTHING,
  /** Asks about the statement before it, and leaves that for further questions. */
  QUESTION,
  /** Changes data; triggers may have left anything, so nobody else gets the connection as it is. */
  TRACE,
  /** A setting that any connection can be given by the same text. */
  SETTING,
  /** The same, and it chooses the schema. */
  SCHEMA,
  /** Something that no other connection can be given. */
  PIN;

  /** Words with which a statement that the guard calls a write leaves nothing of the session's. */
  private static final String[] ORDINARY_WRITES = {
    "INSERT",
    "UPDATE",
    "DELETE",
    "REPLACE",
    "WITH",
    "LOAD",
    "CREATE",
    "ALTER",
    "DROP",
    "TRUNCATE",
    "RENAME",
    "GRANT",
    "REVOKE",
    "ANALYZE",
    "OPTIMIZE",
    "SELECT",
    "("
  };

  /** Character sets in which a byte of a character can look like a quote or a backslash. */
  private static final String[] DECEPTIVE = {
    "GBK", "GB18030", "GB2312", "BIG5", "SJIS", "CP932", "UJIS", "EUC"
  };

  private static final String[] HARMLESS_SETS = {
    "UTF8", "LATIN1", "ASCII", "BINARY", "DEFAULT", "NULL"
  };

  private static final String[] OTHER_LANGUAGES = {
    "ANSI", "BACKSLASH", "DB2", "ORACLE", "MSSQL", "POSTGRESQL", "MAXDB"
  };

  static StatementEffect of(AnalyzedStatement statement) {
    if (statement.statementCount() > 1) {
      return PIN;
    }
    String sql = statement.sql();
    StatementKind kind = statement.kind();
    switch (kind) {
      case PLAIN_READ:
      case INSTANCE_READ:
        return mentions(sql, "SQL_CALC_FOUND_ROWS") || leavesNumber(sql) ? PIN : NOTHING;
      case SESSION_READ:
        // Whoever asks for the connection's number means to use it.
        return mentions(sql, "CONNECTION_ID")
                || mentions(sql, "PSEUDO_THREAD_ID")
                || mentions(sql, "SQL_CALC_FOUND_ROWS")
                || leavesNumber(sql)
            ? PIN
            : asksAboutLast(sql) ? QUESTION : NOTHING;
      case LOCKING_READ:
      case WRITE:
      case COMMITTING_WRITE:
        return isOrdinaryWrite(sql) && !leavesNumber(sql) ? TRACE : PIN;
      case TRANSACTION_START:
      case TRANSACTION_START_READ_ONLY:
      case TRANSACTION_END:
      case TRANSACTION_CHAIN:
      case WITHIN_TRANSACTION:
        // Of an XA transaction the status flags do not tell all.
        return startsWith(sql, "XA") ? PIN : TRACE;
      case AUTOCOMMIT_OFF:
      case AUTOCOMMIT_ON:
        return isReplayable(sql) ? SETTING : PIN;
      case SESSION_SETTING:
        if (startsWith(sql, "USE")) {
          return SCHEMA;
        }
        return isReplayable(sql) ? SETTING : PIN;
      default:
        return PIN;
    }
  }

  /**
   * Whether a statement asks what the one before it left: the number of rows, warnings,
   * diagnostics.
   */
  static boolean asksAboutLast(String sql) {
    return calls(sql, "FOUND_ROWS")
        || calls(sql, "ROW_COUNT")
        || mentions(sql, "@@WARNING_COUNT")
        || mentions(sql, "@@ERROR_COUNT")
        || mentions(sql, "SESSION.WARNING_COUNT")
        || mentions(sql, "SESSION.ERROR_COUNT")
        || mentions(sql, "LOCAL.WARNING_COUNT")
        || mentions(sql, "LOCAL.ERROR_COUNT")
        || mentions(sql, "DIAGNOSTICS")
        || ((mentions(sql, "WARNINGS") || mentions(sql, "ERRORS")) && startsWith(sql, "SHOW"));
  }

  /** {@code LAST_INSERT_ID(n)} sets what later calls give. */
  private static boolean leavesNumber(String sql) {
    int at = indexOf(sql, "LAST_INSERT_ID", 0);
    while (at >= 0) {
      int next = afterBlanks(sql, at + "LAST_INSERT_ID".length());
      if (next < sql.length()
          && sql.charAt(next) == '('
          && !(afterBlanks(sql, next + 1) < sql.length()
              && sql.charAt(afterBlanks(sql, next + 1)) == ')')) {
        return true;
      }
      at = indexOf(sql, "LAST_INSERT_ID", at + 1);
    }
    return false;
  }

  private static boolean isOrdinaryWrite(String sql) {
    for (String word : ORDINARY_WRITES) {
      if (startsWith(sql, word)) {
        // A file's columns may be read into variables.
        return !mentions(sql, "TEMPORARY") && !(word.equals("LOAD") && sql.indexOf('@') >= 0);
      }
    }
    return false;
  }

  /** Whether the values are written out, so that the text does the same on another connection. */
  private static boolean isReplayable(String sql) {
    String text = sql.toUpperCase(Locale.ROOT);
    if (text.contains("TRANSACTION")
        && !text.matches("(?s)\\s*SET\\s+(SESSION\\s+|@@SESSION\\.)TRANSACTION.*")) {
      // Without SESSION it is for the next transaction only.
      return false;
    }
    if (text.contains("TIMESTAMP")
        || text.contains("RAND_SEED")
        || text.contains("SESSION_TRACK")
        || text.contains("PROFILING")
        || text.contains("RESULTSET_METADATA")) {
      return false;
    }
    boolean names =
        text.contains("CHARACTER") || text.contains("NAMES") || text.contains("CHARSET");
    if (names && (!containsAny(text, HARMLESS_SETS) || containsAny(text, DECEPTIVE))) {
      return false;
    }
    if (text.contains("SQL_MODE")
        && (containsAny(text, OTHER_LANGUAGES)
            || text.matches("(?s).*SQL_MODE\\s*:?=\\s*[0-9].*"))) {
      return false;
    }
    return readsNoVariable(text);
  }

  /** Whether each variable in the text is one that is set: it stands after SET or a comma. */
  private static boolean readsNoVariable(String text) {
    int at = text.indexOf('@');
    while (at >= 0) {
      if (at + 1 >= text.length() || text.charAt(at + 1) != '@') {
        return false;
      }
      int before = at - 1;
      while (before >= 0 && Character.isWhitespace(text.charAt(before))) {
        before--;
      }
      boolean set = before >= 2 && text.startsWith("SET", before - 2);
      if (before < 0 || (text.charAt(before) != ',' && !set)) {
        return false;
      }
      at = text.indexOf('@', at + 2);
    }
    return true;
  }

  private static boolean containsAny(String text, String[] words) {
    for (String word : words) {
      if (text.contains(word)) {
        return true;
      }
    }
    return false;
  }

  private static boolean mentions(String sql, String capitals) {
    return indexOf(sql, capitals, 0) >= 0;
  }

  private static boolean calls(String sql, String capitals) {
    int at = indexOf(sql, capitals, 0);
    while (at >= 0) {
      int next = afterBlanks(sql, at + capitals.length());
      if (next < sql.length() && sql.charAt(next) == '(') {
        return true;
      }
      at = indexOf(sql, capitals, at + 1);
    }
    return false;
  }

  private static int indexOf(String sql, String capitals, int from) {
    char first = capitals.charAt(0);
    for (int i = from; i <= sql.length() - capitals.length(); i++) {
      if ((Character.toUpperCase(sql.charAt(i)) == first)
          && sql.regionMatches(true, i, capitals, 0, capitals.length())) {
        return i;
      }
    }
    return -1;
  }

  private static int afterBlanks(String sql, int from) {
    int at = from;
    while (at < sql.length() && Character.isWhitespace(sql.charAt(at))) {
      at++;
    }
    return at;
  }

  /** Whether the first word is this one; plain comments before it do not matter. */
  private static boolean startsWith(String sql, String capitals) {
    int at = afterBlanks(sql, 0);
    while (sql.startsWith("/*", at) && !sql.startsWith("/*!", at)) {
      int end = sql.indexOf("*/", at + 2);
      if (end < 0) {
        return false;
      }
      at = afterBlanks(sql, end + 2);
    }
    int after = at + capitals.length();
    return sql.regionMatches(true, at, capitals, 0, capitals.length())
        && (capitals.equals("(")
            || after == sql.length()
            || !Character.isJavaIdentifierPart(sql.charAt(after)));
  }
}
