package dev.leeway.annotation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The primary reads somebody has acknowledged, kept in a file under version control, usually {@code
 * routes.lock}: a primary read that is added shows as one line of a reviewed change.
 *
 * <p>One line per method, sorted, as {@link RoutedMethod#toString} prints it. Immutable and safe to
 * share.
 */
public final class RoutesLock {
  private static final String HEADER =
      """
      # Reads that go to the primary, and why. Each line was acknowledged in a review.
      # Checked by: leeway inventory --check; rewritten by: leeway inventory --write.
      """;

  private final List<RoutedMethod> acknowledged;

  private RoutesLock(Collection<RoutedMethod> acknowledged) {
    this.acknowledged = acknowledged.stream().sorted(Inventory.BY_METHOD).toList();
  }

  /** A lock that acknowledges all primary reads of an inventory. */
  public static RoutesLock of(Inventory inventory) {
    return new RoutesLock(inventory.primaryReads());
  }

  /**
   * Reads a lock file.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   * @throws IOException if it cannot be read or is not a lock; the message names file and line
   */
  public static RoutesLock read(Path file) throws IOException {
    String text = Files.readString(file, StandardCharsets.UTF_8);
    try {
      return new RoutesLock(LineFile.parse(text, file.toString(), RoutesLock::refusal));
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static @Nullable String refusal(RoutedMethod route) {
    return Inventory.readsPrimary(route)
        ? null
        : "%s is not a primary read (expected: primary or undeclared)".formatted(route.kind());
  }

  /** Writes the lock, replacing the file. */
  public void write(Path file) throws IOException {
    Files.writeString(file, toText(), StandardCharsets.UTF_8);
  }

  /** The content of the file: sorted, without a date, each line ended by a line feed. */
  public String toText() {
    return HEADER + LineFile.print(acknowledged);
  }

  /** The acknowledged reads, sorted by repository and signature. */
  public List<RoutedMethod> acknowledged() {
    return acknowledged;
  }

  /** Compares what is acknowledged with what the code does. */
  public LockCheck check(Inventory inventory) {
    Map<String, RoutedMethod> before = byMethod(acknowledged);
    Map<String, RoutedMethod> now = byMethod(inventory.primaryReads());
    List<RoutedMethod> added = new ArrayList<>();
    List<RoutedMethod> removed = new ArrayList<>();
    List<LockCheck.Change> changed = new ArrayList<>();
    Set<String> methods = new TreeSet<>(before.keySet());
    methods.addAll(now.keySet());
    for (String method : methods) {
      RoutedMethod old = before.get(method);
      RoutedMethod current = now.get(method);
      if (old == null && current != null) {
        added.add(current);
      } else if (old != null && current == null) {
        removed.add(old);
      } else if (old != null && current != null && !old.equals(current)) {
        changed.add(new LockCheck.Change(old, current));
      }
    }
    return new LockCheck(added, removed, changed);
  }

  private static Map<String, RoutedMethod> byMethod(List<RoutedMethod> routes) {
    Map<String, RoutedMethod> byMethod = new TreeMap<>();
    for (RoutedMethod route : routes) {
      byMethod.put(route.repository() + '#' + route.signature(), route);
    }
    return byMethod;
  }
}
