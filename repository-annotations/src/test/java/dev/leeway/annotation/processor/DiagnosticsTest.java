package dev.leeway.annotation.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each folder below {@code diagnostics} holds sources, options if there are any, and everything the
 * compiler says about them. Run with {@code -Dleeway.golden=write} to take over what it says now.
 */
class DiagnosticsTest {
  private static final Path CASES = Path.of("src/test/resources/diagnostics");
  private static final Path GUIDE = Path.of("../docs/annotations.md");

  @TempDir Path classes;

  static List<Path> cases() throws IOException {
    try (Stream<Path> folders = Files.list(CASES)) {
      return folders.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theCompilerSaysExactlyThis(Path folder) throws IOException {
    Compilation compilation = Compilation.into(classes);
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
        compilation.source(
            folder.relativize(file).toString().replace('\\', '/'), Files.readString(file));
      }
    }
    Path options = folder.resolve("options.txt");
    if (Files.exists(options)) {
      Files.readAllLines(options).forEach(compilation::option);
    }

    Compilation.Result result = compilation.run();

    Path expected = folder.resolve("expected.txt");
    if ("write".equals(System.getProperty("leeway.golden"))) {
      Files.writeString(expected, result.output());
    }
    assertThat(result.output()).isEqualTo(Files.readString(expected));
    assertThat(result.success()).isEqualTo(!result.output().contains("error: "));
  }

  @ParameterizedTest
  @EnumSource(Diagnostic.class)
  void everyDiagnosticIsExplainedInTheGuide(Diagnostic diagnostic) throws IOException {
    assertThat(Files.readAllLines(GUIDE))
        .anySatisfy(line -> assertThat(line).startsWith("### " + diagnostic.id() + ":"));
  }

  @Test
  void everyDiagnosticOfTheCompilerHasACase() throws IOException {
    StringBuilder all = new StringBuilder();
    for (Path folder : cases()) {
      all.append(Files.readString(folder.resolve("expected.txt")));
    }

    for (Diagnostic diagnostic : Diagnostic.values()) {
      // Needs a disk that refuses, not a source; InventoryFilesTest has it.
      if (diagnostic != Diagnostic.INVENTORY) {
        assertThat(all).contains("[" + diagnostic.id() + "]");
      }
    }
  }
}
