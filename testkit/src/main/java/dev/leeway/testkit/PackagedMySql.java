package dev.leeway.testkit;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * MySQL from the packages of Debian or Ubuntu, unpacked into the cache folder.
 *
 * <p>Nothing is installed and no root is needed: apt-get works on folders of its own and only
 * downloads; dpkg only unpacks. The packages' own dynamic loader and libraries run the server, so
 * that it may be newer than the system.
 *
 * <p>What was unpacked is kept and used from then on, whatever the archive offers later.
 */
final class PackagedMySql implements MySqlSource {
  private static final Duration DOWNLOAD_BOUND = Duration.ofMinutes(10);
  private static final Duration UNPACK_BOUND = Duration.ofMinutes(2);
  private static final int MOST_CAUSES = 3;
  private static final String FAKE_TIME = "libfaketime";
  private static final String UNFINISHED = "unfinished-";

  private final Settings settings;

  PackagedMySql(Settings settings) {
    this.settings = settings;
  }

  @Override
  public String name() {
    return "Debian or Ubuntu packages";
  }

  @Override
  public ServerHost open(Progress progress) throws Unavailable {
    Path cache = settings.cache();
    Path server = cache.resolve("server");
    try {
      if (!Files.isDirectory(server)) {
        CacheLock.<Unavailable>whileHeld(
            cache,
            progress,
            () -> {
              // Whoever held the lock before may have finished it.
              if (!Files.isDirectory(server)) {
                removeUnfinished(cache);
                fetch(cache, server, progress);
              }
            });
      }
    } catch (IOException e) {
      throw new Unavailable("the cache " + cache + " cannot be used: " + e.getMessage(), e);
    }
    return LocalHost.open(installation(server), settings, progress);
  }

  /** An interrupted run leaves only a folder of this name, which nobody reads. */
  private static void removeUnfinished(Path cache) throws IOException {
    try (Stream<Path> children = Files.list(cache)) {
      for (Path child : children.toList()) {
        if (String.valueOf(child.getFileName()).startsWith(UNFINISHED)) {
          Folders.delete(child);
        }
      }
    }
  }

  private void fetch(Path cache, Path server, Progress progress) throws IOException, Unavailable {
    Path aptGet = tool("apt-get");
    Path dpkg = tool("dpkg");
    AptSource source = AptSource.ofThisMachine(aptGet, settings.systemRoot());
    Path work = Files.createTempDirectory(cache, UNFINISHED);
    try {
      long start = System.nanoTime();
      List<Path> packages = download(aptGet, source, work, progress);
      progress.say(
          "MySQL: downloaded "
              + packages.size()
              + " packages ("
              + megabytes(packages)
              + " MB) in "
              + Progress.seconds(start));
      Path unpacked = Files.createDirectory(work.resolve("root"));
      step(
          progress,
          "MySQL: unpacking into " + server,
          () -> {
            for (Path file : packages) {
              unpack(dpkg, file, unpacked);
            }
            return packages.size();
          });
      // A server that cannot even tell its version must not be kept for later runs.
      MySqlInstallation complete = installation(unpacked);
      Files.move(unpacked, server, StandardCopyOption.ATOMIC_MOVE);
      progress.say("MySQL: kept " + complete.version().text() + " in " + server);
    } catch (FileAlreadyExistsException e) {
      throw new IOException("it was changed by another process meanwhile: " + e.getMessage(), e);
    } finally {
      Folders.delete(work);
    }
  }

  private Path tool(String name) throws Unavailable {
    return settings
        .onPath(name)
        .orElseThrow(
            () -> new Unavailable("the PATH has no " + name + "; this way needs Debian or Ubuntu"));
  }

  private static List<Path> download(Path aptGet, AptSource source, Path work, Progress progress)
      throws IOException, Unavailable {
    // Archives mostly fail for one reason, such as a machine that is not online: said once.
    Map<String, List<String>> failures = new LinkedHashMap<>();
    int tried = 0;
    for (String site : source.sites()) {
      AptFolder apt = AptFolder.create(aptGet, work.resolve("apt-" + tried++), source, site);
      try {
        return download(apt, site, source, progress);
      } catch (Unavailable e) {
        failures.computeIfAbsent(e.getMessage(), why -> new ArrayList<>()).add(site);
      }
    }
    throw new Unavailable(
        failures.entrySet().stream()
            .map(failure -> String.join(" and ", failure.getValue()) + failure.getKey())
            .collect(Collectors.joining("; ")));
  }

  /**
   * @throws Unavailable with a message that goes on behind the name of the site
   */
  private static List<Path> download(
      AptFolder apt, String site, AptSource source, Progress progress)
      throws IOException, Unavailable {
    String from = site + " (" + String.join(", ", source.suites()) + ")";
    Shell.Outcome update =
        step(
            progress,
            "MySQL: reading the package lists of " + from,
            () -> apt.run(DOWNLOAD_BOUND, "update"));
    if (!update.succeeded()) {
      throw new Unavailable(explain(update, source));
    }
    String looking = "MySQL: looking for a server in " + from;
    for (String serverPackage : source.serverPackages()) {
      if (quietStep(progress, looking, () -> isOffered(apt, serverPackage))) {
        List<String> install = new ArrayList<>(List.of("--yes", "--download-only", "install"));
        install.add(serverPackage);
        if (quietStep(progress, looking, () -> isOffered(apt, FAKE_TIME))) {
          install.add(FAKE_TIME);
        }
        Shell.Outcome download =
            step(
                progress,
                "MySQL: downloading " + serverPackage + " and its libraries from " + from,
                () -> apt.run(DOWNLOAD_BOUND, install.toArray(String[]::new)));
        if (download.succeeded()) {
          return apt.packages();
        }
        throw new Unavailable(explain(download, source));
      }
    }
    throw new Unavailable(
        " (" + String.join(", ", source.suites()) + ") offers none of " + source.serverPackages());
  }

  private static boolean isOffered(AptFolder apt, String name) throws IOException {
    return apt.run(DOWNLOAD_BOUND, "--simulate", "install", name).succeeded();
  }

  private static String explain(Shell.Outcome outcome, AptSource source) {
    String said = causes(outcome);
    if (outcome.output().contains("NO_PUBKEY") || outcome.output().contains("not signed")) {
      return ": suite "
          + source.suites().get(0)
          + " is signed with a key that "
          + source.keyring()
          + " does not hold; update the package that brings this keyring ("
          + said
          + ")";
    }
    return " did not deliver; is this machine online? (" + said + ")";
  }

  /** apt-get tells an error of each file, with its address, and then that there were errors. */
  private static String causes(Shell.Outcome outcome) {
    List<String> errors =
        outcome
            .output()
            .lines()
            .filter(line -> line.startsWith("E: ") && !line.startsWith("E: Some index files"))
            .map(line -> line.substring(3).replaceFirst("^Failed to fetch \\S+\\s+", "").strip())
            .distinct()
            .limit(MOST_CAUSES)
            .toList();
    return errors.isEmpty() ? outcome.lastLines(3) : String.join(" / ", errors);
  }

  private static void unpack(Path dpkg, Path file, Path into) throws IOException {
    Shell.Outcome outcome =
        Shell.run(
            UNPACK_BOUND, List.of(dpkg.toString(), "--extract", file.toString(), into.toString()));
    if (!outcome.succeeded()) {
      throw new IOException("dpkg could not unpack " + file + ": " + outcome.lastLines(2));
    }
  }

  /** Describes an unpacked server, and proves that it runs. */
  private static MySqlInstallation installation(Path root) throws Unavailable {
    Path usr = root.resolve("usr");
    Path mysqld = usr.resolve("sbin/mysqld");
    Path loader = loader(root);
    List<Path> libraries =
        Stream.of("usr/lib", "lib")
            .map(
                folder -> root.resolve(folder).resolve(name(loader.resolveSibling("").normalize())))
            .filter(Files::isDirectory)
            .flatMap(folder -> Stream.of(folder, folder.resolve("private")))
            .filter(Files::isDirectory)
            .toList();
    List<String> launcher =
        List.of(
            loader.toString(),
            "--library-path",
            String.join(":", libraries.stream().map(Path::toString).toList()));
    MySqlVersion version = MySqlInstallation.versionOf(launcher, mysqld);
    return new MySqlInstallation(
        "MySQL " + version.text() + " from packages kept in " + root,
        version,
        launcher,
        mysqld,
        List.of(
            "--basedir=" + usr,
            "--lc-messages-dir=" + usr.resolve("share/mysql"),
            "--character-sets-dir=" + usr.resolve("share/mysql/charsets"),
            "--plugin-dir=" + usr.resolve("lib/mysql/plugin")),
        FakeTime.find(List.of(usr.resolve("lib"))));
  }

  private static Path loader(Path root) throws Unavailable {
    for (String folder : List.of("usr/lib", "lib")) {
      Path libraries = root.resolve(folder);
      if (Files.isDirectory(libraries)) {
        try (Stream<Path> files = Files.walk(libraries, 2)) {
          Optional<Path> found =
              files
                  .filter(file -> name(file).matches("ld-linux-.*\\.so\\.\\d+"))
                  // Some libraries' loader is a link to an absolute path outside of the folder.
                  .filter(Files::isRegularFile)
                  .findFirst();
          if (found.isPresent()) {
            return found.get();
          }
        } catch (IOException e) {
          throw new Unavailable(libraries + " cannot be read: " + e.getMessage(), e);
        }
      }
    }
    throw new Unavailable("no dynamic loader in " + root + "; remove that folder to fetch it anew");
  }

  private static <T> T step(Progress progress, String doing, Callable<T> step)
      throws IOException, Unavailable {
    progress.say(doing);
    return quietStep(progress, doing, step);
  }

  /** As a step, but not worth a line unless it takes long. */
  private static <T> T quietStep(Progress progress, String doing, Callable<T> step)
      throws IOException, Unavailable {
    try {
      return progress.step(doing, step);
    } catch (IOException | RuntimeException | Unavailable e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  private static long megabytes(List<Path> files) throws IOException {
    long bytes = 0;
    for (Path file : files) {
      bytes += Files.size(file);
    }
    return bytes >> 20;
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }
}
