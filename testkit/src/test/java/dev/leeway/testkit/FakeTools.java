package dev.leeway.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A folder of shell scripts that stand in for programs of the system, and settings that use it. */
final class FakeTools {
  private final Path folder;
  private final Map<String, String> environment = new HashMap<>();
  private final List<String> said = new ArrayList<>();
  private final List<String> noted = new ArrayList<>();

  FakeTools(Path folder) {
    this.folder = folder;
    environment.put("PATH", folder.resolve("bin").toString());
    environment.put("HOME", folder.resolve("home").toString());
    environment.put("LEEWAY_CACHE", folder.resolve("cache").toString());
  }

  /** Puts a program on the PATH that runs these lines of shell. */
  Path program(String name, String... lines) throws IOException {
    return script(folder.resolve("bin").resolve(name), lines);
  }

  /** Makes an executable file of these lines of shell. */
  Path script(Path file, String... lines) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }

  /** Makes the system a Debian with its keyring. */
  FakeTools debian() throws IOException {
    Path system = folder.resolve("system");
    Files.createDirectories(system.resolve("etc"));
    Files.writeString(system.resolve("etc/os-release"), "ID=debian\nVERSION_CODENAME=bookworm\n");
    Path keyrings = Files.createDirectories(system.resolve("usr/share/keyrings"));
    Files.createFile(keyrings.resolve("debian-archive-keyring.gpg"));
    return this;
  }

  FakeTools set(String name, String value) {
    environment.put(name, value);
    return this;
  }

  Settings settings() {
    return new Settings(environment, folder.resolve("system"));
  }

  Path cache() {
    return settings().cache();
  }

  Progress progress() {
    return new Progress(said::add, noted::add);
  }

  /** The progress lines so far. */
  List<String> said() {
    return said;
  }

  /** What was for the log alone. */
  List<String> noted() {
    return noted;
  }
}
