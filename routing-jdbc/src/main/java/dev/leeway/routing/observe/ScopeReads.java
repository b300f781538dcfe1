package dev.leeway.routing.observe;

import dev.leeway.routing.ReadIntent;
import dev.leeway.statement.AnalyzedStatement;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The statements of one scope that matter to the question "was this table read from a replica
 * last?", oldest first, each text once, at most {@link #CAPACITY} of them. Beyond that the oldest
 * is forgotten, and with it perhaps a warning.
 *
 * <p>Safe for the threads of one scope. Noting a statement compares references and allocates
 * nothing; tables are looked at only when one is written.
 */
final class ScopeReads {
  static final int CAPACITY = 32;

  private final @Nullable AnalyzedStatement[] statements =
      new @Nullable AnalyzedStatement[CAPACITY];
  private final @Nullable ReadIntent[] intents = new @Nullable ReadIntent[CAPACITY];
  private final boolean[] onReplica = new boolean[CAPACITY];
  private int count;

  /** The statement has shown its tables as they are on a replica, or as they are on the primary. */
  // The guard's cache gives one object for one text, so identity is enough and cheaper.
  @SuppressWarnings("ReferenceEquality")
  synchronized void saw(AnalyzedStatement statement, ReadIntent intent, boolean replica) {
    int last = count - 1;
    if (last >= 0
        && statements[last] == statement
        && onReplica[last] == replica
        && intents[last] == intent) {
      return;
    }
    int from = indexOf(statement);
    if (from < 0) {
      from = count < CAPACITY ? count++ : 0;
    }
    moveToEnd(from);
    statements[count - 1] = statement;
    intents[count - 1] = intent;
    onReplica[count - 1] = replica;
  }

  private int indexOf(AnalyzedStatement statement) {
    for (int i = 0; i < count; i++) {
      if (statements[i] == statement) {
        return i;
      }
    }
    return -1;
  }

  private void moveToEnd(int from) {
    int moved = count - 1 - from;
    System.arraycopy(statements, from + 1, statements, from, moved);
    System.arraycopy(intents, from + 1, intents, from, moved);
    System.arraycopy(onReplica, from + 1, onReplica, from, moved);
  }

  /** Which intent read the table from a replica, if that is the last that was seen of it. */
  synchronized @Nullable ReadIntent lastReadOnReplica(String table) {
    for (int i = count - 1; i >= 0; i--) {
      AnalyzedStatement statement = statements[i];
      if (statement == null) {
        continue;
      }
      if (names(statement.tablesRead(), table)
          || (!onReplica[i] && names(statement.tablesWritten(), table))) {
        return onReplica[i] ? intents[i] : null;
      }
    }
    return null;
  }

  /**
   * Whether one of the names is this table's. With and without its schema a name counts as the
   * same: which schema the shorter one means only the session knows.
   */
  private static boolean names(Set<String> names, String table) {
    if (names.contains(table)) {
      return true;
    }
    String shortName = withoutSchema(table);
    boolean qualified = shortName.length() != table.length();
    for (String name : names) {
      boolean otherQualified = name.indexOf('.') >= 0;
      if (qualified != otherQualified && withoutSchema(name).equals(shortName)) {
        return true;
      }
    }
    return false;
  }

  private static String withoutSchema(String table) {
    return table.substring(table.lastIndexOf('.') + 1);
  }
}
