package dev.leeway.testkit;

import java.util.ArrayList;
import java.util.List;

/** The ways to a MySQL server in the order they are tried. */
final class MySqlSources {
  private final List<MySqlSource> sources;

  MySqlSources(List<MySqlSource> sources) {
    this.sources = List.copyOf(sources);
  }

  static MySqlSources of(Settings settings) {
    return new MySqlSources(
        List.of(
            new InstalledMySql(settings), new DockerMySql(settings), new PackagedMySql(settings)));
  }

  /**
   * Opens the first way that works, and says which; why those before it did not is in the log.
   *
   * @throws NoMySqlException if none does; the message lists them all
   */
  ServerHost open(Progress progress) {
    List<String> reasons = new ArrayList<>();
    for (MySqlSource source : sources) {
      try {
        ServerHost host = source.open(progress);
        progress.say("MySQL: using " + host.description());
        return host;
      } catch (MySqlSource.Unavailable e) {
        progress.note("MySQL: not from " + source.name() + ": " + e.getMessage());
        reasons.add("(" + (reasons.size() + 1) + ") " + source.name() + ": " + e.getMessage());
      }
    }
    throw new NoMySqlException(
        "testkit - no MySQL server could be had. Tried: "
            + String.join("; ", reasons)
            + ". Make one of them work; the quickest is to install MySQL 8.0.23 or later and point"
            + " LEEWAY_MYSQL_HOME at it.");
  }
}
