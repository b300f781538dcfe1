package dev.leeway.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What this machine's own apt configuration says about the archive it installs from.
 *
 * <p>No host is written here: a machine behind a mirror, a proxy or a company's copy of the archive
 * names it in its sources, and that is where packages are taken from.
 *
 * @param sites the archives to try, the most likely main archive first
 * @param suites the suites to take packages from
 * @param components the parts of the archive
 * @param serverPackages names of the server's package; the first that exists is taken
 * @param keyring what the archive must be signed with
 */
record AptSource(
    String distribution,
    List<String> sites,
    List<String> suites,
    List<String> components,
    List<String> serverPackages,
    Path keyring) {

  private static final Duration BOUND = Duration.ofSeconds(60);

  /** One line of {@code apt-get indextargets}. */
  record Target(String site, String release, String component, String origin, String label) {}

  /**
   * Asks this machine's apt-get.
   *
   * @param systemRoot where the files of the operating system are found
   */
  static AptSource ofThisMachine(Path aptGet, Path systemRoot) throws MySqlSource.Unavailable {
    // This question is answered only for lists that were fetched; container images have none.
    List<Target> targets = new ArrayList<>(targets(indexTargets(aptGet, true)));
    Set<String> known = targets.stream().map(Target::site).collect(Collectors.toSet());
    targets(indexTargets(aptGet, false)).stream()
        .filter(target -> !known.contains(target.site()))
        .forEach(targets::add);
    return choose(targets, osRelease(systemRoot), keyrings(systemRoot));
  }

  private static String indexTargets(Path aptGet, boolean releaseInfo)
      throws MySqlSource.Unavailable {
    Shell.Outcome outcome;
    try {
      outcome =
          Shell.run(
              BOUND,
              List.of(
                  aptGet.toString(),
                  "indextargets",
                  "-o",
                  "APT::Get::IndexTargets::ReleaseInfo=" + releaseInfo,
                  "--format",
                  "$(CREATED_BY)|$(SITE)|$(RELEASE)|$(COMPONENT)|$(ORIGIN)|$(LABEL)"));
    } catch (IOException e) {
      throw new MySqlSource.Unavailable(aptGet + " cannot be run: " + e.getMessage(), e);
    }
    if (!outcome.succeeded()) {
      throw new MySqlSource.Unavailable(
          "apt-get indextargets ended with code "
              + outcome.exitCode()
              + ": "
              + outcome.lastLines(2));
    }
    return outcome.output();
  }

  /**
   * Decides from what apt, the system and the keyring folder say; pure, so that it can be tested.
   */
  static AptSource choose(List<Target> targets, Map<String, String> osRelease, List<Path> keyrings)
      throws MySqlSource.Unavailable {
    String id = osRelease.getOrDefault("ID", "unknown");
    String codename = osRelease.getOrDefault("VERSION_CODENAME", "");
    if (!id.equals("debian") && !id.equals("ubuntu")) {
      throw new MySqlSource.Unavailable(
          "this system calls itself '" + id + "' (expected: debian or ubuntu)");
    }
    List<String> sites = mainArchives(targets, id, codename);
    if (sites.isEmpty()) {
      throw new MySqlSource.Unavailable(
          "apt's sources name no archive with a 'main' part; see apt-get indextargets");
    }
    Path keyring =
        keyrings.stream()
            .filter(path -> name(path).startsWith(id + "-archive-keyring."))
            .findFirst()
            .orElseThrow(
                () ->
                    new MySqlSource.Unavailable(
                        "no "
                            + id
                            + "-archive-keyring found in /usr/share/keyrings, so packages"
                            + " could not be trusted; install the package "
                            + id
                            + (id.equals("ubuntu") ? "-keyring" : "-archive-keyring")));
    if (id.equals("debian")) {
      // Debian's stable suites carry MariaDB only; MySQL stays in unstable.
      return new AptSource(
          id, sites, List.of("unstable"), List.of("main"), List.of("mysql-server-core"), keyring);
    }
    if (codename.isEmpty()) {
      throw new MySqlSource.Unavailable("/etc/os-release has no VERSION_CODENAME");
    }
    return new AptSource(
        id,
        sites,
        List.of(codename, codename + "-updates", codename + "-security"),
        List.of("main", "universe"),
        List.of("mysql-server-core", "mysql-server-core-8.4", "mysql-server-core-8.0"),
        keyring);
  }

  /** The lines of a private sources list for one of the sites. */
  List<String> sourcesList(String site) {
    return suites.stream()
        .map(
            suite ->
                "deb [signed-by="
                    + keyring
                    + "] "
                    + site
                    + " "
                    + suite
                    + " "
                    + String.join(" ", components))
        .toList();
  }

  /*
   * A site that apt has fetched from says whose archive it is; one that it has not (lists are often
   * removed from container images) is judged by offering the system's own release. Security archives
   * carry fixes only, so they come last.
   */
  private static List<String> mainArchives(List<Target> targets, String id, String codename) {
    Set<String> sites = new LinkedHashSet<>();
    for (int rank = 0; rank < 3; rank++) {
      for (Target target : targets) {
        if (target.component().equals("main") && rank(target, id, codename) == rank) {
          sites.add(target.site());
        }
      }
    }
    return List.copyOf(sites);
  }

  private static int rank(Target target, String id, String codename) {
    boolean fixesOnly =
        target.release().contains("security") || target.label().contains("Security");
    if (!fixesOnly && target.origin().equalsIgnoreCase(id)) {
      return 0;
    }
    if (!fixesOnly && target.origin().isEmpty() && target.release().equals(codename)) {
      return 1;
    }
    return fixesOnly || target.origin().isEmpty() ? 2 : Integer.MAX_VALUE;
  }

  static List<Target> targets(String printed) {
    List<Target> targets = new ArrayList<>();
    for (String line : printed.lines().toList()) {
      String[] parts = line.split("\\|", -1);
      if (parts.length == 6 && parts[0].equals("Packages")) {
        targets.add(
            new Target(
                parts[1], parts[2], parts[3], valueOrEmpty(parts[4]), valueOrEmpty(parts[5])));
      }
    }
    return targets;
  }

  /** apt prints a field that it does not know as its own name. */
  private static String valueOrEmpty(String field) {
    return field.startsWith("$(") ? "" : field;
  }

  private static Map<String, String> osRelease(Path systemRoot) throws MySqlSource.Unavailable {
    Path file = systemRoot.resolve("etc/os-release");
    try {
      return parseOsRelease(Files.readAllLines(file));
    } catch (IOException e) {
      throw new MySqlSource.Unavailable(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  static Map<String, String> parseOsRelease(List<String> lines) {
    return lines.stream()
        .filter(line -> line.matches("[A-Z_]+=.*"))
        .collect(
            Collectors.toMap(
                line -> line.substring(0, line.indexOf('=')),
                line -> line.substring(line.indexOf('=') + 1).replace("\"", "").strip(),
                (first, second) -> second));
  }

  private static List<Path> keyrings(Path systemRoot) {
    try (Stream<Path> files = Files.list(systemRoot.resolve("usr/share/keyrings"))) {
      return files.sorted().toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }
}
