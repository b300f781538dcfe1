package dev.leeway.cli;

import dev.leeway.annotation.Inventory;
import dev.leeway.cli.terminal.Console;
import dev.leeway.cli.terminal.Plural;
import dev.leeway.cli.terminal.Task;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks for compiled classes with an inventory below a folder, where builds usually leave them.
 *
 * <p>Never without an end: not deeper than a project's modules lie, and not in more folders than a
 * large project has. Hidden folders are left out, and those that may not be read.
 */
final class CompiledClasses extends SimpleFileVisitor<Path> {
  private static final int DEEPEST = 6;
  private static final int MOST_FOLDERS = 20_000;
  private static final List<Path> USUAL =
      List.of(Path.of("target", "classes"), Path.of("build", "classes", "java", "main"));

  private final Path start;
  private final Task task;
  private final int mostFolders;
  private final List<Path> found = new ArrayList<>();
  private final List<Path> unreadable = new ArrayList<>();
  private int folders;

  private CompiledClasses(Path start, Task task, int mostFolders) {
    this.start = start;
    this.task = task;
    this.mostFolders = mostFolders;
  }

  /**
   * Those below this folder, in the order of their names; at least one.
   *
   * @throws CommandException if there are none, or more folders than can be looked at
   */
  static List<Path> below(Path start, Console console) {
    return below(start, console, MOST_FOLDERS);
  }

  static List<Path> below(Path start, Console console, int mostFolders) {
    CompiledClasses search;
    try (Task task = console.task("looking for compiled classes below " + start, 0)) {
      search = new CompiledClasses(start, task, mostFolders);
      Files.walkFileTree(start, EnumSet.noneOf(FileVisitOption.class), DEEPEST, search);
    } catch (IOException e) {
      throw CommandException.usage("inventory: cannot search " + start + ": " + e, e);
    }
    return search.result(console);
  }

  private List<Path> result(Console console) {
    if (folders > mostFolders) {
      // Half of them would look like all of them to whoever checks a lock.
      throw CommandException.usage(
          "inventory: more than %d folders below %s (expected: a project's folder). Run it there, or name the classes with --classes."
              .formatted(mostFolders, start));
    }
    if (!unreadable.isEmpty()) {
      console.say(
          "leeway: inventory: skipped %s below %s that cannot be read, such as %s"
              .formatted(
                  Plural.of(unreadable.size(), "folder", "folders"), start, unreadable.get(0)));
    }
    if (found.isEmpty()) {
      throw CommandException.usage(
          "inventory: no compiled classes with an inventory below %s (expected: target/classes or build/classes/java/main, compiled with the leeway-repository-annotations processor). Build first, or name them with --classes."
              .formatted(start));
    }
    return found.stream().sorted().toList();
  }

  @Override
  public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
    if (isHidden(folder)) {
      return FileVisitResult.SKIP_SUBTREE;
    }
    folders++;
    if (folders > mostFolders) {
      return FileVisitResult.TERMINATE;
    }
    task.detail(folders + " folders");
    return take(folder) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
  }

  /** Folders at the deepest level come here, too. */
  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    if (attributes.isDirectory()) {
      take(file);
    }
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException e) {
    unreadable.add(file);
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) {
    if (e != null) {
      unreadable.add(folder);
    }
    return FileVisitResult.CONTINUE;
  }

  private boolean isHidden(Path folder) {
    return !folder.equals(start) && String.valueOf(folder.getFileName()).startsWith(".");
  }

  private boolean take(Path folder) {
    boolean wanted =
        USUAL.stream().anyMatch(folder::endsWith)
            && Files.exists(folder.resolve(Inventory.ROUTES_FILE));
    if (wanted) {
      found.add(folder);
    }
    return wanted;
  }
}
