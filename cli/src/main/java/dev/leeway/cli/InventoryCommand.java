package dev.leeway.cli;

import dev.leeway.annotation.Inventory;
import dev.leeway.annotation.LockCheck;
import dev.leeway.annotation.RoutesLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows which methods read what, and whether somebody has agreed to every primary read. */
@Command(
    name = "inventory",
    description = {
      "Lists the routed methods of compiled code, or checks that every read of the primary was"
          + " acknowledged in a lock file."
    },
    footer = {
      "",
      "Without --classes the folders target/classes and build/classes/java/main below the lock"
          + " file's folder (or the current one) are used, where the compiler has left an"
          + " inventory."
    })
final class InventoryCommand implements Callable<Integer> {
  private static final int DEEPEST = 6;
  private static final List<Path> USUAL =
      List.of(Path.of("target", "classes"), Path.of("build", "classes", "java", "main"));

  private final Invocation invocation;

  @Option(
      names = "--classes",
      paramLabel = "DIR|JAR",
      description = "Compiled classes; may be given several times.")
  List<Path> classes = List.of();

  @ArgGroup(exclusive = true, multiplicity = "0..1")
  @Nullable Action action;

  /** What to do with the inventory; at most one of them. */
  static final class Action {
    @Option(
        names = "--check",
        paramLabel = "FILE",
        description = "Compare with this lock file; exit 1 with the difference.")
    @Nullable Path check;

    @Option(names = "--write", paramLabel = "FILE", description = "Write this lock file anew.")
    @Nullable Path write;

    @Option(names = "--markdown", description = "Print a table (the default).")
    boolean markdown;

    @Option(names = "--json", description = "Print JSON.")
    boolean json;
  }

  InventoryCommand(Invocation invocation) {
    this.invocation = invocation;
  }

  @Override
  public Integer call() {
    Action chosen = action == null ? new Action() : action;
    Path check = chosen.check;
    Path write = chosen.write;
    Inventory inventory = inventory(check != null ? check : write);
    if (check != null) {
      return check(inventory, check);
    }
    if (write != null) {
      return write(inventory, write);
    }
    String text = chosen.json ? inventory.toJson() : inventory.toMarkdown();
    invocation.console().print(text.lines().toList());
    return ExitCode.OK;
  }

  private int check(Inventory inventory, Path file) {
    LockCheck result;
    try {
      result = RoutesLock.read(file).check(inventory);
    } catch (NoSuchFileException e) {
      throw CommandException.usage(
          file
              + ": there is no such file. Write it with: leeway inventory --write "
              + file
              + ", and commit it.",
          e);
    } catch (IOException e) {
      throw CommandException.usage(file + ": cannot be read: " + e.getMessage(), e);
    }
    invocation.console().print(result.toDiff().lines().toList());
    if (!result.isAcknowledged()) {
      invocation
          .console()
          .say(
              "leeway: %d reads of the primary are not acknowledged as they are now. Review them, then: leeway inventory --write %s"
                  .formatted(result.added().size() + result.changed().size(), file));
      return ExitCode.CHECK_FAILED;
    }
    invocation
        .console()
        .print(
            "%d reads of the primary, all acknowledged%s"
                .formatted(
                    inventory.primaryReads().size(),
                    result.removed().isEmpty()
                        ? ""
                        : "; %d acknowledged ones are gone".formatted(result.removed().size())));
    return ExitCode.OK;
  }

  private int write(Inventory inventory, Path file) {
    try {
      RoutesLock.of(inventory).write(file);
    } catch (IOException e) {
      throw CommandException.usage(file + ": cannot be written: " + e, e);
    }
    invocation
        .console()
        .print(
            "%d reads of the primary written to %s"
                .formatted(inventory.primaryReads().size(), file));
    return ExitCode.OK;
  }

  private Inventory inventory(@Nullable Path lockFile) {
    List<Path> places = classes.isEmpty() ? found(lockFile) : classes;
    try {
      return Inventory.read(places.toArray(new Path[0]));
    } catch (NoSuchFileException e) {
      throw CommandException.usage("inventory: " + e.getMessage(), e);
    } catch (IOException | IllegalArgumentException e) {
      throw CommandException.usage("inventory: cannot be read: " + e.getMessage(), e);
    }
  }

  private static List<Path> found(@Nullable Path lockFile) {
    Path start = Path.of("").toAbsolutePath();
    if (lockFile != null) {
      Path parent = lockFile.toAbsolutePath().getParent();
      start = parent == null ? start : parent;
    }
    try (Stream<Path> files = Files.find(start, DEEPEST, InventoryCommand::isUsual)) {
      List<Path> places =
          files
              .filter(place -> Files.exists(place.resolve(Inventory.ROUTES_FILE)))
              .sorted()
              .toList();
      if (places.isEmpty()) {
        throw CommandException.usage(
            "inventory: no compiled classes with an inventory below %s (expected: target/classes or build/classes/java/main, compiled with the leeway-repository-annotations processor). Build first, or name them with --classes."
                .formatted(start));
      }
      return places;
    } catch (IOException e) {
      throw CommandException.usage("inventory: cannot search " + start + ": " + e, e);
    }
  }

  private static boolean isUsual(
      Path path, java.nio.file.attribute.BasicFileAttributes attributes) {
    return attributes.isDirectory() && USUAL.stream().anyMatch(path::endsWith);
  }
}
