package dev.leeway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.gate.ClusterId;
import dev.leeway.gate.ClusterState;
import dev.leeway.gate.Finding;
import dev.leeway.gate.GtidSet;
import dev.leeway.gate.Health;
import dev.leeway.gate.HeartbeatStatus;
import dev.leeway.gate.ServerState;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LagViewTest {
  private static final long NOW = 100_000_000_000L;
  private static final GtidSet POSITION =
      GtidSet.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-1042");

  private final ServerState primary =
      ServerState.builder("primary", 0).health(Health.FRESH).executed(POSITION).build();

  @Test
  void eachServerIsALineWithItsRoleStateStalenessAndPosition() {
    ServerState near = replica(1, Health.FRESH, 45_000_000L).build();
    ServerState far = replica(2, Health.STALE, 12_340_000_000L).build();

    assertThat(LagView.lines(state(0, primary, near, far), NOW))
        .containsExactly(
            "server     role     state                  staleness  position",
            "primary    primary  fresh                          -  " + POSITION,
            "replica-1  replica  fresh                      45 ms  " + POSITION,
            "replica-2  replica  stale, serves nothing     12.3 s  " + POSITION);
  }

  @Test
  void thePageAboutItShowsThisTableTheseColumnsStatesAndFields() {
    Documentation page = Documentation.page("lag-and-gate.md");
    ServerState near = replica(1, Health.FRESH, 45_000_000L).build();
    ServerState far = replica(2, Health.STALE, 12_340_000_000L).build();
    ClusterState state = state(0, primary, near, far);
    List<String> lines = LagView.lines(state, NOW);
    Map<String, Object> data = LagView.data(state, NOW);

    assertThat(page.blocks("text")).containsExactly(String.join("\n", lines) + "\n");
    assertThat(page.names("Column")).containsExactly(lines.get(0).split(" +"));
    assertThat(page.names("State"))
        .containsExactlyElementsOf(
            Stream.of(Health.values())
                .map(health -> health.name().toLowerCase(Locale.ROOT))
                .toList());
    assertThat(page.names("Field"))
        .containsExactlyElementsOf(
            Stream.concat(
                    data.keySet().stream(), fieldsOf(Objects.requireNonNull(data.get("servers"))))
                .toList());
  }

  private static Stream<String> fieldsOf(Object servers) {
    Map<?, ?> first = (Map<?, ?>) ((List<?>) servers).get(0);
    return first.keySet().stream().map(String::valueOf);
  }

  @Test
  void whatAnOperatorShouldKnowIsSaidBelowTheTable() {
    ServerState broken =
        replica(1, Health.UNREACHABLE, 0)
            .freshAsOfNanos(ServerState.UNKNOWN_NANOS)
            .findings(Set.of(Finding.WRITABLE))
            .problem("connection refused")
            .build();

    assertThat(LagView.lines(state(-1, primary, broken), NOW))
        .contains(
            "replica-1  replica  unreachable, serves nothing    unknown  " + POSITION,
            "replica-1: WRITABLE, it is not super_read_only",
            "replica-1: connection refused",
            "no primary: nobody claims it");
  }

  @Test
  void aPrimaryThatTheConfigurationDoesNotCallSoIsPointedOut() {
    ServerState readOnly =
        ServerState.builder("db-1", 0)
            .health(Health.FRESH)
            .executed(POSITION)
            .freshAsOfNanos(NOW)
            .readOnly(true)
            .build();
    ServerState writable =
        ServerState.builder("db-2", 1).health(Health.FRESH).executed(POSITION).build();
    ServerState gone = ServerState.builder("db-1", 0).health(Health.UNREACHABLE).build();

    assertThat(LagView.lines(state(1, readOnly, writable), NOW))
        .contains(
            "db-1: the configuration calls it the primary, but it is read-only, and db-2 takes the"
                + " writes");
    assertThat(LagView.lines(state(1, gone, writable), NOW))
        .contains(
            "db-1: the configuration calls it the primary, but it does not answer, and db-2 takes"
                + " the writes");
    assertThat(LagView.data(state(1, readOnly, writable), NOW))
        .containsEntry("primary", "db-2")
        .containsEntry("configuredPrimary", "db-1");
  }

  @Test
  void aStalenessThatIsNotKnownIsNullAndNotZero() {
    ServerState unknown =
        replica(1, Health.UNPROVED, 0).freshAsOfNanos(ServerState.UNKNOWN_NANOS).build();

    Map<String, Object> data = LagView.data(state(0, primary, unknown), NOW);

    assertThat(data)
        .containsEntry("cluster", "shop")
        .containsEntry("primary", "primary")
        .containsEntry("heartbeat", "NOT_CONFIGURED")
        .containsEntry("healthy", false);
    assertThat(JsonFile.line(data))
        .contains("\"name\":\"replica-1\",\"role\":\"replica\",\"state\":\"UNPROVED\"")
        .contains("\"mayServe\":false,\"stalenessMillis\":null,\"position\":\"" + POSITION + "\"");
  }

  @Test
  void aClusterIsHealthyWhenItsPrimaryIsKnownAndEveryReplicaMayServe() {
    ServerState fresh = replica(1, Health.FRESH, 0).build();
    ServerState stale = replica(1, Health.STALE, 0).build();

    assertThat(LagView.isHealthy(state(0, primary, fresh))).isTrue();
    assertThat(LagView.isHealthy(state(0, primary, stale))).isFalse();
    assertThat(LagView.isHealthy(state(-1, primary, fresh))).isFalse();
  }

  private static ServerState.Builder replica(int number, Health health, long stalenessNanos) {
    return ServerState.builder("replica-" + number, number)
        .health(health)
        .executed(POSITION)
        .freshAsOfNanos(NOW - stalenessNanos);
  }

  private static ClusterState state(int primaryIndex, ServerState... servers) {
    return ClusterState.of(
        new ClusterId("shop", 0),
        List.of(servers),
        primaryIndex,
        "nobody claims it",
        HeartbeatStatus.NOT_CONFIGURED,
        1);
  }
}
