package dev.leeway.statement;

import java.util.Set;

/**
 * What one SQL text does: its {@link StatementKind} and what can be told beside it.
 *
 * <p>Immutable and safe to share.
 */
public final class AnalyzedStatement {
  private static final int LONGEST_QUOTE = 40;

  private final String sql;
  private final StatementKind kind;
  private final int causeStart;
  private final int causeEnd;
  private final int statementCount;
  private final Set<String> tablesRead;
  private final Set<String> tablesWritten;

  AnalyzedStatement(String sql, Finding finding, int statementCount, TableNames tables) {
    this.sql = sql;
    this.kind = finding.kind;
    this.causeStart = finding.causeStart;
    this.causeEnd = finding.causeEnd;
    this.statementCount = statementCount;
    this.tablesRead = tables.read();
    this.tablesWritten = tables.written();
  }

  /** The text that was analysed. */
  public String sql() {
    return sql;
  }

  /** What the text does. */
  public StatementKind kind() {
    return kind;
  }

  /**
   * How many statements the text holds, zero if it holds only blanks and comments. A semicolon at
   * the end begins no further one; statements after a place that cannot be read are not counted.
   */
  public int statementCount() {
    return statementCount;
  }

  /**
   * The tables the text reads, in lower case, as {@code table} or {@code schema.table} as the text
   * has them.
   *
   * <p>A best effort, for warnings and statistics, not for decisions: names are not resolved, so a
   * view counts as a table, an alias in a {@code DELETE a FROM orders a} counts as one too, and
   * what a routine or a trigger touches does not show. Names that a WITH clause of the text defines
   * are left out. No more than 100 names are kept.
   */
  public Set<String> tablesRead() {
    return tablesRead;
  }

  /**
   * The tables the text may change or define, written like {@link #tablesRead} and with the same
   * reservations. Of an {@code UPDATE} of a join, all of its tables are named, as both read and
   * written.
   */
  public Set<String> tablesWritten() {
    return tablesWritten;
  }

  /**
   * Whether running the text a second time, on any server, changes nothing: true of a plain read
   * only.
   */
  public boolean mayBeRunAgain() {
    return kind == StatementKind.PLAIN_READ;
  }

  /**
   * Why the text is what it is, for a message: the kind and the words that decided, with the place
   * where they begin, counted from 1. Shows no more of the text than those words.
   */
  public String reason() {
    if (causeEnd <= causeStart) {
      return kind.name();
    }
    int end = Math.min(causeEnd, causeStart + LONGEST_QUOTE);
    String words = sql.substring(causeStart, end).strip().replaceAll("\\s+", " ");
    return "%s: '%s%s' at character %d"
        .formatted(kind, words, end < causeEnd ? "…" : "", causeStart + 1);
  }

  @Override
  public String toString() {
    return reason();
  }
}
