package dev.leeway.routing.decide;

import static dev.leeway.routing.decide.Moments.NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.gate.ClusterId;
import dev.leeway.gate.ClusterState;
import dev.leeway.gate.Finding;
import dev.leeway.gate.GtidSet;
import dev.leeway.gate.Health;
import dev.leeway.gate.HeartbeatStatus;
import dev.leeway.gate.ServerState;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.Reason;
import dev.leeway.routing.context.ScopeState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RouterTest {
  private static final String SOURCE = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
  private static final long MS = 1_000_000;
  private static final long NOW = 1_000_000 * MS;
  private static final ReadIntent ANY = ReadIntent.replica();

  private final ServerLoad[] loads = {new ServerLoad(1), new ServerLoad(1), new ServerLoad(1)};
  private final Router router =
      new Router(new Routes(List.of("p", "r1", "r2")), loads, Set.of(Finding.DETACHED));
  private final ScopeState scope = new ScopeState(0, null);
  private final ServerState.Builder primary = server("p", 0).executed(set(":1-100"));
  private final ServerState.Builder one = server("r1", 1).executed(set(":1-90"));
  private final ServerState.Builder two = server("r2", 2).executed(set(":1-90"));
  private int primaryIndex;

  private static ServerState.Builder server(String name, int index) {
    return ServerState.builder(name, index)
        .health(Health.FRESH)
        .freshAsOfNanos(NOW - 100 * MS)
        .sampledAtNanos(NOW - 50 * MS);
  }

  private static GtidSet set(String ranges) {
    return GtidSet.parse(SOURCE + ranges);
  }

  private ClusterState state() {
    return ClusterState.of(
        new ClusterId("shop", 0),
        List.of(primary.build(), one.build(), two.build()),
        primaryIndex,
        "as configured",
        HeartbeatStatus.RUNNING,
        1);
  }

  private Route decide(ReadIntent intent) {
    return router.decide(intent, true, scope, state(), Router.NOBODY, NOW);
  }

  private static String text(Route route) {
    return route.toString();
  }

  @Test
  void whatIsNotForAReplicaGoesToThePrimaryForItsOwnReason() {
    assertThat(text(decide(ReadIntent.write()))).isEqualTo("p (WRITE_INTENT)");
    assertThat(text(decide(ReadIntent.primary("x")))).isEqualTo("p (PRIMARY_REQUESTED)");
    assertThat(text(decide(ReadIntent.undeclared()))).isEqualTo("p (UNDECLARED)");
    assertThat(text(router.decide(ANY, false, scope, state(), Router.NOBODY, NOW)))
        .isEqualTo("p (NOT_A_PLAIN_READ)");
  }

  @Test
  void aFreshReplicaServesWhoHasSeenNothing() {
    Route route = decide(ANY);

    assertThat(route.reason()).isEqualTo(Reason.STALENESS_ACCEPTED);
    assertThat(route.toReplica()).isTrue();
  }

  @Test
  void onlyAReplicaThatMayServeIsChosen() {
    one.health(Health.UNPROVED);
    assertThat(decide(ANY).serverName()).isEqualTo("r2");

    two.findings(Set.of(Finding.DETACHED));
    assertThat(text(decide(ANY))).isEqualTo("p (NO_REPLICA_AVAILABLE)");
  }

  @Test
  void theStalenessBoundIsKeptToTheNanosecond() {
    ReadIntent bounded = ANY.maxStaleness(Duration.ofMillis(100));
    assertThat(decide(bounded).toReplica()).isTrue();

    one.freshAsOfNanos(NOW - 100 * MS - 1);
    two.freshAsOfNanos(NOW - 100 * MS - 1);
    assertThat(text(decide(bounded))).isEqualTo("p (NO_REPLICA_FRESH)");
  }

  @Test
  void unknownFreshnessIsInfiniteStaleness() {
    one.freshAsOfNanos(NEVER);
    two.freshAsOfNanos(NEVER);

    assertThat(text(decide(ANY.maxStaleness(Duration.ofDays(1_000)))))
        .isEqualTo("p (NO_REPLICA_FRESH)");
  }

  @Test
  void anEjectedReplicaIsNotFreshRatherThanNotThere() {
    one.health(Health.STALE);
    two.health(Health.UNREACHABLE);

    assertThat(text(decide(ANY))).isEqualTo("p (NO_REPLICA_FRESH)");
  }

  @Test
  void aReplicaServesAWriterOnceItHoldsTheWrite() {
    scope.wrote(set(":91"), NOW - MS);
    assertThat(text(decide(ANY))).isEqualTo("p (NO_REPLICA_REACHED_POSITION)");

    two.executed(set(":1-91"));
    assertThat(text(decide(ANY))).isEqualTo("r2 (REPLICA_CAUGHT_UP)");
  }

  @Test
  void aReplicaThatIsFreshSinceTheCommitNeedsNotListIt() {
    scope.wrote(set(":95"), NOW - 100 * MS);

    assertThat(decide(ANY).reason()).isEqualTo(Reason.REPLICA_CAUGHT_UP);
  }

  @Test
  void whoHasSeenThePrimaryIsServedByAReplicaThatIsFreshAsOfThen() {
    scope.sawPrimary(NOW - 99 * MS);
    assertThat(text(decide(ANY))).isEqualTo("p (NO_REPLICA_REACHED_POSITION)");

    one.freshAsOfNanos(NOW - 99 * MS);
    assertThat(text(decide(ANY))).isEqualTo("r1 (REPLICA_CAUGHT_UP)");
  }

  @Test
  void thePinnedReplicaServesAsLongAsItQualifies() {
    scope.pin(2, 0, -1);
    loads[2].begin();
    for (int i = 0; i < 50; i++) {
      assertThat(router.decide(ANY, true, scope, state(), Router.NOBODY, NOW + i).toString())
          .isEqualTo("r2 (PINNED_REPLICA)");
    }
  }

  @Test
  void aPinnedReplicaThatCameBackChangedIsAnother() {
    scope.pin(2, 0, -1);
    scope.served(2, NOW - 10 * MS);
    two.generation(1);

    assertThat(text(decide(ANY)))
        .as("nobody is known to be as fresh as what was read there")
        .isEqualTo("p (NO_REPLICA_REACHED_POSITION)");
  }

  @Test
  void aLostPinIsTakenOverByWhoShowsWhatWasReadThere() {
    scope.pin(2, 0, -1);
    scope.served(2, NOW - 200 * MS);
    two.health(Health.UNREACHABLE);

    assertThat(text(decide(ANY))).isEqualTo("r1 (REPLICA_CAUGHT_UP)");

    scope.served(2, NOW - 50 * MS);
    assertThat(text(decide(ANY))).isEqualTo("p (NO_REPLICA_REACHED_POSITION)");
  }

  @Test
  void aServerThatHasJustFailedIsLeftOut() {
    assertThat(router.decide(ANY, true, scope, state(), 1, NOW).serverName()).isEqualTo("r2");
    two.health(Health.UNREACHABLE);
    assertThat(router.decide(ANY, true, scope, state(), 1, NOW).toString())
        .isEqualTo("p (NO_REPLICA_AVAILABLE)");
  }

  @Test
  void aStickyScopeStaysOnThePrimaryUntilItsTimeIsOver() {
    ScopeState sticky = new ScopeState(500 * MS, null);
    sticky.wrote(set(":1"), NOW - 400 * MS);

    assertThat(router.decide(ANY, true, sticky, state(), Router.NOBODY, NOW).toString())
        .isEqualTo("p (STICKY_AFTER_WRITE)");
    assertThat(router.decide(ANY, true, sticky, state(), Router.NOBODY, NOW + 100 * MS).reason())
        .isEqualTo(Reason.REPLICA_CAUGHT_UP);
  }

  @Test
  void aPromotedReplicaIsThePrimaryAndTheFormerOneMayServeAsAReplica() {
    primaryIndex = 2;
    one.health(Health.UNREACHABLE);

    assertThat(decide(ReadIntent.write()).serverName()).isEqualTo("r2");
    assertThat(decide(ANY).serverName()).isEqualTo("p");
  }

  @Test
  void withoutAKnownPrimaryReadsByStalenessGoOnAndTheRestHasNoServer() {
    primaryIndex = -1;
    primary.health(Health.UNREACHABLE);

    assertThat(decide(ANY).toReplica()).isTrue();
    assertThat(decide(ReadIntent.write()).server()).isEqualTo(Route.NO_SERVER);
  }

  @Test
  void equalReplicasShareTheReading() {
    int[] served = new int[3];
    for (int i = 0; i < 10_000; i++) {
      served[router.decide(ANY, true, scope, state(), Router.NOBODY, NOW + 317L * i).server()]++;
    }
    assertThat(served[1]).isBetween(4_000, 6_000);
    assertThat(served[2]).isBetween(4_000, 6_000);
  }

  @Test
  void aBusyReplicaIsSparedButNotForgotten() {
    for (int i = 0; i < 20; i++) {
      loads[1].begin();
    }
    int[] served = new int[3];
    for (int i = 0; i < 10_000; i++) {
      served[router.decide(ANY, true, scope, state(), Router.NOBODY, NOW + 317L * i).server()]++;
    }
    assertThat(served[1]).as("tried now and then").isBetween(100, 1_500);
  }

  @Test
  void aReplicaThatIsALittleSlowerStillTakesNearlyItsShare() {
    for (int i = 0; i < 100; i++) {
      loads[1].took(110_000);
      loads[2].took(100_000);
    }
    int[] served = new int[3];
    for (int i = 0; i < 10_000; i++) {
      served[router.decide(ANY, true, scope, state(), Router.NOBODY, NOW + 317L * i).server()]++;
    }
    assertThat(served[1]).isBetween(4_000, 5_000);
  }

  @Test
  void aReplicaThatIsTenTimesSlowerIsOnlyTriedNowAndThen() {
    for (int i = 0; i < 100; i++) {
      loads[1].took(1_000_000);
      loads[2].took(100_000);
    }
    int[] served = new int[3];
    for (int i = 0; i < 10_000; i++) {
      served[router.decide(ANY, true, scope, state(), Router.NOBODY, NOW + 317L * i).server()]++;
    }
    assertThat(served[1]).isBetween(200, 800);
  }

  @Test
  void ofManyReplicasEachIsUsed() {
    List<String> names = new ArrayList<>(List.of("p"));
    List<ServerState> servers = new ArrayList<>(List.of(primary.build()));
    ServerLoad[] many = new ServerLoad[7];
    many[0] = new ServerLoad(1);
    for (int i = 1; i < many.length; i++) {
      names.add("r" + i);
      servers.add(server("r" + i, i).executed(set(":1-90")).build());
      many[i] = new ServerLoad(1);
    }
    ClusterState state =
        ClusterState.of(new ClusterId("shop", 0), servers, 0, "x", HeartbeatStatus.RUNNING, 1);
    Router wide = new Router(new Routes(names), many, Set.of());
    int[] served = new int[many.length];
    for (int i = 0; i < 12_000; i++) {
      served[wide.decide(ANY, true, scope, state, Router.NOBODY, NOW + 317L * i).server()]++;
    }
    for (int i = 1; i < many.length; i++) {
      assertThat(served[i]).as(names.get(i)).isBetween(1_200, 2_800);
    }
  }

  @Test
  void waitingIsWorthWhileOnlyForAReplicaThatIsNotFarBehind() {
    scope.wrote(set(":95"), NOW - MS);
    one.freshAsOfNanos(NOW - 5_000 * MS);
    two.freshAsOfNanos(NOW - 120 * MS);

    assertThat(router.worthWaitingFor(ANY, scope, state(), Router.NOBODY, 100 * MS, NOW))
        .isEqualTo(2);
    assertThat(router.worthWaitingFor(ANY, scope, state(), 2, 100 * MS, NOW))
        .as("the other was measured five seconds behind")
        .isEqualTo(-1);
    assertThat(router.keepsUp(state(), 2, 100 * MS)).isFalse();
    assertThat(router.keepsUp(state(), Router.NOBODY, 100 * MS)).isTrue();
  }

  @Test
  void nobodyIsWaitedForWhoLacksMoreThanTheWrites() {
    scope.wrote(set(":95"), NOW - MS);
    scope.sawPrimary(NOW - MS);

    assertThat(router.worthWaitingFor(ANY, scope, state(), Router.NOBODY, 100 * MS, NOW))
        .isEqualTo(-1);
    assertThat(router.closest(ANY, scope, state(), Router.NOBODY, 100 * MS, NOW)).isPositive();
  }

  @Test
  void theLeastStaleReplicaServesWhenStaleIsAllowedButNeverOneThatLacksOnesOwnWrites() {
    one.health(Health.STALE).freshAsOfNanos(NOW - 60_000 * MS);
    two.health(Health.STALE).freshAsOfNanos(NOW - 90_000 * MS);
    assertThat(router.leastStale(ANY, scope, state(), Router.NOBODY)).isEqualTo(1);

    scope.wrote(set(":91"), NOW - 70_000 * MS);
    assertThat(router.leastStale(ANY, scope, state(), Router.NOBODY))
        .as("fresh since after the write")
        .isEqualTo(1);

    scope.wrote(set(":92"), NOW - MS);
    assertThat(router.leastStale(ANY, scope, state(), Router.NOBODY)).isEqualTo(-1);

    two.executed(set(":1-92"));
    assertThat(router.leastStale(ANY, scope, state(), Router.NOBODY)).isEqualTo(2);
    two.findings(Set.of(Finding.DETACHED));
    assertThat(router.leastStale(ANY, scope, state(), Router.NOBODY)).as("refused").isEqualTo(-1);
  }
}
