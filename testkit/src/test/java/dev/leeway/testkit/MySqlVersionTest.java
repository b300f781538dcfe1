package dev.leeway.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MySqlVersionTest {
  @Test
  void theVersionIsReadFromWhatMysqldPrints() throws MySqlSource.Unavailable {
    MySqlVersion version =
        MySqlVersion.parse(
            "mysqld", "/usr/sbin/mysqld  Ver 9.7.4-2 for Linux on x86_64 ((Debian))\n");

    assertThat(version).isEqualTo(new MySqlVersion(9, 7, 4, "9.7.4-2"));
  }

  @Test
  void mariaDbIsRefusedByName() {
    assertThatThrownBy(
            () ->
                MySqlVersion.parse(
                    "/usr/sbin/mysqld",
                    "mysqld  Ver 10.11.6-MariaDB-0+deb12u1 for debian-linux-gnu on x86_64 (Debian"
                        + " 12)"))
        .isInstanceOf(MySqlSource.Unavailable.class)
        .hasMessage(
            "/usr/sbin/mysqld is MariaDB 10.11.6-MariaDB-0+deb12u1, whose GTIDs are not MySQL's"
                + " (expected: MySQL 8.0.23 or later)");
  }

  @Test
  void anOldMySqlIsRefused() {
    assertThatThrownBy(() -> MySqlVersion.parse("mysqld", "mysqld  Ver 5.7.44 for Linux on x86_64"))
        .isInstanceOf(MySqlSource.Unavailable.class)
        .hasMessage("mysqld is MySQL 5.7.44 (expected: 8.0.23 or later)");
  }

  @Test
  void theFirstVersionWithTheStatementsWeUseIsAccepted() throws MySqlSource.Unavailable {
    assertThat(MySqlVersion.parse("mysqld", "mysqld  Ver 8.0.23 for Linux").text())
        .isEqualTo("8.0.23");
    assertThatThrownBy(() -> MySqlVersion.parse("mysqld", "mysqld  Ver 8.0.22 for Linux"))
        .isInstanceOf(MySqlSource.Unavailable.class);
  }

  @Test
  void somethingElseIsShownAsItIs() {
    assertThatThrownBy(() -> MySqlVersion.parse("mysqld", "hello\n"))
        .isInstanceOf(MySqlSource.Unavailable.class)
        .hasMessage("mysqld --version printed no version: 'hello'");
  }
}
