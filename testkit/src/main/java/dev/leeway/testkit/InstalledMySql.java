package dev.leeway.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A MySQL that is already on the machine: in {@code LEEWAY_MYSQL_HOME}, or on the PATH. */
final class InstalledMySql implements MySqlSource {
  private static final String HOME = "LEEWAY_MYSQL_HOME";

  private final Settings settings;

  InstalledMySql(Settings settings) {
    this.settings = settings;
  }

  @Override
  public String name() {
    return HOME + " or a mysqld on the PATH";
  }

  @Override
  public ServerHost open(Progress progress) throws Unavailable {
    Optional<String> home = settings.get(HOME);
    if (home.isPresent()) {
      try {
        return LocalHost.open(inHome(Path.of(home.get()).toAbsolutePath()), settings, progress);
      } catch (Unavailable e) {
        // Whoever names a server wants that one; running on another would test something else.
        throw new NoMySqlException(
            "testkit - "
                + HOME
                + " names a server that cannot be used: "
                + e.getMessage()
                + ". Correct it, or unset it to let another way be tried.");
      }
    }
    return LocalHost.open(onPath(), settings, progress);
  }

  private static MySqlInstallation inHome(Path home) throws Unavailable {
    Path mysqld =
        Stream.of("bin/mysqld", "sbin/mysqld", "libexec/mysqld")
            .map(home::resolve)
            .filter(Files::isExecutable)
            .findFirst()
            .orElseThrow(
                () ->
                    new Unavailable(
                        home + " has no bin/mysqld (expected: the folder MySQL was installed to)"));
    return installation(mysqld, List.of("--basedir=" + home));
  }

  private MySqlInstallation onPath() throws Unavailable {
    Path mysqld =
        settings
            .onPath("mysqld")
            .orElseThrow(() -> new Unavailable(HOME + " is not set and the PATH has no mysqld"));
    return installation(mysqld, List.of());
  }

  private static MySqlInstallation installation(Path mysqld, List<String> options)
      throws Unavailable {
    MySqlVersion version = MySqlInstallation.versionOf(List.of(), mysqld);
    return new MySqlInstallation(
        "MySQL " + version.text() + " installed at " + mysqld,
        version,
        List.of(),
        mysqld,
        options,
        FakeTime.find(List.of(Path.of("/usr/lib"), Path.of("/usr/local/lib"))));
  }
}
