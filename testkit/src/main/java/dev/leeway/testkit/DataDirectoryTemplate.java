package dev.leeway.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * An initialised data directory with the accounts in it, made once per server version and copied
 * for every server. Initialising takes seconds, copying a fraction of one.
 */
final class DataDirectoryTemplate {
  private static final Duration INITIALISE_BOUND = Duration.ofMinutes(3);

  /** Options that are fixed when a data directory is made; a start with others is refused. */
  private static final List<String> FIXED_AT_BIRTH =
      List.of(
          "--lower-case-table-names",
          "--innodb-page-size",
          "--innodb-data-file-path",
          "--innodb-undo-directory");

  private DataDirectoryTemplate() {}

  /** The folder of the template, made now if need be. */
  static Path prepare(
      MySqlInstallation installation, List<String> options, Path cache, Progress progress)
      throws IOException {
    List<String> command = initialise(installation, options);
    Path template = cache.resolve("templates").resolve(key(installation, command));
    if (!Files.isDirectory(template)) {
      CacheLock.whileHeld(
          cache,
          progress,
          () -> {
            if (!Files.isDirectory(template)) {
              make(command, template, progress);
            }
          });
    }
    return template;
  }

  private static void make(List<String> command, Path template, Progress progress)
      throws IOException {
    Path folder = Files.createDirectories(template.resolveSibling(""));
    Path work = Files.createTempDirectory(folder, "unfinished-");
    try {
      Path data = work.resolve("data");
      Path accounts = Files.write(work.resolve("accounts.sql"), Accounts.statements());
      List<String> complete = new ArrayList<>(command);
      complete.add("--init-file=" + accounts);
      complete.add("--datadir=" + data);
      String doing = "MySQL: initialising a data directory (once)";
      progress.say(doing);
      Shell.Outcome outcome = progress.step(doing, () -> Shell.run(INITIALISE_BOUND, complete));
      if (!outcome.succeeded()) {
        throw new IOException(
            "mysqld --initialize-insecure ended with code "
                + outcome.exitCode()
                + ": "
                + outcome.lastLines(5));
      }
      // The identity of a server; each copy makes its own.
      Files.deleteIfExists(data.resolve("auto.cnf"));
      Files.move(data, template, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    } finally {
      Folders.delete(work);
    }
  }

  private static List<String> initialise(MySqlInstallation installation, List<String> options) {
    List<String> command = new ArrayList<>(installation.command());
    command.add("--initialize-insecure");
    command.addAll(LocalProcess.storageOptions());
    options.stream()
        .filter(option -> FIXED_AT_BIRTH.stream().anyMatch(option.replace('_', '-')::startsWith))
        .forEach(command::add);
    return command;
  }

  private static String key(MySqlInstallation installation, List<String> command)
      throws IOException {
    String all =
        installation.version().text()
            + '\n'
            + Files.getLastModifiedTime(installation.mysqld())
            + '\n'
            + String.join("\n", command)
            + '\n'
            + String.join("\n", Accounts.statements());
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(all.getBytes(StandardCharsets.UTF_8));
      return installation.version().text() + "-" + HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
