package dev.leeway.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MySqlSourcesTest {
  private static final String MARIADB =
      "echo 'mysqld  Ver 10.11.6-MariaDB for debian-linux-gnu on x86_64 (Debian 12)'";
  private static final String TARGETS =
      "echo 'Packages|http://archive.test/debian|bookworm|main|Debian|Debian'";

  @TempDir private Path folder;
  private FakeTools tools;

  @BeforeEach
  void createTools() {
    tools = new FakeTools(folder);
  }

  @Test
  void whenNoWayWorksTheErrorListsAllThreeWithTheirReasons() {
    assertThatThrownBy(this::open)
        .isInstanceOf(NoMySqlException.class)
        .hasMessageMatching(
            "testkit - no MySQL server could be had\\. Tried:"
                + " \\(1\\) LEEWAY_MYSQL_HOME or a mysqld on the PATH: LEEWAY_MYSQL_HOME is not set"
                + " and the PATH has no mysqld;"
                + " \\(2\\) Testcontainers' MySQL: no Docker engine answers.*;"
                + " \\(3\\) Debian or Ubuntu packages: the PATH has no apt-get; this way needs Debian"
                + " or Ubuntu\\. Make one of them work; the quickest is to install MySQL 8\\.0\\.23"
                + " or later and point LEEWAY_MYSQL_HOME at it\\.");
    assertThat(tools.said()).isEmpty();
    assertThat(tools.noted()).hasSize(3).allMatch(line -> line.startsWith("MySQL: not from "));
  }

  @Test
  void whoeverWaitsIsToldTheOneWayThatWorksAndTheLogTheOthers() throws Exception {
    ServerHost host = new Host();
    MySqlSource closed = new Source("one way", Optional.empty());
    MySqlSource open = new Source("another way", Optional.of(host));

    ServerHost opened = new MySqlSources(List.of(closed, open)).open(tools.progress());

    assertThat(opened).isSameAs(host);
    assertThat(tools.said()).containsExactly("MySQL: using a server for tests");
    assertThat(tools.noted()).containsExactly("MySQL: not from one way: it is closed");
  }

  @Test
  void aMariaDbOnThePathIsRefusedAndTheNextWayIsTried() throws IOException {
    tools.program("mysqld", MARIADB);

    assertThatThrownBy(this::open)
        .isInstanceOf(NoMySqlException.class)
        .hasMessageContaining("mysqld is MariaDB 10.11.6-MariaDB, whose GTIDs are not MySQL's")
        .hasMessageContaining("(3) Debian or Ubuntu packages");
  }

  @Test
  void aMariaDbThatWasAskedForByNameEndsTheSearch() throws IOException {
    tools.script(folder.resolve("mariadb/bin/mysqld"), MARIADB);
    tools.set("LEEWAY_MYSQL_HOME", folder.resolve("mariadb").toString());

    assertThatThrownBy(this::open)
        .isInstanceOf(NoMySqlException.class)
        .hasMessageContaining("LEEWAY_MYSQL_HOME names a server that cannot be used")
        .hasMessageContaining("is MariaDB 10.11.6-MariaDB")
        .hasMessageEndingWith("Correct it, or unset it to let another way be tried.");
    assertThat(tools.said()).isEmpty();
  }

  @Test
  void aHomeWithoutServerIsNamed() {
    tools.set("LEEWAY_MYSQL_HOME", folder.resolve("nothing").toString());

    assertThatThrownBy(this::open)
        .isInstanceOf(NoMySqlException.class)
        .hasMessageContaining("nothing has no bin/mysqld");
  }

  @Test
  void aServerThatCannotInitialiseIsNoWay() throws IOException {
    tools.program(
        "mysqld",
        "case \"$*\" in",
        "  *--version*) echo 'mysqld  Ver 8.4.3 for Linux on x86_64' ;;",
        "  *) echo 'forbidden by a profile'; exit 1 ;;",
        "esac");

    assertThatThrownBy(this::open)
        .isInstanceOf(NoMySqlException.class)
        .hasMessageContaining("MySQL 8.4.3 installed at")
        .hasMessageContaining("ended with code 1: forbidden by a profile");
    assertThat(tools.cache().resolve("templates")).isEmptyDirectory();
  }

  @Test
  void anArchiveThatCannotBeReachedAsksWhetherTheMachineIsOnline() throws IOException {
    withApt("*update*) echo 'Err: Could not resolve archive.test'; exit 100 ;;");

    assertThatThrownBy(this::open)
        .isInstanceOf(NoMySqlException.class)
        .hasMessageContaining(
            "http://archive.test/debian did not deliver; is this machine online? (Err: Could not"
                + " resolve archive.test)");
    assertThat(leftInCache()).containsExactly("lock");
  }

  /** As apt-get says it of a machine that is not online; twice, since each archive is tried. */
  @Test
  void whatAptSaysOfEveryFileAndEveryArchiveIsToldOnce() throws IOException {
    withApt(
        "*update*) echo 'Reading package lists...';"
            + " echo 'E: Failed to fetch http://archive.test/unstable/InRelease  Could not connect';"
            + " echo 'E: Failed to fetch http://archive.test/unstable/Packages  Could not connect';"
            + " echo 'E: Some index files failed to download. They have been ignored.'; exit 100 ;;");
    tools.program(
        "apt-get",
        Files.readString(folder.resolve("bin/apt-get"))
            .replace(TARGETS, TARGETS + "; " + TARGETS.replace("archive.test", "mirror.test")));

    assertThatThrownBy(this::open)
        .isInstanceOf(NoMySqlException.class)
        .hasMessageContaining(
            "(3) Debian or Ubuntu packages: http://archive.test/debian and"
                + " http://mirror.test/debian did not deliver; is this machine online? (Could not"
                + " connect). Make one of them work");
  }

  @Test
  void aMachineWithoutPackageListsIsAskedForItsSourcesAlone() throws IOException {
    tools.debian().set("PATH", tools.settings().environment().get("PATH") + ":/usr/bin:/bin");
    tools.program("mysqld", "exit 1");
    tools.program("dpkg", "exit 0");
    tools.program(
        "apt-get",
        "case \"$*\" in",
        "  *ReleaseInfo=false*)",
        "    echo 'Packages|http://bare.test/debian|bookworm|main|$(ORIGIN)|$(LABEL)' ;;",
        "  *indextargets*) ;;",
        "  *) exit 100 ;;",
        "esac");

    assertThatThrownBy(this::open)
        .isInstanceOf(NoMySqlException.class)
        .hasMessageContaining("http://bare.test/debian did not deliver");
  }

  @Test
  void anArchiveSignedWithAnUnknownKeyIsExplained() throws IOException {
    withApt(
        "*update*) echo 'W: GPG error: the following signatures could not be verified: NO_PUBKEY"
            + " 1234'; exit 100 ;;");

    assertThatThrownBy(this::open)
        .isInstanceOf(NoMySqlException.class)
        .hasMessageContaining("is signed with a key that")
        .hasMessageContaining("does not hold; update the package that brings this keyring");
  }

  @Test
  void aDownloadThatBreaksOffLeavesNothingHalfDone() throws IOException {
    Path leftover = tools.cache().resolve("unfinished-123");
    Files.createDirectories(leftover.resolve("root/usr"));
    withApt(
        "*simulate*) exit 0 ;;",
        "*download-only*) echo 'connection reset'; exit 100 ;;",
        "*) exit 0 ;;");

    assertThatThrownBy(this::open)
        .isInstanceOf(NoMySqlException.class)
        .hasMessageContaining("did not deliver; is this machine online? (connection reset)");
    assertThat(leftInCache()).containsExactly("lock");
  }

  @Test
  void anUnpackedServerThatDoesNotRunIsNotKept() throws IOException {
    withApt(
        "*simulate*) exit 0 ;;",
        // The folder of its own that apt-get was given is named in its configuration.
        "*download-only*) cache=$(sed -n 's/^Dir::Cache \"\\(.*\\)\";/\\1/p' \"$2\");"
            + " echo > \"$cache/archives/mysql.deb\" ;;",
        "*) exit 0 ;;");
    tools.program("dpkg", "mkdir -p \"$3/usr/lib\"");

    assertThatThrownBy(this::open)
        .isInstanceOf(NoMySqlException.class)
        .hasMessageContaining("no dynamic loader in");
    assertThat(leftInCache()).containsExactly("lock");
  }

  /** An apt-get that knows one archive, and answers everything else by these cases of a shell. */
  private void withApt(String... cases) throws IOException {
    tools.debian().set("PATH", tools.settings().environment().get("PATH") + ":/usr/bin:/bin");
    tools.program(
        "apt-get",
        "case \"$*\" in",
        "  *indextargets*) " + TARGETS + " ;;",
        String.join("\n", cases),
        "esac");
    tools.program("dpkg", "exit 0");
    tools.program("mysqld", "exit 1");
  }

  private List<String> leftInCache() throws IOException {
    try (Stream<Path> files = Files.list(tools.cache())) {
      return files.map(file -> String.valueOf(file.getFileName())).toList();
    }
  }

  private void open() {
    MySqlSources.of(tools.settings()).open(tools.progress()).close();
  }

  private record Source(String name, Optional<ServerHost> host) implements MySqlSource {
    @Override
    public ServerHost open(Progress progress) throws Unavailable {
      return host.orElseThrow(() -> new Unavailable("it is closed"));
    }
  }

  private static final class Host implements ServerHost {
    @Override
    public String description() {
      return "a server for tests";
    }

    @Override
    public ServerProcess create(String name, int serverId, List<String> options) {
      throw new UnsupportedOperationException("no server is started here");
    }

    @Override
    public void close() {}
  }
}
