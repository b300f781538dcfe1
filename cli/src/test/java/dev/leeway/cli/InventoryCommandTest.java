package dev.leeway.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.annotation.Inventory;
import dev.leeway.cli.terminal.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InventoryCommandTest {
  private static final String ROUTE = "shop.Stock#available(long) primary because=\"a promise\"\n";

  @TempDir Path folder;
  private final StringWriter err = new StringWriter();
  private final Console console =
      new Console(
          new PrintWriter(new StringWriter()),
          new PrintWriter(err),
          false,
          false,
          80,
          System::nanoTime);
  private Path classes;

  @BeforeEach
  void compile() throws IOException {
    classes = classes("app/target/classes");
  }

  @Test
  void classesThatAreNotThereAreNamedForThat() {
    CommandRun run = CommandRun.of("inventory", "--classes", folder.resolve("nowhere").toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .containsExactly(
            "leeway: inventory: --classes "
                + folder.resolve("nowhere")
                + ": there is no such folder or jar (expected: compiled classes)");
  }

  @Test
  void whatIsNeitherAFolderNorAJarAndWhatHasNoInventoryIsNamedForThat() throws IOException {
    Path text = Files.writeString(folder.resolve("notes.txt"), "no jar");

    assertThat(CommandRun.of("inventory", "--classes", text.toString()).err())
        .containsExactly(
            "leeway: inventory: --classes " + text + ": not a folder of classes, and not a jar");
    assertThat(CommandRun.of("inventory", "--classes", folder.toString()).err())
        .containsExactly(
            "leeway: inventory: no inventory in "
                + folder
                + " (expected: classes compiled with the leeway-repository-annotations processor)");
  }

  @Test
  void aLockFileThatIsNoneIsNamedOnce() throws IOException {
    Path lock = Files.writeString(folder.resolve("bad.lock"), "no route\n");

    CommandRun run = check(lock);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).hasSize(1);
    assertThat(run.err().get(0))
        .startsWith("leeway: inventory: " + lock + " line 1: not a route")
        .containsOnlyOnce(lock.toString());
  }

  @Test
  void oneReadIsSpokenOfAsOne() throws IOException {
    Path lock = folder.resolve("routes.lock");
    Path empty = Files.writeString(folder.resolve("empty.lock"), "");

    assertThat(
            CommandRun.of("inventory", "--write", lock.toString(), "--classes", classes.toString())
                .out())
        .containsExactly("1 read of the primary written to " + lock);
    assertThat(check(lock).out()).containsExactly("1 read of the primary, all acknowledged");
    CommandRun unacknowledged = check(empty);
    assertThat(unacknowledged.exitCode()).isEqualTo(1);
    assertThat(unacknowledged.err())
        .containsExactly(
            "leeway: inventory: 1 read of the primary is not acknowledged as now declared. Review"
                + " the difference, then: leeway inventory --write "
                + empty);
  }

  @Test
  void aLockInAFolderThatIsNotThereCannotBeWritten() {
    Path lock = folder.resolve("nowhere/routes.lock");

    assertThat(
            CommandRun.of("inventory", "--write", lock.toString(), "--classes", classes.toString())
                .err())
        .containsExactly(
            "leeway: inventory: " + lock + ": cannot be written: there is no such folder");
  }

  @Test
  void classesOfMavenAndGradleAreFoundAndHiddenFoldersAreNot() throws IOException {
    Path gradle = classes("lib/build/classes/java/main");
    classes(".cache/old/target/classes");

    assertThat(CompiledClasses.below(folder, console)).containsExactly(classes, gradle);
    assertThat(err.toString()).isEmpty();
  }

  /** A user who may read everything, as in some containers, sees no difference. */
  @Test
  void foldersThatMayNotBeReadAreSkipped() throws IOException {
    Path closed = Files.createDirectories(folder.resolve("closed/inner"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
    boolean skipped = !Files.isReadable(closed);

    List<Path> found = CompiledClasses.below(folder, console);

    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    assertThat(found).containsExactly(classes);
    assertThat(err.toString())
        .isEqualTo(
            skipped
                ? "leeway: inventory: skipped 1 folder below %s that cannot be read, such as %s%n"
                    .formatted(folder, closed)
                : "");
  }

  @Test
  void theSearchHasABoundAndSaysSo() {
    assertThatThrownBy(() -> CompiledClasses.below(folder, console, 2))
        .isInstanceOf(CommandException.class)
        .hasMessage(
            "inventory: more than 2 folders below "
                + folder
                + " (expected: a project's folder). Run it there, or name the classes with"
                + " --classes.");
  }

  private CommandRun check(Path lock) {
    return CommandRun.of("inventory", "--check", lock.toString(), "--classes", classes.toString());
  }

  private Path classes(String name) throws IOException {
    Path place = folder.resolve(name);
    Path routes = place.resolve(Inventory.ROUTES_FILE);
    Files.createDirectories(routes.getParent());
    Files.writeString(routes, ROUTE);
    return place;
  }
}
