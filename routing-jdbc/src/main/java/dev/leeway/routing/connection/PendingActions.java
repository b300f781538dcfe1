package dev.leeway.routing.connection;

import dev.leeway.gate.GtidSet;
import dev.leeway.routing.context.OpenTransaction.AtEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What waits for the end of one transaction, and the savepoints that may undo a part of it.
 *
 * <p>Used by the thread that uses the connection.
 */
final class PendingActions {
  private static final Logger log = LoggerFactory.getLogger(PendingActions.class);

  private static final String NAME = "(`(?:[^`]|``)+`|[^\\s;]+)\\s*;?\\s*";
  private static final Pattern SET = Pattern.compile("(?i)SAVEPOINT\\s+" + NAME);
  private static final Pattern UNDO =
      Pattern.compile("(?i)ROLLBACK\\s+(?:WORK\\s+)?TO\\s+(?:SAVEPOINT\\s+)?" + NAME);
  private static final Pattern LEADING_COMMENT =
      Pattern.compile("\\A(?:\\s+|/\\*(?!!).*?\\*/|(?:--\\s|#)[^\\n]*(?:\\n|\\z))", Pattern.DOTALL);

  private final List<AtEnd> actions = new ArrayList<>();
  private final List<Mark> marks = new ArrayList<>();
  private @Nullable GtidSet gtids;
  private boolean complete = true;

  /** How much was waiting when a savepoint was set. */
  private record Mark(String name, int actions) {}

  void add(AtEnd action) {
    actions.add(action);
  }

  void savepoint(String name) {
    String key = key(name);
    // As the server does: a new savepoint of the same name replaces the old one.
    marks.removeIf(mark -> mark.name().equals(key));
    marks.add(new Mark(key, actions.size()));
  }

  /** Drops what was asked for after the savepoint; the savepoint itself stays. */
  void rolledBackTo(String name) {
    String key = key(name);
    for (int i = marks.size() - 1; i >= 0; i--) {
      if (marks.get(i).name().equals(key)) {
        List<AtEnd> undone = actions.subList(marks.get(i).actions(), actions.size());
        drop(undone, "the part of the transaction it belongs to was rolled back to a savepoint");
        marks.subList(i + 1, marks.size()).clear();
        return;
      }
    }
    // A savepoint we have not seen set, so how much was undone is not known.
    drop("the transaction was rolled back to a savepoint that is not known");
  }

  /** A text that belongs to the transaction and leaves it open has run. */
  void ran(String sql) {
    String text = withoutLeadingComments(sql);
    Matcher set = SET.matcher(text);
    Matcher undo = UNDO.matcher(text);
    if (set.matches()) {
      savepoint(set.group(1));
    } else if (undo.matches()) {
      rolledBackTo(undo.group(1));
    } else if (text.toUpperCase(Locale.ROOT).contains("ROLLBACK")) {
      drop("the transaction was rolled back to a savepoint that is not known");
    }
  }

  private static String withoutLeadingComments(String sql) {
    String text = sql;
    Matcher comment = LEADING_COMMENT.matcher(text);
    while (comment.find() && comment.end() > 0) {
      text = text.substring(comment.end());
      comment = LEADING_COMMENT.matcher(text);
    }
    return text;
  }

  private static String key(String name) {
    boolean quoted = name.length() > 1 && name.startsWith("`") && name.endsWith("`");
    String bare = quoted ? name.substring(1, name.length() - 1).replace("``", "`") : name;
    return bare.toLowerCase(Locale.ROOT);
  }

  void wrote(GtidSet more) {
    gtids = gtids == null ? more : gtids.union(more);
  }

  void wroteUnknown() {
    complete = false;
  }

  /** The transaction was not committed, or nobody knows. */
  void drop(String why) {
    drop(actions, why);
    forget();
  }

  /** The transaction was committed: what is to be done now, taken out of here. */
  @Nullable Runnable committed() {
    if (actions.isEmpty()) {
      forget();
      return null;
    }
    List<AtEnd> due = List.copyOf(actions);
    GtidSet committed = gtids;
    boolean all = complete;
    forget();
    return () -> due.forEach(action -> safely(() -> action.committed(committed, all)));
  }

  private void forget() {
    actions.clear();
    marks.clear();
    gtids = null;
    complete = true;
  }

  private static void drop(List<AtEnd> dropped, String why) {
    List<AtEnd> each = List.copyOf(dropped);
    dropped.clear();
    each.forEach(action -> safely(() -> action.dropped(why)));
  }

  private static void safely(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      log.warn("something that was to be done after a transaction failed and was left out", e);
    }
  }
}
