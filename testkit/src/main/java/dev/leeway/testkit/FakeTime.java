package dev.leeway.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds libfaketime, which gives a single process a clock of its own. */
final class FakeTime {
  private static final String LIBRARY = "faketime/libfaketimeMT.so.1";

  private FakeTime() {}

  /** Looks in the library folders themselves and in those one level below, as Debian has them. */
  static Optional<Path> find(List<Path> libraryFolders) {
    return libraryFolders.stream()
        .flatMap(folder -> Stream.concat(Stream.of(folder), children(folder).stream()))
        .map(folder -> folder.resolve(LIBRARY))
        .filter(Files::isRegularFile)
        .findFirst();
  }

  private static List<Path> children(Path folder) {
    try (Stream<Path> children = Files.list(folder)) {
      return children.sorted().toList();
    } catch (IOException e) {
      return List.of();
    }
  }
}
