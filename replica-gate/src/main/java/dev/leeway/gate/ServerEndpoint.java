package dev.leeway.gate;

import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Where a server is and who logs in there.
 *
 * @param name what messages and metrics call it: 1 to 64 letters, digits, dots, dashes and
 *     underscores
 * @param jdbcUrl a {@code jdbc:mysql://} URL that names exactly one host and no account
 * @param user the account, which needs what docs/monitoring.md lists
 * @param password its password; shown nowhere
 */
public record ServerEndpoint(String name, String jdbcUrl, String user, String password) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final String PREFIX = "jdbc:mysql://";

  /**
   * Checks the name and the form of the URL; nothing is connected to.
   *
   * @throws IllegalArgumentException if the name or the URL is not of the form told above
   */
  public ServerEndpoint {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(jdbcUrl, "jdbcUrl");
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(password, "password");
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "Server '"
              + Excerpt.of(name)
              + "' - its name (expected: 1 to 64 letters, digits, dots, dashes or underscores)");
    }
    if (!jdbcUrl.toLowerCase(Locale.ROOT).startsWith(PREFIX)) {
      throw new IllegalArgumentException(
          "Server '"
              + name
              + "' - URL '"
              + withoutParameters(jdbcUrl)
              + "' (expected: one that starts with "
              + PREFIX
              + "). Leeway chooses among servers itself, so a URL for replication or load balancing"
              + " cannot be used.");
    }
    String hosts = hosts(jdbcUrl);
    if (holdsCredentials(hosts)) {
      throw new IllegalArgumentException(
          "Server '"
              + name
              + "' - its URL names an account in front of or beside the host (expected: the account"
              + " only as user and password of the endpoint)");
    }
    if (hosts.isEmpty() || namesSeveralHosts(hosts)) {
      throw new IllegalArgumentException(
          "Server '"
              + name
              + "' - URL '"
              + withoutParameters(jdbcUrl)
              + "' names "
              + (hosts.isEmpty() ? "no host" : "several hosts")
              + " (expected: exactly one). Give each server its own name and URL.");
    }
  }

  /**
   * Everything but the password, and the URL without its parameters, which may hold secrets too.
   */
  @Override
  public String toString() {
    return name + " (" + withoutParameters(jdbcUrl) + ", user " + user + ")";
  }

  private static String hosts(String url) {
    int end = PREFIX.length();
    while (end < url.length() && url.charAt(end) != '/' && url.charAt(end) != '?') {
      end++;
    }
    return url.substring(PREFIX.length(), end);
  }

  /** A comma separates hosts, except inside the parentheses of Connector/J's key-value form. */
  private static boolean namesSeveralHosts(String hosts) {
    int depth = 0;
    for (int i = 0; i < hosts.length(); i++) {
      switch (hosts.charAt(i)) {
        case '(' -> depth++;
        case ')' -> depth--;
        case ',' -> {
          if (depth == 0) {
            return true;
          }
        }
        default -> {
          // Part of a host's name, address or port.
        }
      }
    }
    return false;
  }

  private static boolean holdsCredentials(String hosts) {
    String lower = hosts.toLowerCase(Locale.ROOT);
    return lower.contains("@") || lower.contains("user=") || lower.contains("password=");
  }

  private static String withoutParameters(String url) {
    int query = url.indexOf('?');
    String shown = query < 0 ? url : url.substring(0, query);
    return Excerpt.of(shown);
  }
}
