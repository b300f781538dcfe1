package dev.leeway.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Folders for an apt-get that knows nothing of the packages installed on this machine and changes
 * none of them. The machine's proxy and credential settings still hold.
 */
final class AptFolder {
  private final Path aptGet;
  private final Path folder;
  private final Path configuration;

  private AptFolder(Path aptGet, Path folder, Path configuration) {
    this.aptGet = aptGet;
    this.folder = folder;
    this.configuration = configuration;
  }

  static AptFolder create(Path aptGet, Path folder, AptSource source, String site)
      throws IOException {
    Files.createDirectories(folder.resolve("state/lists/partial"));
    Files.createDirectories(folder.resolve("cache/archives/partial"));
    Files.createDirectories(folder.resolve("empty"));
    Files.createDirectories(folder.resolve("log"));
    // Nothing counts as installed, so that every library the server needs comes with it.
    Files.createFile(folder.resolve("state/status"));
    Path sources = Files.write(folder.resolve("sources.list"), source.sourcesList(site));
    Path configuration =
        Files.write(
            folder.resolve("apt.conf"),
            List.of(
                "Dir::State \"" + folder.resolve("state") + "\";",
                "Dir::State::status \"" + folder.resolve("state/status") + "\";",
                "Dir::Cache \"" + folder.resolve("cache") + "\";",
                "Dir::Log \"" + folder.resolve("log") + "\";",
                "Dir::Etc::sourcelist \"" + sources + "\";",
                "Dir::Etc::sourceparts \"" + folder.resolve("empty") + "\";",
                "Dir::Etc::preferences \"" + folder.resolve("no-preferences") + "\";",
                "Dir::Etc::preferencesparts \"" + folder.resolve("empty") + "\";",
                // The machine's hooks tidy the machine's own folders; they have no business here.
                "#clear APT::Update::Pre-Invoke;",
                "#clear APT::Update::Post-Invoke;",
                "#clear APT::Update::Post-Invoke-Success;",
                "#clear DPkg::Pre-Invoke;",
                "#clear DPkg::Post-Invoke;",
                "#clear DPkg::Pre-Install-Pkgs;",
                "APT::Install-Recommends \"false\";",
                "APT::Keep-Downloaded-Packages \"true\";",
                "APT::Sandbox::User \"\";",
                "APT::Get::List-Cleanup \"false\";",
                "APT::Get::AllowUnauthenticated \"false\";",
                "Acquire::AllowInsecureRepositories \"false\";",
                "Acquire::Languages \"none\";",
                "Acquire::Retries \"2\";",
                "Acquire::http::Timeout \"30\";",
                "Acquire::https::Timeout \"30\";",
                // An update that fails must end as failed, not with the old lists and code 0.
                "APT::Update::Error-Mode \"any\";"));
    return new AptFolder(aptGet, folder, configuration);
  }

  Shell.Outcome run(Duration bound, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(List.of(aptGet.toString(), "-c", configuration.toString()));
    command.addAll(List.of(arguments));
    return Shell.run(bound, Map.of("LC_ALL", "C", "DEBIAN_FRONTEND", "noninteractive"), command);
  }

  /** The package files that were downloaded. */
  List<Path> packages() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("cache/archives"))) {
      return files.filter(file -> file.toString().endsWith(".deb")).sorted().toList();
    }
  }
}
