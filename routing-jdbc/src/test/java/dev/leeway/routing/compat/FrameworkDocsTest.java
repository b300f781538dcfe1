package dev.leeway.routing.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The code on the pages is code of these tests.
 *
 * <p>A page marks a block with the name of a region and the class it is in. Run with {@code
 * -Dleeway.docs.write=true} to have the pages written anew from the sources.
 */
class FrameworkDocsTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Path SOURCES = Path.of("src", "test", "java");
  private static final Pattern BLOCK =
      Pattern.compile(
          "(<!-- region ([\\w-]+): (\\w+) -->\n)(.*?)(<!-- end region -->)", Pattern.DOTALL);

  @ParameterizedTest
  @ValueSource(strings = {"frameworks.md", "observability.md"})
  void theCodeOnThePageIsTheCodeOfTheTests(String name) throws IOException {
    Path file = DOCS.resolve(name);
    String page = Files.readString(file);
    List<String> regions = new ArrayList<>();
    Matcher blocks = BLOCK.matcher(page);
    StringBuilder expected = new StringBuilder();
    while (blocks.find()) {
      String code = region(blocks.group(3), blocks.group(2));
      regions.add(blocks.group(2));
      blocks.appendReplacement(
          expected,
          Matcher.quoteReplacement(
              blocks.group(1) + "```java\n" + code + "```\n" + blocks.group(5)));
    }
    blocks.appendTail(expected);
    if (Boolean.getBoolean("leeway.docs.write")) {
      Files.writeString(file, expected);
    }

    assertThat(regions).isNotEmpty();
    assertThat(Files.readString(file)).isEqualTo(expected.toString());
  }

  /** The lines of a region without the indentation they have in common. */
  private static String region(String className, String region) throws IOException {
    List<String> lines = new ArrayList<>();
    boolean inside = false;
    for (String line : Files.readAllLines(source(className))) {
      if (line.strip().equals("// region " + region)) {
        inside = true;
      } else if (line.strip().equals("// end region")) {
        inside = false;
      } else if (inside) {
        lines.add(line);
      }
    }
    assertThat(lines).as("region %s of %s", region, className).isNotEmpty();
    int indentation =
        lines.stream()
            .filter(line -> !line.isBlank())
            .mapToInt(line -> line.length() - line.stripLeading().length())
            .min()
            .orElse(0);
    return lines.stream()
        .map(line -> line.isBlank() ? "" : line.substring(indentation))
        .collect(Collectors.joining("\n", "", "\n"))
        .stripTrailing()
        .concat("\n");
  }

  private static Path source(String className) throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      return files
          .filter(file -> file.getFileName().toString().equals(className + ".java"))
          .findFirst()
          .orElseThrow();
    }
  }
}
