package dev.leeway.testkit;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code mysqld --version} says about itself. */
record MySqlVersion(int major, int minor, int patch, String text) {
  private static final Pattern NUMBERS =
      Pattern.compile("\\bVer\\s+((\\d+)\\.(\\d+)\\.(\\d+)\\S*)");

  /**
   * Reads the line that {@code mysqld --version} prints.
   *
   * @throws MySqlSource.Unavailable if it is MariaDB, too old, or no version at all
   */
  static MySqlVersion parse(String mysqld, String printed) throws MySqlSource.Unavailable {
    Matcher found = NUMBERS.matcher(printed);
    if (!found.find()) {
      throw new MySqlSource.Unavailable(
          mysqld + " --version printed no version: '" + printed.strip() + "'");
    }
    String text = found.group(1);
    if (printed.contains("MariaDB")) {
      throw new MySqlSource.Unavailable(
          mysqld
              + " is MariaDB "
              + text
              + ", whose GTIDs are not MySQL's (expected: MySQL 8.0.23 or later)");
    }
    MySqlVersion version =
        new MySqlVersion(
            Integer.parseInt(found.group(2)),
            Integer.parseInt(found.group(3)),
            Integer.parseInt(found.group(4)),
            text);
    if (!version.isAtLeast(8, 0, 23)) {
      throw new MySqlSource.Unavailable(
          mysqld + " is MySQL " + text + " (expected: 8.0.23 or later)");
    }
    return version;
  }

  boolean isAtLeast(int wantedMajor, int wantedMinor, int wantedPatch) {
    if (major != wantedMajor) {
      return major > wantedMajor;
    }
    if (minor != wantedMinor) {
      return minor > wantedMinor;
    }
    return patch >= wantedPatch;
  }
}
