package dev.leeway.statement;

/** Tables that describe one server or one session rather than hold replicated data. */
final class SystemSchemas {
  private SystemSchemas() {}

  /**
   * What reading a table of this schema is.
   *
   * <p>The tables of {@code information_schema} that describe the replicated schemas are plain
   * reads; those that describe the server at work are not.
   */
  static StatementKind kindOf(
      String text, int schemaStart, int schemaEnd, int tableStart, int tableEnd) {
    if (is(text, schemaStart, schemaEnd, "performance_schema")) {
      return startsWith(text, tableStart, tableEnd, "session_")
              || startsWith(text, tableStart, tableEnd, "user_variables_by_thread")
          ? StatementKind.SESSION_READ
          : StatementKind.INSTANCE_READ;
    }
    if (is(text, schemaStart, schemaEnd, "mysql") || is(text, schemaStart, schemaEnd, "sys")) {
      return StatementKind.INSTANCE_READ;
    }
    if (is(text, schemaStart, schemaEnd, "information_schema")
        && (startsWith(text, tableStart, tableEnd, "processlist")
            || startsWith(text, tableStart, tableEnd, "profiling")
            || startsWith(text, tableStart, tableEnd, "optimizer_trace")
            || startsWith(text, tableStart, tableEnd, "innodb_"))) {
      return StatementKind.INSTANCE_READ;
    }
    return StatementKind.PLAIN_READ;
  }

  private static boolean is(String text, int start, int end, String name) {
    int from = isQuote(text.charAt(start)) ? start + 1 : start;
    int to = from > start ? end - 1 : end;
    return to - from == name.length() && startsWith(text, start, end, name);
  }

  private static boolean startsWith(String text, int start, int end, String name) {
    int from = isQuote(text.charAt(start)) ? start + 1 : start;
    return from + name.length() <= end && text.regionMatches(true, from, name, 0, name.length());
  }

  private static boolean isQuote(char c) {
    return c == '`' || c == '"';
  }
}
