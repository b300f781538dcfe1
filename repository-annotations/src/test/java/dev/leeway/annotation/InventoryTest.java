package dev.leeway.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InventoryTest {
  private static final RoutedMethod LIST =
      RoutedMethod.readReplica("com.acme.Orders", "list(long)", "5s", Fallback.STALE, "50ms");
  private static final RoutedMethod LIST_ALL =
      RoutedMethod.readReplica("com.acme.Orders", "list()", "", Fallback.PRIMARY, "");
  private static final RoutedMethod FIND =
      RoutedMethod.readPrimary(
          "com.acme.Orders", "find(long)", "shows \"it\" | <b>at\nonce</b> – ü");
  private static final RoutedMethod INSERT =
      RoutedMethod.write("com.acme.Carts", "insert(com.acme.Cart)");
  private static final RoutedMethod OTHER = RoutedMethod.undeclared("com.acme.Carts", "other()");

  private static final List<RoutedMethod> ALL = List.of(LIST, LIST_ALL, FIND, INSERT, OTHER);

  @TempDir Path folder;

  @Test
  void theOrderOfRoutesDoesNotMatter() {
    List<RoutedMethod> shuffled = new ArrayList<>(ALL);
    Collections.reverse(shuffled);

    Inventory inventory = Inventory.of(ALL);

    assertThat(inventory.routes()).containsExactly(INSERT, OTHER, FIND, LIST_ALL, LIST);
    assertThat(Inventory.of(shuffled)).isEqualTo(inventory).hasSameHashCodeAs(inventory);
    assertThat(Inventory.of(shuffled).toJson()).isEqualTo(inventory.toJson());
  }

  @Test
  void whatReadsThePrimaryIsWhatSaysSoAndWhatSaysNothing() {
    assertThat(Inventory.of(ALL).primaryReads()).containsExactly(OTHER, FIND);
  }

  @Test
  void theTextIsReadBackEqual() {
    Inventory inventory = Inventory.of(ALL);

    assertThat(Inventory.parse(inventory.toText())).isEqualTo(inventory);
    assertThat(Inventory.parse("# comment\r\n\r\n" + inventory.toText().replace("\n", "\r\n")))
        .isEqualTo(inventory);
  }

  @Test
  void theJsonHasEveryFieldAndEscapesWhatItMust() {
    assertThat(Inventory.of(List.of(FIND, LIST)).toJson())
        .isEqualTo(
            """
            {
              "format": 1,
              "routes": [
                {
                  "repository": "com.acme.Orders",
                  "method": "find(long)",
                  "intent": "READ_PRIMARY",
                  "maxStaleness": null,
                  "fallback": null,
                  "catchUp": null,
                  "because": "shows \\"it\\" | <b>at\\nonce</b> \\u2013 \\u00fc"
                },
                {
                  "repository": "com.acme.Orders",
                  "method": "list(long)",
                  "intent": "READ_REPLICA",
                  "maxStaleness": "5s",
                  "fallback": "STALE",
                  "catchUp": "50ms",
                  "because": null
                }
              ]
            }
            """);
    assertThat(Inventory.of(List.of()).toJson())
        .isEqualTo("{\n  \"format\": 1,\n  \"routes\": []\n}\n");
  }

  @Test
  void aReasonStaysInItsMarkdownCell() {
    assertThat(Inventory.of(List.of(FIND, LIST, OTHER)).toMarkdown())
        .isEqualTo(
            """
            # Routed methods

            1 read a replica, 1 read the primary, 0 write, 1 declare nothing and read the primary.

            | Repository | Method | Intent | Max staleness | Fallback | Catch-up | Reason |
            | --- | --- | --- | --- | --- | --- | --- |
            | `com.acme.Carts` | `other()` | UNDECLARED | | | | |
            | `com.acme.Orders` | `find(long)` | READ PRIMARY | | | | shows "it" \\| \\<b\\>at\\\\nonce\\</b\\> – ü |
            | `com.acme.Orders` | `list(long)` | READ REPLICA | 5s | STALE | 50ms | |
            """);
  }

  @Test
  void oneMethodWithTwoIntentsIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> Inventory.of(List.of(OTHER, RoutedMethod.write("com.acme.Carts", "other()"))))
        .withMessage(
            "inventory - one method with two intents: com.acme.Carts#other() undeclared and"
                + " com.acme.Carts#other() write (expected: one; is an old build among the folders"
                + " and jars?)");
  }

  @Test
  void foldersAndJarsAreReadTogether() throws IOException {
    Path classes = folder.resolve("classes");
    Path file = classes.resolve(Inventory.ROUTES_FILE);
    Files.createDirectories(file.getParent());
    Files.writeString(file, Inventory.of(List.of(LIST, FIND)).toText());
    Path jar = folder.resolve("carts.jar");
    writeJar(jar, Inventory.ROUTES_FILE, Inventory.of(List.of(FIND, INSERT)).toText());
    Path without = folder.resolve("without.jar");
    writeJar(without, "readme", "");

    assertThat(Inventory.read(classes, jar, without))
        .isEqualTo(Inventory.of(List.of(LIST, FIND, INSERT)));
  }

  /** A build without the processor would otherwise pass every check. */
  @Test
  void aMissingInventoryIsNotAnEmptyOne() throws IOException {
    Path jar = folder.resolve("without.jar");
    writeJar(jar, "readme", "");

    assertThatThrownBy(() -> Inventory.read(folder, jar))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(
            "META-INF/leeway/routes: not in [%s, %s] (expected: classes compiled with the"
                    .formatted(folder, jar)
                + " leeway-repository-annotations processor)");
  }

  @Test
  void aDamagedInventoryNamesFileAndLine() throws IOException {
    Path file = folder.resolve(Inventory.ROUTES_FILE);
    Files.createDirectories(file.getParent());
    Files.writeString(file, OTHER + "\nnonsense\n");

    assertThatThrownBy(() -> Inventory.read(folder))
        .isInstanceOf(IOException.class)
        .hasMessage(
            folder
                + "!META-INF/leeway/routes line 2: not a route (expected: type#method(parameters)"
                + " and then replica, primary, write or undeclared)");
  }

  private static void writeJar(Path jar, String entry, String text) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      out.putNextEntry(new JarEntry(entry));
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }
}
