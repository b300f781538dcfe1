package dev.leeway.statement;

/**
 * What has been found out about a statement so far: it starts as the harmless thing and only gets
 * worse. Mutable, for one thread.
 */
final class Finding {
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

  /** Takes the other statement of the same text into account. */
  void combine(Finding other) {
    if (other.kind == kind) {
      return;
    }
    if (isWriteBesideSetting(kind, other.kind) || isWriteBesideSetting(other.kind, kind)) {
      set(StatementKind.SESSION_CHANGE, other.causeStart, other.causeEnd);
    } else if (care(kind) == UNLIKE || care(other.kind) == UNLIKE) {
      set(StatementKind.UNKNOWN, other.causeStart, other.causeEnd);
    } else {
      raise(other.kind, other.causeStart, other.causeEnd);
    }
  }

  private static boolean isWriteBesideSetting(StatementKind one, StatementKind other) {
    return one == StatementKind.SESSION_SETTING
        && (other == StatementKind.WRITE || other == StatementKind.FUNCTION_CALL);
  }

  private static final int UNLIKE = 8;

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
