package dev.leeway.statement;

/** Tables that describe one server or one session rather than hold replicated data. */
final class SystemSchemas {
  private SystemSchemas() {}

  /**
   * What reading this table is.
   *
   * <p>The tables of {@code information_schema} that describe the replicated schemas are plain
   * reads; those that describe the server at work are not. A table without a schema is taken as the
   * user's own.
   */
  static StatementKind kindOf(String text, DottedName name) {
    if (name.parts == 1) {
      return StatementKind.PLAIN_READ;
    }
    if (isSchema(text, name, "performance_schema")) {
      return tableBegins(text, name, "session_")
              || tableBegins(text, name, "user_variables_by_thread")
          ? StatementKind.SESSION_READ
          : StatementKind.INSTANCE_READ;
    }
    if (isSchema(text, name, "mysql") || isSchema(text, name, "sys")) {
      return StatementKind.INSTANCE_READ;
    }
    if (isSchema(text, name, "information_schema")
        && (tableBegins(text, name, "processlist")
            || tableBegins(text, name, "profiling")
            || tableBegins(text, name, "optimizer_trace")
            || tableBegins(text, name, "innodb_"))) {
      return StatementKind.INSTANCE_READ;
    }
    return StatementKind.PLAIN_READ;
  }

  private static boolean isSchema(String text, DottedName name, String schema) {
    return Names.same(text, name.qualifierStart, name.qualifierEnd, schema);
  }

  private static boolean tableBegins(String text, DottedName name, String begin) {
    int from = Names.isQuote(text.charAt(name.start)) ? name.start + 1 : name.start;
    int to = from + begin.length();
    return to <= name.end && Names.matches(text, from, to, begin);
  }
}
