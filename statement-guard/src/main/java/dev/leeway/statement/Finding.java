package dev.leeway.statement;

/**
 * What has been found out about a statement so far: it starts as the harmless thing and only gets
 * worse. Mutable, for one thread.
 */
final class Finding {
  private static final int UNLIKE = 8;

  StatementKind kind = StatementKind.PLAIN_READ;

  /** Where the words stand that made it so; both 0 while nothing did. */
  int causeStart;

  int causeEnd;

  void reset() {
    set(StatementKind.PLAIN_READ, 0, 0);
  }

  /** Says what the statement is, whatever was found before. */
  void set(StatementKind newKind, int start, int end) {
    kind = newKind;
    causeStart = start;
    causeEnd = end;
  }

  /** Says that the statement is at least this. */
  void raise(StatementKind found, int start, int end) {
    if (care(found) > care(kind)) {
      set(found, start, end);
    }
  }

  /** Takes the next statement of the same text into account. */
  void combine(Finding next) {
    if (next.kind == kind) {
      return;
    }
    StatementKind both = together(kind, next.kind);
    if (both != kind) {
      set(both, next.causeStart, next.causeEnd);
    }
  }

  /** What two statements of different kinds, one after the other, do together. */
  private static StatementKind together(StatementKind first, StatementKind second) {
    if (isSetting(first) && isSetting(second)) {
      // Whether autocommit is on is what matters most, and the last word on it counts.
      return second == StatementKind.SESSION_SETTING ? first : second;
    }
    boolean sets =
        first == StatementKind.SESSION_SETTING || second == StatementKind.SESSION_SETTING;
    if (care(first) == UNLIKE || care(second) == UNLIKE) {
      return StatementKind.UNKNOWN;
    }
    StatementKind graver = care(second) > care(first) ? second : first;
    boolean mayWrite = first.mayWrite() || second.mayWrite();
    return sets && mayWrite && graver != StatementKind.UNKNOWN
        ? StatementKind.SESSION_CHANGE
        : graver;
  }

  private static boolean isSetting(StatementKind kind) {
    return kind == StatementKind.SESSION_SETTING
        || kind == StatementKind.AUTOCOMMIT_OFF
        || kind == StatementKind.AUTOCOMMIT_ON;
  }

  /** How much care a kind asks for. Kinds that only stand alone share one grade. */
  private static int care(StatementKind kind) {
    return switch (kind) {
      case PLAIN_READ -> 0;
      case INSTANCE_READ -> 1;
      case SESSION_READ -> 2;
      case LOCKING_READ -> 3;
      case FUNCTION_CALL -> 4;
      case WRITE -> 5;
      case SESSION_SETTING -> 6;
      case SESSION_CHANGE -> 7;
      case CALL,
          COMMITTING_WRITE,
          TRANSACTION_START,
          TRANSACTION_START_READ_ONLY,
          TRANSACTION_END,
          TRANSACTION_CHAIN,
          WITHIN_TRANSACTION,
          AUTOCOMMIT_OFF,
          AUTOCOMMIT_ON ->
          UNLIKE;
      case UNKNOWN -> 9;
    };
  }
}
