package dev.leeway.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The project's files as they lie on disk. */
final class Project {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private Project() {}

  /** README.md, ARCHITECTURE.md and the pages under docs. */
  static List<Path> pages() throws IOException {
    try (Stream<Path> top = Files.list(ROOT);
        Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      return Stream.concat(top, docs)
          .filter(file -> file.toString().endsWith(".md"))
          .sorted()
          .toList();
    }
  }

  /** Every Java source of every module, build output left out. */
  static List<Path> javaSources() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !ROOT.relativize(file).toString().contains("target"))
          .sorted()
          .toList();
    }
  }
}
