package dev.leeway.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AptSourceTest {
  private static final Map<String, String> DEBIAN =
      Map.of("ID", "debian", "VERSION_CODENAME", "bookworm");
  private static final Map<String, String> UBUNTU =
      Map.of("ID", "ubuntu", "VERSION_CODENAME", "noble");
  private static final List<Path> KEYRINGS =
      List.of(
          Path.of("/k/debian-archive-keyring.gpg"),
          Path.of("/k/nodesource.gpg"),
          Path.of("/k/ubuntu-archive-keyring.gpg"));

  @Test
  void debianTakesUnstableFromTheSiteThatServesTheMainArchive() throws MySqlSource.Unavailable {
    AptSource source =
        AptSource.choose(
            AptSource.targets(
                """
                Packages|https://deb.nodesource.test/node_20.x|nodistro|main|. nodistro|. nodistro
                Packages|http://security.test/debian-security|bookworm-security|main|Debian|Debian-Security
                Packages|http://mirror.test/debian|bookworm|main|Debian|Debian
                Packages|http://mirror.test/debian|bookworm-updates|main|Debian|Debian
                Translations|http://mirror.test/debian|bookworm|main|Debian|Debian
                """),
            DEBIAN,
            KEYRINGS);

    assertThat(source.sites())
        .containsExactly("http://mirror.test/debian", "http://security.test/debian-security");
    assertThat(source.sourcesList("http://mirror.test/debian"))
        .containsExactly(
            "deb [signed-by=/k/debian-archive-keyring.gpg] http://mirror.test/debian unstable main");
  }

  @Test
  void aMachineThatNeverUpdatedItsListsIsJudgedByReleaseNames() throws MySqlSource.Unavailable {
    AptSource source =
        AptSource.choose(
            AptSource.targets(
                """
                Packages|http://other.test/apt|stable|main|$(ORIGIN)|$(LABEL)
                Packages|http://mirror.test/debian|bookworm|main||
                """),
            DEBIAN,
            KEYRINGS);

    assertThat(source.sites())
        .containsExactly("http://mirror.test/debian", "http://other.test/apt");
  }

  @Test
  void ubuntuTakesItsOwnSuites() throws MySqlSource.Unavailable {
    AptSource source =
        AptSource.choose(
            AptSource.targets("Packages|http://mirror.test/ubuntu|noble|main|Ubuntu|Ubuntu\n"),
            UBUNTU,
            KEYRINGS);

    assertThat(source.sourcesList("http://mirror.test/ubuntu"))
        .containsExactly(
            "deb [signed-by=/k/ubuntu-archive-keyring.gpg] http://mirror.test/ubuntu noble main"
                + " universe",
            "deb [signed-by=/k/ubuntu-archive-keyring.gpg] http://mirror.test/ubuntu noble-updates"
                + " main universe",
            "deb [signed-by=/k/ubuntu-archive-keyring.gpg] http://mirror.test/ubuntu noble-security"
                + " main universe");
    assertThat(source.serverPackages())
        .containsExactly("mysql-server-core", "mysql-server-core-8.4", "mysql-server-core-8.0");
  }

  @Test
  void anotherSystemIsNamed() {
    assertThatThrownBy(() -> AptSource.choose(List.of(), Map.of("ID", "alpine"), KEYRINGS))
        .isInstanceOf(MySqlSource.Unavailable.class)
        .hasMessage("this system calls itself 'alpine' (expected: debian or ubuntu)");
  }

  @Test
  void withoutKeyringNothingIsTrusted() {
    assertThatThrownBy(
            () ->
                AptSource.choose(
                    AptSource.targets("Packages|http://m.test/debian|bookworm|main|Debian|Debian"),
                    DEBIAN,
                    List.of(Path.of("/k/nodesource.gpg"))))
        .isInstanceOf(MySqlSource.Unavailable.class)
        .hasMessageContaining("install the package debian-archive-keyring");
  }

  @Test
  void withoutArchiveTheSourcesAreToBlame() {
    assertThatThrownBy(() -> AptSource.choose(List.of(), DEBIAN, KEYRINGS))
        .isInstanceOf(MySqlSource.Unavailable.class)
        .hasMessageContaining("apt's sources name no archive");
  }

  @Test
  void osReleaseIsReadWithAndWithoutQuotes() {
    assertThat(
            AptSource.parseOsRelease(
                List.of("PRETTY_NAME=\"Debian GNU/Linux 12\"", "", "ID=debian", "# comment")))
        .isEqualTo(Map.of("PRETTY_NAME", "Debian GNU/Linux 12", "ID", "debian"));
  }
}
