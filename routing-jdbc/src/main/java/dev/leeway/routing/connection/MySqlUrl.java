package dev.leeway.routing.connection;

import com.mysql.cj.conf.ConnectionUrlParser;
import com.mysql.cj.conf.HostInfo;
import com.mysql.cj.exceptions.CJException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A JDBC URL as far as Leeway must understand it: what it sets that would contradict us, and the
 * same URL with our own settings added.
 */
public final class MySqlUrl {
  private static final String SESSION_VARIABLES = "sessionVariables";
  private static final String SOCKET_TIMEOUT = "socketTimeout";

  private final String url;
  private final Map<String, String> parameters;
  private final String database;
  private final String host;

  private MySqlUrl(String url, ConnectionUrlParser parsed) {
    this.url = url;
    this.parameters = new HashMap<>(parsed.getProperties());
    // In the form address=(host=…)(key=value) the parameters of the host count before the others.
    parsed.getHosts().forEach(each -> parameters.putAll(each.getHostProperties()));
    this.database = parsed.getPath() == null ? "" : parsed.getPath();
    List<HostInfo> hosts = parsed.getHosts();
    this.host = hosts.isEmpty() || hosts.get(0).getHost() == null ? "" : hosts.get(0).getHost();
  }

  /**
   * Reads a URL.
   *
   * @throws IllegalArgumentException if Connector/J cannot read it; the message says why
   */
  public static MySqlUrl parse(String url) {
    try {
      return new MySqlUrl(url, ConnectionUrlParser.parseConnectionString(url));
    } catch (CJException e) {
      throw new IllegalArgumentException(
          "its URL cannot be read: "
              + e.getMessage()
              + " (expected: jdbc:mysql://host:port/schema)",
          e);
    }
  }

  /** The schema the URL names; empty if none. */
  public String database() {
    return database;
  }

  /** The host the URL names. */
  public String host() {
    return host;
  }

  /** What the URL says of a parameter; empty text if nothing. */
  private String parameter(String name) {
    for (Map.Entry<String, String> entry : parameters.entrySet()) {
      if (entry.getKey().equalsIgnoreCase(name)) {
        return entry.getValue();
      }
    }
    return "";
  }

  /** Settings under which Leeway could not keep its promises, each with what to do. */
  public List<String> contradictions() {
    List<String> problems = new ArrayList<>();
    if (isFalse(parameter("trackSessionState"))) {
      problems.add(
          "its URL sets trackSessionState=false (expected: true, or nothing, because Leeway sets it)."
              + " Without it no write has a position");
    }
    if (isTrue(parameter("autoReconnect")) || isTrue(parameter("autoReconnectForPools"))) {
      problems.add(
          "its URL sets autoReconnect=true (expected: nothing), which hides that a transaction was"
              + " lost");
    }
    String variables = parameter(SESSION_VARIABLES).toLowerCase(Locale.ROOT);
    if (variables.contains("session_track_gtids")
        && !variables
            .replace(" ", "")
            .matches(".*session_track_gtids='?(own_gtid|all_gtids|1|2)'?.*")) {
      problems.add(
          "its URL sets session_track_gtids in sessionVariables to something else than OWN_GTID"
              + " (expected: nothing, because Leeway sets it)");
    }
    if (variables.contains("transaction_read_only") || variables.contains("tx_read_only")) {
      problems.add(
          "its URL sets transaction_read_only in sessionVariables (expected: nothing, because Leeway"
              + " sets it for replicas)");
    }
    if (variables.contains("autocommit")) {
      problems.add(
          "its URL sets autocommit in sessionVariables (expected: nothing). Use setAutoCommit");
    }
    return problems;
  }

  /** Whether the driver reads rows through cursors of the server where a fetch size is set. */
  public boolean usesCursors() {
    return isTrue(parameter("useCursorFetch"));
  }

  private static boolean isTrue(String value) {
    return value.equalsIgnoreCase("true") || value.equalsIgnoreCase("yes");
  }

  private static boolean isFalse(String value) {
    return value.equalsIgnoreCase("false") || value.equalsIgnoreCase("no");
  }

  /** The network time-out the URL sets; zero for none. */
  public int socketTimeoutMillis() {
    String value = parameter("socketTimeout");
    try {
      return value.isEmpty() ? 0 : Math.max(0, Integer.parseInt(value.strip()));
    } catch (NumberFormatException e) {
      // The driver refuses it in its own words when it connects.
      return 0;
    }
  }

  /** The URL for sessions that write and whose commits are followed. */
  String forWriting(int openingTimeoutMillis) {
    return with(Map.of("trackSessionState", "true", SOCKET_TIMEOUT, "" + openingTimeoutMillis));
  }

  /** The URL for sessions in which the server itself refuses to write. */
  String forReading(int openingTimeoutMillis) {
    String others = parameter(SESSION_VARIABLES);
    String variables =
        others.isEmpty() ? "transaction_read_only=1" : others + ",transaction_read_only=1";
    return with(Map.of(SESSION_VARIABLES, variables, SOCKET_TIMEOUT, "" + openingTimeoutMillis));
  }

  private String with(Map<String, String> ours) {
    int query = url.indexOf('?');
    StringBuilder changed =
        new StringBuilder(query < 0 ? url : url.substring(0, query)).append('?');
    if (query >= 0) {
      for (String pair : url.substring(query + 1).split("&")) {
        int equals = pair.indexOf('=');
        String key = equals < 0 ? pair : pair.substring(0, equals);
        if (!key.isEmpty() && ours.keySet().stream().noneMatch(key::equalsIgnoreCase)) {
          changed.append(pair).append('&');
        }
      }
    }
    ours.forEach(
        (name, value) -> changed.append(name).append('=').append(encode(value)).append('&'));
    changed.setLength(changed.length() - 1);
    return changed.toString();
  }

  /** Only what would end a parameter, or be decoded into something else. */
  private static String encode(String value) {
    return value
        .replace("%", "%25")
        .replace("&", "%26")
        .replace("+", "%2B")
        .replace("#", "%23")
        .replace(" ", "%20");
  }
}
