package dev.leeway.cli.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A topology file on disk. */
public final class TopologyFile {
  /** A topology takes a few hundred bytes; what is much larger is another file. */
  private static final long MOST_BYTES = 1 << 20;

  private TopologyFile() {}

  /**
   * Reads a file.
   *
   * @param environment where {@code passwordEnv} is looked up
   * @throws ConfigurationException if it cannot be read or used; the message lists every problem
   */
  public static Topology read(Path file, Map<String, String> environment) {
    String text;
    try {
      if (Files.isDirectory(file)) {
        throw unreadable(file, "it is a folder");
      }
      if (Files.size(file) > MOST_BYTES) {
        throw unreadable(file, "it has " + Files.size(file) + " bytes, at most " + MOST_BYTES);
      }
      text = Files.readString(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw unreadable(file, "there is no such file");
    } catch (AccessDeniedException e) {
      throw unreadable(file, "this user may not read it");
    } catch (CharacterCodingException e) {
      throw unreadable(file, "it is not UTF-8 text");
    } catch (IOException e) {
      throw unreadable(file, String.valueOf(e.getMessage()));
    }
    return new TopologyReader(file, environment).read(text);
  }

  private static ConfigurationException unreadable(Path file, String why) {
    return new ConfigurationException(
        List.of(file + ": cannot be read: " + why + " (expected: a YAML file naming the servers)"));
  }
}
