package dev.leeway.annotation.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.annotation.Inventory;
import dev.leeway.annotation.RoutesLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The guide shows code that compiles, and files as they are really written. */
class GuideTest {
  private static final Path GUIDE = Path.of("../docs/annotations.md");
  private static final Path SAMPLES = Path.of("src/test/resources/guide");
  private static final Pattern BLOCK =
      Pattern.compile("(?:<!-- (\\S+) -->\\n)?```(\\w*)\\n(.*?)```\\n", Pattern.DOTALL);

  @TempDir Path classes;

  private Compilation.Result compiled;

  @BeforeEach
  void compile() throws IOException {
    Compilation compilation =
        Compilation.into(classes)
            .option("-Aleeway.strict")
            .option("-Xlint:all,-path,-processing")
            .option("-Werror");
    try (Stream<Path> files = Files.walk(SAMPLES)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
        compilation.source(
            SAMPLES.relativize(file).toString().replace('\\', '/'), Files.readString(file));
      }
    }
    compiled = compilation.run();
    assertThat(compiled.success()).as(compiled.output()).isTrue();
  }

  private record Block(String origin, String language, String text) {}

  private static List<Block> blocks() throws IOException {
    List<Block> blocks = new ArrayList<>();
    Matcher block = BLOCK.matcher(Files.readString(GUIDE));
    while (block.find()) {
      String origin = block.group(1);
      blocks.add(new Block(origin == null ? "" : origin, block.group(2), block.group(3)));
    }
    return blocks;
  }

  @Test
  void everyJavaBlockIsARegionOfACompiledSample() throws IOException {
    List<Block> java = blocks().stream().filter(block -> block.language().equals("java")).toList();

    assertThat(java).hasSizeGreaterThanOrEqualTo(5);
    for (Block block : java) {
      assertThat(block.origin()).as(block.text()).matches("\\w+\\.java#[\\w-]+");
      assertThat(block.text()).isEqualTo(region(block.origin()));
    }
  }

  @Test
  void theLockInTheGuideIsTheLockOfTheSamples() throws IOException {
    assertThat(textOf("routes.lock")).isEqualTo(RoutesLock.of(Inventory.read(classes)).toText());
  }

  @Test
  void theRoutesInTheGuideAreThoseOfTheSamples() throws IOException {
    assertThat(textOf("routes")).isEqualTo(compiled.file(Inventory.ROUTES_FILE));
  }

  @Test
  void theErrorInTheGuideIsWhatTheCompilerSays() throws IOException {
    String source = region("OrderRepository.java#interface").replaceFirst("  @Write\n", "");

    Compilation.Result result =
        Compilation.into(classes.resolve("broken"))
            .classPath(classes)
            .option("-Aleeway.strict")
            .source(
                "OrderRepository.java",
                "package shop; import dev.leeway.annotation.*; import java.util.*;\n" + source)
            .run();

    assertThat(result.output().lines().findFirst()).contains(textOf("error").strip());
  }

  private static String textOf(String origin) throws IOException {
    return blocks().stream()
        .filter(block -> block.origin().equals(origin))
        .map(Block::text)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no block " + origin));
  }

  private static String region(String origin) throws IOException {
    String file = origin.substring(0, origin.indexOf('#'));
    String tag = origin.substring(origin.indexOf('#') + 1);
    List<String> lines = Files.readAllLines(SAMPLES.resolve("shop").resolve(file));
    List<String> region = new ArrayList<>();
    boolean inside = false;
    for (String line : lines) {
      if (line.strip().equals("// end::" + tag + "[]")) {
        inside = false;
      }
      if (inside) {
        region.add(line);
      }
      if (line.strip().equals("// tag::" + tag + "[]")) {
        inside = true;
      }
    }
    return String.join("\n", region).stripIndent().stripTrailing() + "\n";
  }
}
