package dev.leeway.annotation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How the primary reads of the code differ from those acknowledged.
 *
 * @param added primary reads that nobody has acknowledged
 * @param removed acknowledged reads that no longer read the primary, or are gone
 * @param changed acknowledged reads whose reason, or whose having one, is different now
 */
public record LockCheck(
    List<RoutedMethod> added, List<RoutedMethod> removed, List<Change> changed) {
  /** An acknowledged primary read, before and now. */
  public record Change(RoutedMethod before, RoutedMethod now) {}

  /** Each list is copied, in the order given. */
  public LockCheck {
    added = List.copyOf(added);
    removed = List.copyOf(removed);
    changed = List.copyOf(changed);
  }

  /**
   * Whether every primary read is acknowledged, with its present reason. Removed ones do no harm,
   * so they may remain; {@link #isUpToDate} sees them.
   */
  public boolean isAcknowledged() {
    return added.isEmpty() && changed.isEmpty();
  }

  /** Whether writing the lock anew would change nothing. */
  public boolean isUpToDate() {
    return isAcknowledged() && removed.isEmpty();
  }

  /**
   * The difference as lines in the manner of a unified diff without context, each ended by a line
   * feed: {@code -} for what the lock has, {@code +} for what the code does, sorted by method.
   * Empty if there is none.
   */
  public String toDiff() {
    if (isUpToDate()) {
      return "";
    }
    record Line(RoutedMethod method, char sign) {}
    List<Line> lines = new ArrayList<>();
    added.forEach(route -> lines.add(new Line(route, '+')));
    removed.forEach(route -> lines.add(new Line(route, '-')));
    for (Change change : changed) {
      lines.add(new Line(change.before(), '-'));
      lines.add(new Line(change.now(), '+'));
    }
    // The sort is stable, so of a changed method the old line stays before the new one.
    lines.sort(Comparator.comparing(Line::method, Inventory.BY_METHOD));
    StringBuilder diff = new StringBuilder("--- acknowledged\n+++ in the code\n");
    lines.forEach(line -> diff.append(line.sign()).append(line.method()).append('\n'));
    return diff.toString();
  }
}
