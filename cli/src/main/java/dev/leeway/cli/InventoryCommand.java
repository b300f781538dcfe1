package dev.leeway.cli;

import dev.leeway.annotation.Inventory;
import dev.leeway.annotation.LockCheck;
import dev.leeway.annotation.RoutesLock;
import dev.leeway.cli.terminal.Plural;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.zip.ZipException;
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
          "inventory: "
              + file
              + ": there is no such file. Write it with: leeway inventory --write "
              + file
              + ", and commit it.",
          e);
    } catch (IOException e) {
      throw CommandException.usage("inventory: " + naming(file, "read", e), e);
    }
    invocation.console().print(result.toDiff().lines().toList());
    if (!result.isAcknowledged()) {
      invocation
          .console()
          .say(
              "leeway: inventory: %s not acknowledged as now declared. Review the difference, then: leeway inventory --write %s"
                  .formatted(
                      Plural.of(
                          result.added().size() + result.changed().size(),
                          "read of the primary is",
                          "reads of the primary are"),
                      file));
      return ExitCode.CHECK_FAILED;
    }
    invocation
        .console()
        .print(
            "%s, all acknowledged%s"
                .formatted(
                    primaryReads(inventory.primaryReads().size()),
                    result.removed().isEmpty()
                        ? ""
                        : "; of those acknowledged, gone: " + result.removed().size()));
    return ExitCode.OK;
  }

  private int write(Inventory inventory, Path file) {
    try {
      RoutesLock.of(inventory).write(file);
    } catch (IOException e) {
      throw CommandException.usage("inventory: " + naming(file, "written", e), e);
    }
    invocation
        .console()
        .print("%s written to %s".formatted(primaryReads(inventory.primaryReads().size()), file));
    return ExitCode.OK;
  }

  private Inventory inventory(@Nullable Path lockFile) {
    List<Path> places = classes.isEmpty() ? found(lockFile) : classes;
    for (Path place : places) {
      if (!Files.exists(place)) {
        throw CommandException.usage(
            "inventory: --classes %s: there is no such folder or jar (expected: compiled classes)"
                .formatted(place));
      }
    }
    try {
      return Inventory.read(places.toArray(new Path[0]));
    } catch (NoSuchFileException e) {
      throw CommandException.usage(
          "inventory: no inventory in %s (expected: classes compiled with the leeway-repository-annotations processor)"
              .formatted(places.stream().map(Path::toString).collect(Collectors.joining(", "))),
          e);
    } catch (ZipException e) {
      throw CommandException.usage(
          "inventory: --classes %s: not a folder of classes, and not a jar"
              .formatted(places.stream().map(Path::toString).collect(Collectors.joining(", "))),
          e);
    } catch (IOException | IllegalArgumentException e) {
      throw CommandException.usage("inventory: cannot be read: " + e.getMessage(), e);
    }
  }

  private List<Path> found(@Nullable Path lockFile) {
    Path start = Path.of("").toAbsolutePath();
    if (lockFile != null) {
      Path parent = lockFile.toAbsolutePath().getParent();
      start = parent == null ? start : parent;
    }
    return CompiledClasses.below(start, invocation.console());
  }

  /** Some messages begin with the file already; each names it once. */
  private static String naming(Path file, String what, IOException e) {
    String why = String.valueOf(e.getMessage());
    if (e instanceof NoSuchFileException) {
      why = "there is no such folder";
    } else if (e instanceof AccessDeniedException) {
      why = "this user may not do that";
    } else if (e instanceof CharacterCodingException) {
      why = "it is not UTF-8 text";
    } else if (why.startsWith(file.toString())) {
      return why;
    }
    return file + ": cannot be " + what + ": " + why;
  }

  private static String primaryReads(int count) {
    return Plural.of(count, "read of the primary", "reads of the primary");
  }
}
