package dev.leeway.annotation.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.annotation.Inventory;
import dev.leeway.annotation.ReadReplica;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** As a build uses it: javac finds the processors in a jar and makes a class loader for them. */
class ProcessorPathTest {
  @TempDir Path folder;

  @Test
  void javacFindsTheProcessorsInTheJar() throws Exception {
    Path jar = folder.resolve("processor.jar");
    writeJar(classesOfThisModule(), jar);

    Compilation.Result result =
        Compilation.into(folder.resolve("classes"))
            .option("-Xlint:all,-path,-processing")
            .option("-Aleeway.strict=warn")
            .source(
                "Orders.java",
                """
                import dev.leeway.annotation.*;
                @RoutedRepository
                class Orders {
                  @ReadReplica public void find() {}
                  public void other() { }
                  Orders() { find(); }
                }
                """)
            .runWithProcessorPath(jar.toString());

    assertThat(result.success()).as(result.output()).isTrue();
    // Both are found: what is seen in declarations, and what is seen in resolved method bodies.
    assertThat(result.output()).contains("[LW-101]", "[LW-105]", "2 warnings");
    assertThat(result.has("Orders_Routed.class")).isTrue();
    assertThat(result.file(Inventory.ROUTES_FILE))
        .isEqualTo("Orders#find() replica fallback=PRIMARY\nOrders#other() undeclared\n");
  }

  /** A named module does not read everything that is there. */
  @Test
  void aModuleNeedsNothingButTheAnnotations() throws Exception {
    Path jar = folder.resolve("processor.jar");
    writeJar(classesOfThisModule(), jar);

    Compilation.Result result =
        Compilation.into(folder.resolve("classes"))
            .option("--module-path")
            .option(jar.toString())
            .option("--add-modules")
            .option("java.compiler")
            .source("module-info.java", "module shop { requires dev.leeway.annotation; }")
            .source(
                "shop/Orders.java",
                """
                package shop;
                import dev.leeway.annotation.*;
                @RoutedRepository
                public class Orders {
                  @ReadReplica public void find() {}
                }
                """)
            .runWithProcessorPath(jar.toString());

    assertThat(result.success()).as(result.output()).isTrue();
    assertThat(result.output()).isEmpty();
    assertThat(result.has("shop/Orders_Routed.class")).isTrue();
    assertThat(result.file(Inventory.ROUTES_FILE))
        .isEqualTo("shop.Orders#find() replica fallback=PRIMARY\n");
  }

  private static Path classesOfThisModule() throws URISyntaxException {
    return Path.of(ReadReplica.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static void writeJar(Path classes, Path jar) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest());
        Stream<Path> entries = Files.walk(classes)) {
      for (Path entry : entries.filter(Files::isRegularFile).sorted().toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(entry).toString().replace('\\', '/')));
        Files.copy(entry, out);
      }
    }
  }

  private static Manifest manifest() {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().putValue("Manifest-Version", "1.0");
    manifest.getMainAttributes().putValue("Automatic-Module-Name", "dev.leeway.annotation");
    return manifest;
  }
}
