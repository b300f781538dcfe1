package dev.leeway.cli;

import dev.leeway.cli.terminal.Plural;
import dev.leeway.cli.terminal.TextTable;
import dev.leeway.gate.ClusterState;
import dev.leeway.gate.Finding;
import dev.leeway.gate.GtidSet;
import dev.leeway.gate.Health;
import dev.leeway.gate.HeartbeatStatus;
import dev.leeway.gate.ServerState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shows the state of a cluster, for people and as data. */
final class LagView {
  private static final int POSITION_COLUMNS = 60;

  /** A monitor is given the primary first. */
  private static final int CONFIGURED_PRIMARY = 0;

  private LagView() {}

  /** Whether the primary is known and every replica may serve. */
  static boolean isHealthy(ClusterState state) {
    return state.primaryIndex() >= 0
        && state.servers().stream()
            .allMatch(server -> server.index() == state.primaryIndex() || server.mayServe());
  }

  /** A table with a line per server, and below it what deserves a sentence. */
  static List<String> lines(ClusterState state, long nowNanos) {
    TextTable table = TextTable.of("server", "role", "state", "staleness>", "position");
    List<String> remarks = new ArrayList<>();
    for (ServerState server : state.servers()) {
      table.row(
          server.name(),
          role(state, server),
          server.health().name().toLowerCase(Locale.ROOT)
              + (server.mayServe() || isPrimary(state, server) ? "" : ", serves nothing"),
          isPrimary(state, server) ? "-" : staleness(server.stalenessNanos(nowNanos)),
          shortened(server.executed()));
      for (Finding finding : server.findings()) {
        remarks.add(server.name() + ": " + finding + ", " + finding.sentence());
      }
      if (server.problem() != null) {
        remarks.add(server.name() + ": " + server.problem());
      }
    }
    if (state.primaryIndex() < 0) {
      remarks.add("no primary: " + state.primaryExplanation());
    } else if (state.primaryIndex() != CONFIGURED_PRIMARY) {
      ServerState configured = state.server(CONFIGURED_PRIMARY);
      remarks.add(
          "%s: the configuration calls it the primary, but %s, and %s takes the writes"
              .formatted(
                  configured.name(),
                  whyNotPrimary(configured),
                  state.server(state.primaryIndex()).name()));
    }
    if (state.heartbeat() == HeartbeatStatus.WRITER_DOWN) {
      remarks.add("heartbeat: nobody writes it; positions alone tell the staleness meanwhile");
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.addAll(remarks);
    return List.copyOf(lines);
  }

  /** The same for programs. Staleness is in milliseconds, null where it is not known. */
  static Map<String, @Nullable Object> data(ClusterState state, long nowNanos) {
    Map<String, @Nullable Object> data = new LinkedHashMap<>();
    data.put("cluster", state.cluster().name());
    data.put("epoch", state.cluster().epoch());
    ServerState primary = state.primary();
    data.put("primary", primary == null ? null : primary.name());
    data.put("configuredPrimary", state.server(CONFIGURED_PRIMARY).name());
    data.put("heartbeat", state.heartbeat().name());
    data.put("healthy", isHealthy(state));
    data.put(
        "servers",
        state.servers().stream()
            .map(server -> data(state, server, nowNanos))
            .collect(Collectors.toList()));
    return data;
  }

  private static Map<String, @Nullable Object> data(
      ClusterState state, ServerState server, long nowNanos) {
    long staleness = isPrimary(state, server) ? 0 : server.stalenessNanos(nowNanos);
    Map<String, @Nullable Object> data = new LinkedHashMap<>();
    data.put("name", server.name());
    data.put("role", role(state, server));
    data.put("state", server.health().name());
    data.put("mayServe", server.mayServe());
    data.put("stalenessMillis", staleness == Long.MAX_VALUE ? null : staleness / 1e6);
    data.put("position", server.executed().toString());
    data.put("findings", server.findings().stream().map(Finding::name).toList());
    data.put("serverUuid", server.serverUuid() == null ? null : server.serverUuid().toString());
    data.put("readOnly", server.readOnly());
    data.put("superReadOnly", server.superReadOnly());
    data.put("problem", server.problem());
    return data;
  }

  private static String whyNotPrimary(ServerState server) {
    if (server.health() == Health.UNREACHABLE) {
      return "it does not answer";
    }
    return server.readOnly() ? "it is read-only" : "it has not been seen to take over again";
  }

  private static boolean isPrimary(ClusterState state, ServerState server) {
    return server.index() == state.primaryIndex();
  }

  private static String role(ClusterState state, ServerState server) {
    return isPrimary(state, server) ? "primary" : "replica";
  }

  private static String staleness(long nanos) {
    if (nanos == Long.MAX_VALUE) {
      return "unknown";
    }
    return nanos < 1_000_000_000
        ? nanos / 1_000_000 + " ms"
        : String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
  }

  /** After years and failovers a set fills a screen; its beginning and its size say enough here. */
  private static String shortened(GtidSet executed) {
    String text = executed.toString().replace("\n", "");
    return text.length() <= POSITION_COLUMNS
        ? text
        : "%s… (%s, %s)"
            .formatted(
                text.substring(0, POSITION_COLUMNS),
                Plural.of(executed.sources().size(), "source", "sources"),
                Plural.of(executed.transactionCount(), "transaction", "transactions"));
  }
}
