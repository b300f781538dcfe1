package dev.leeway.annotation.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.annotation.Inventory;
import dev.leeway.annotation.RoutedMethod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.TypeElement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InventoryFilesTest {
  private static final List<String> FILES =
      List.of(Inventory.ROUTES_FILE, Inventory.JSON_FILE, Inventory.MARKDOWN_FILE);

  private static final String ORDERS =
      """
      package shop;
      import dev.leeway.annotation.*;
      @RoutedRepository
      public interface Orders {
        @ReadReplica(maxStaleness = "5000ms", fallback = Fallback.STALE) String find(long id);
        @ReadPrimary(because = "tab\\t, \\"quote\\", \\u00fc") String find(String... names);
        String undeclared();
        interface Lines {
          @Write void add();
        }
      }
      """;
  private static final String CARTS =
      """
      package shop;
      public class Carts {
        @dev.leeway.annotation.Write public void save(java.util.Map.Entry<String, int[]> entry) {}
        void notListed() {}
      }
      """;

  @TempDir Path folder;

  private Compilation compilation(String output) {
    return Compilation.into(folder.resolve(output));
  }

  private static Compilation.Result successful(Compilation compilation) {
    Compilation.Result result = compilation.run();
    assertThat(result.success()).as(result.output()).isTrue();
    return result;
  }

  private static Map<String, String> files(Compilation.Result result) {
    return Map.of(
        FILES.get(0), result.file(FILES.get(0)),
        FILES.get(1), result.file(FILES.get(1)),
        FILES.get(2), result.file(FILES.get(2)));
  }

  @Test
  void everyRoutedMethodIsListedWithWhatItSays() {
    Compilation.Result result =
        successful(
            compilation("classes")
                .source("shop/Orders.java", ORDERS)
                .source("shop/Carts.java", CARTS));

    assertThat(result.file(Inventory.ROUTES_FILE))
        .isEqualTo(
            """
            shop.Carts#save(java.util.Map$Entry) write
            shop.Orders#find(java.lang.String[]) primary because="tab\\t, \\"quote\\", ü"
            shop.Orders#find(long) replica maxStaleness=5s fallback=STALE
            shop.Orders#undeclared() undeclared
            shop.Orders$Lines#add() write
            """);
    Inventory inventory = Inventory.parse(result.file(Inventory.ROUTES_FILE));
    assertThat(result.file(Inventory.JSON_FILE)).isEqualTo(inventory.toJson());
    assertThat(result.file(Inventory.MARKDOWN_FILE)).isEqualTo(inventory.toMarkdown());
  }

  @Test
  void theSameCodeGivesTheSameBytesInWhateverOrderItIsCompiled() {
    Compilation.Result one =
        successful(
            compilation("one").source("shop/Orders.java", ORDERS).source("shop/Carts.java", CARTS));
    Compilation.Result other =
        successful(
            compilation("other")
                .source("shop/Carts.java", CARTS)
                .source("shop/Orders.java", ORDERS));
    Compilation.Result again =
        successful(
            compilation("one").source("shop/Orders.java", ORDERS).source("shop/Carts.java", CARTS));

    assertThat(files(other)).isEqualTo(files(one));
    assertThat(files(again)).isEqualTo(files(one));
  }

  /** As an editor does that compiles one file at a time. */
  @Test
  void compilingOneFileKeepsTheOthersAndForgetsWhatIsGone() throws IOException {
    successful(
        compilation("classes").source("shop/Orders.java", ORDERS).source("shop/Carts.java", CARTS));

    Compilation.Result changed =
        successful(
            compilation("classes").source("shop/Carts.java", CARTS.replace("save(", "store(")));
    assertThat(Inventory.parse(changed.file(Inventory.ROUTES_FILE)).routes())
        .extracting(RoutedMethod::signature)
        .containsExactly(
            "store(java.util.Map$Entry)",
            "find(java.lang.String[])",
            "find(long)",
            "undeclared()",
            "add()");

    Files.delete(folder.resolve("classes/shop/Orders.class"));
    Files.delete(folder.resolve("classes/shop/Orders$Lines.class"));
    Compilation.Result without =
        successful(
            compilation("classes")
                .source("shop/Carts.java", CARTS.replace("@dev.leeway.annotation.Write", "")));
    for (String file : FILES) {
      assertThat(without.file(file)).doesNotContain("shop.");
    }
  }

  @Test
  void aRepositoryThatMovedToALibraryIsNotOurs() throws IOException {
    successful(compilation("library").source("shop/Orders.java", ORDERS));
    successful(
        compilation("classes").source("shop/Orders.java", ORDERS).source("shop/Carts.java", CARTS));
    Files.delete(folder.resolve("classes/shop/Orders.class"));
    Files.delete(folder.resolve("classes/shop/Orders$Lines.class"));

    Compilation.Result result =
        successful(
            compilation("classes")
                .classPath(folder.resolve("library"))
                .source("shop/Carts.java", CARTS));

    assertThat(result.file(Inventory.ROUTES_FILE))
        .isEqualTo("shop.Carts#save(java.util.Map$Entry) write\n");
  }

  @Test
  void aDamagedInventoryIsReplaced() throws IOException {
    Path file = folder.resolve("classes").resolve(Inventory.ROUTES_FILE);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "nonsense\n");

    Compilation.Result result = successful(compilation("classes").source("shop/Carts.java", CARTS));

    assertThat(result.file(Inventory.ROUTES_FILE))
        .isEqualTo("shop.Carts#save(java.util.Map$Entry) write\n");
  }

  @Test
  void codeWithoutIntentsHasNoInventory() {
    Compilation.Result result =
        successful(
            compilation("classes").source("shop/Plain.java", "package shop; class Plain {}"));

    assertThat(result.has("META-INF")).isFalse();
    assertThat(result.output()).isEmpty();
  }

  @Test
  void codeThatDoesNotCompileLeavesTheInventoryAsItIs() {
    Compilation.Result before = successful(compilation("classes").source("shop/Carts.java", CARTS));
    Map<String, String> files = files(before);

    Compilation.Result broken =
        compilation("classes").option("-Aleeway.strict").source("shop/Orders.java", ORDERS).run();

    assertThat(broken.success()).isFalse();
    assertThat(files(broken)).isEqualTo(files);
  }

  @Test
  void anInventoryThatCannotBeWrittenIsAnErrorWithItsCause() throws IOException {
    Path occupied = folder.resolve("classes").resolve(Inventory.ROUTES_FILE);
    Files.createDirectories(occupied.resolve("by a folder"));

    Compilation.Result result = compilation("classes").source("shop/Carts.java", CARTS).run();

    assertThat(result.success()).isFalse();
    assertThat(result.output())
        .startsWith("error: [LW-110] the inventory could not be written to the class output: ")
        .contains(Inventory.ROUTES_FILE.substring(Inventory.ROUTES_FILE.lastIndexOf('/')));
  }

  /** Writes {@code shop.Generated} in the first round, when it is told to. */
  private static final class Generator extends AbstractProcessor {
    private boolean done;

    @Override
    public Set<String> getSupportedAnnotationTypes() {
      return Set.of("*");
    }

    @Override
    public SourceVersion getSupportedSourceVersion() {
      return SourceVersion.latestSupported();
    }

    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
      if (!done) {
        done = true;
        write("Row", "package shop; public record Row(long id) {}");
        write(
            "Generated",
            """
            package shop;
            @dev.leeway.annotation.RoutedRepository
            public class Generated {
              @dev.leeway.annotation.Write public void save() {}
            }
            """);
      }
      return false;
    }

    private void write(String name, String text) {
      try (Writer out = processingEnv.getFiler().createSourceFile("shop." + name).openWriter()) {
        out.write(text);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void whatOtherProcessorsGenerateIsWaitedForListedAndRouted() {
    Compilation.Result result =
        successful(
            compilation("classes")
                .processor(new Generator())
                .option("-Aleeway.strict")
                .source(
                    "shop/Rows.java",
                    """
                    package shop;
                    @dev.leeway.annotation.RoutedRepository
                    public class Rows extends Generated {
                      @dev.leeway.annotation.ReadReplica
                      public Row find(java.util.List<? super Row[]> others) { return new Row(1); }
                    }
                    """));

    assertThat(result.file(Inventory.ROUTES_FILE))
        .isEqualTo(
            """
            shop.Generated#save() write
            shop.Rows#find(java.util.List) replica fallback=PRIMARY
            shop.Rows#save() write
            """);
    assertThat(result.has("shop/Rows_Routed.class")).isTrue();
    assertThat(result.has("shop/Generated_Routed.class")).isTrue();
  }
}
