package dev.leeway.testkit;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * What the environment says; a value, so that tests can hand in another one.
 *
 * @param systemRoot where the files of the operating system are found
 */
record Settings(Map<String, String> environment, Path systemRoot) {
  Settings {
    environment = Map.copyOf(environment);
  }

  static Settings ofThisProcess() {
    return new Settings(System.getenv(), Path.of("/"));
  }

  Optional<String> get(String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
  }

  /** Where downloaded servers and data directory templates are kept. */
  Path cache() {
    return get("LEEWAY_CACHE")
        .map(Path::of)
        .orElseGet(
            () ->
                get("XDG_CACHE_HOME")
                    .map(Path::of)
                    .orElseGet(() -> home().resolve(".cache"))
                    .resolve("leeway"))
        .resolve("mysql")
        .toAbsolutePath();
  }

  /** The program of this name, as a shell would find it. */
  Optional<Path> onPath(String program) {
    return Arrays.stream(get("PATH").orElse("").split(File.pathSeparator, -1))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder).resolve(program))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }

  Path home() {
    return Path.of(get("HOME").orElseGet(() -> System.getProperty("user.home")));
  }
}
