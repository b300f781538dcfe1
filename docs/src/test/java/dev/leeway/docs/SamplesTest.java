package dev.leeway.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A page shows Java that is compiled.
 *
 * <p>Each block names the region it is a copy of: {@code <!-- OrderRepository.java#reads -->} in
 * the line before stands for the lines between {@code // tag::reads[]} and {@code // end::reads[]}.
 */
class SamplesTest {
  private static final Pattern BLOCK =
      Pattern.compile("(?:<!-- (\\S+) -->\\n)?```java\\n(.*?)```\\n", Pattern.DOTALL);

  private static final List<String> PAGES =
      List.of(
          "README.md",
          "docs/annotations.md",
          "docs/drills.md",
          "docs/frameworks.md",
          "docs/jobs.md",
          "docs/observability.md",
          "docs/requests.md",
          "docs/proxy.md",
          "docs/settings.md",
          "docs/testkit.md");

  record Sample(String page, String origin, String text) {
    @Override
    public String toString() {
      return page + ": " + (origin.isEmpty() ? text.lines().findFirst().orElse("") : origin);
    }
  }

  static Stream<Sample> samples() throws IOException {
    List<Sample> samples = new ArrayList<>();
    for (String page : PAGES) {
      Matcher block = BLOCK.matcher(Files.readString(Project.ROOT.resolve(page)));
      while (block.find()) {
        String origin = block.group(1);
        samples.add(new Sample(page, origin == null ? "" : origin, block.group(2)));
      }
    }
    return samples.stream();
  }

  @Test
  void thePagesHaveSamples() throws IOException {
    assertThat(samples().map(Sample::page)).containsAll(PAGES);
  }

  @ParameterizedTest
  @MethodSource("samples")
  void aJavaBlockIsARegionOfACompiledSource(Sample sample) throws IOException {
    assertThat(sample.origin())
        .as("a block without the region it is a copy of; put <!-- File.java#tag --> before it")
        .matches("\\w+\\.java#[\\w-]+");
    String file = sample.origin().substring(0, sample.origin().indexOf('#'));
    String tag = sample.origin().substring(sample.origin().indexOf('#') + 1);

    List<String> regions = new ArrayList<>();
    for (Path source : Project.javaSources()) {
      if (source.getFileName().toString().equals(file)) {
        region(source, tag).ifPresent(regions::add);
      }
    }

    assertThat(regions).as("'%s' in files named %s", tag, file).containsExactly(sample.text());
  }

  /**
   * The pieces of a file that carry the tag, joined: a piece may leave out what only a test needs.
   */
  private static Optional<String> region(Path source, String tag) throws IOException {
    List<String> lines = new ArrayList<>();
    boolean inside = false;
    for (String line : Files.readAllLines(source)) {
      String text = line.strip();
      if (text.equals("// tag::" + tag + "[]")) {
        inside = true;
      } else if (text.equals("// end::" + tag + "[]")) {
        inside = false;
      } else if (inside && !text.matches("// (tag|end)::.*")) {
        lines.add(line);
      }
    }
    return lines.isEmpty()
        ? Optional.empty()
        : Optional.of(String.join("\n", lines).stripTrailing().stripIndent() + "\n");
  }
}
