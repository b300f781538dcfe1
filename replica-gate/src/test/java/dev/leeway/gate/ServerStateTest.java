package dev.leeway.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ServerStateTest {
  @Test
  void aServerOfWhichNothingIsKnownServesNothingAndIsInfinitelyStale() {
    ServerState state = ServerState.builder("replica-1", 1).build();

    assertThat(state.mayServe()).isFalse();
    assertThat(state.health()).isEqualTo(Health.UNPROVED);
    assertThat(state.stalenessNanos(42)).isEqualTo(Long.MAX_VALUE);
    assertThat(state.isFreshSince(Long.MIN_VALUE + 1)).isFalse();
    assertThat(state.readOnly()).isTrue();
    assertThat(state.executed().isEmpty()).isTrue();
  }

  @Test
  void stalenessGrowsByItselfAndIsNeverNegative() {
    ServerState state = ServerState.builder("replica-1", 1).freshAsOfNanos(1_000).build();

    assertThat(state.stalenessNanos(900)).isZero();
    assertThat(state.stalenessNanos(1_000)).isZero();
    assertThat(state.stalenessNanos(1_700)).isEqualTo(700);
    assertThat(state.isFreshSince(1_000)).isTrue();
    assertThat(state.isFreshSince(1_001)).isFalse();
  }

  @Test
  void momentsAreComparedRightWhereTheNanosecondCounterTurnsOver() {
    long justBefore = Long.MAX_VALUE - 10;
    ServerState state = ServerState.builder("replica-1", 1).freshAsOfNanos(justBefore).build();

    assertThat(state.stalenessNanos(justBefore + 30)).isEqualTo(30);
    assertThat(state.isFreshSince(justBefore + 30)).isFalse();
  }

  @Test
  void onlyAFreshServerWithoutRefusedFindingsServes() {
    for (Health health : Health.values()) {
      for (Finding finding : Finding.values()) {
        ServerState state =
            ServerState.builder("replica-1", 1)
                .health(health)
                .findings(EnumSet.of(finding))
                .refused(Set.of(Finding.WRITABLE))
                .build();

        assertThat(state.mayServe())
            .as("%s with %s", health, finding)
            .isEqualTo(health == Health.FRESH && finding != Finding.WRITABLE);
      }
    }
  }

  @Test
  void aClusterWithoutAKnownPrimaryHasNone() {
    ServerState server = ServerState.builder("primary", 0).build();
    ClusterState state =
        ClusterState.of(
            new ClusterId("shop", 3), List.of(server), -1, "nobody", HeartbeatStatus.UNKNOWN, 1);

    assertThat(state.primary()).isNull();
    assertThat(state.server(0)).isSameAs(server);
    assertThat(state)
        .hasToString("shop@3 primary unknown [primary UNPROVED (empty)], heartbeat UNKNOWN");
  }

  @Test
  void aStateWhoseIndexesDoNotFitIsRefused() {
    ClusterId cluster = new ClusterId("shop", 1);
    List<ServerState> servers = List.of(ServerState.builder("replica-1", 1).build());

    assertThatThrownBy(() -> ClusterState.of(cluster, servers, 0, "", HeartbeatStatus.UNKNOWN, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cluster state - server replica-1 of index 1 at place 0 (expected: each at its own index)");
    assertThatThrownBy(() -> ClusterState.of(cluster, List.of(), 0, "", HeartbeatStatus.UNKNOWN, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cluster state - primary index 0 (expected: -1 to -1)");
  }

  @Test
  void aResultNamesAServerExactlyWhenThePositionWasReached() {
    assertThat(
            new GateResult(GateResult.Outcome.REACHED, "replica-1", Duration.ZERO, "").isReached())
        .isTrue();
    assertThatThrownBy(() -> new GateResult(GateResult.Outcome.REACHED, null, Duration.ZERO, ""))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> new GateResult(GateResult.Outcome.LOST, "replica-1", Duration.ZERO, ""))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
