package dev.leeway.routing.context;

import static dev.leeway.gate.ServerState.UNKNOWN_NANOS;
import static dev.leeway.routing.decide.Moments.NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.gate.ClusterId;
import dev.leeway.gate.ClusterState;
import dev.leeway.gate.ConsistencyToken;
import dev.leeway.gate.EntityKey;
import dev.leeway.gate.GtidSet;
import dev.leeway.gate.Health;
import dev.leeway.gate.HeartbeatStatus;
import dev.leeway.gate.PrimaryClock;
import dev.leeway.gate.SeenMoment;
import dev.leeway.gate.ServerState;
import dev.leeway.gate.WritePosition;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReceivedTokenTest {
  private static final long MS = 1_000_000;
  private static final long SECOND = 1_000 * MS;
  private static final long NOW = 1_000 * SECOND;
  private static final long NOW_MICROS = 1_796_000_000_000_000L;
  private static final UUID P = new UUID(1, 1);
  private static final UUID R1 = new UUID(2, 2);
  private static final UUID R2 = new UUID(3, 3);
  private static final ClusterId SHOP = new ClusterId("shop", 1);
  private static final WritePosition NOTHING = WritePosition.nothingWritten(SHOP);

  private final ServerState.Builder primary = server("p", 0, P).executed(upTo(100));
  private final ServerState.Builder one = server("r1", 1, R1).executed(upTo(90));
  private final ServerState.Builder two = server("r2", 2, R2).executed(upTo(90));
  private @Nullable PrimaryClock clock = clockOf(P);

  private static ServerState.Builder server(String name, int index, UUID uuid) {
    return ServerState.builder(name, index)
        .health(Health.FRESH)
        .serverUuid(uuid)
        .generation(7)
        .undisturbedSinceNanos(NOW - 900 * SECOND)
        .sampledAtNanos(NOW - 50 * MS)
        .freshAsOfNanos(NOW - 2 * SECOND);
  }

  private static PrimaryClock clockOf(UUID server) {
    long first = NOW - 600 * SECOND;
    PrimaryClock clock = PrimaryClock.first(server, first, first, NOW_MICROS - 600_000_000);
    for (long at = first; at <= NOW; at += 500 * MS) {
      clock = clock.read(server, at, at, NOW_MICROS - (NOW - at) / 1_000);
    }
    return clock;
  }

  private static GtidSet upTo(long count) {
    return GtidSet.parse(P + ":1-" + count);
  }

  private static GtidSet gtid(long number) {
    return GtidSet.parse(P + ":" + number);
  }

  private ReceivedToken received(ConsistencyToken token, long minimumAgeNanos) {
    ClusterState state =
        ClusterState.of(
                SHOP,
                List.of(primary.build(), one.build(), two.build()),
                0,
                "as configured",
                HeartbeatStatus.RUNNING,
                1)
            .withPrimaryClock(clock);
    return ReceivedToken.of(token, minimumAgeNanos, state, NOW);
  }

  private static ConsistencyToken saw(long millisAgo) {
    return ConsistencyToken.of(NOTHING)
        .saw(
            new SeenMoment(
                P, NOW_MICROS - millisAgo * 1_000, UNKNOWN_NANOS, null, UNKNOWN_NANOS, false));
  }

  private static ConsistencyToken readOn(UUID replica, long millisAgo) {
    return ConsistencyToken.of(NOTHING)
        .saw(
            new SeenMoment(
                P, UNKNOWN_NANOS, UNKNOWN_NANOS, replica, NOW_MICROS - millisAgo * 1_000, false));
  }

  @Test
  void whatWasSeenIsKnownByThePrimarysClock() {
    assertThat(NOW - received(saw(5_000), 0).seenAtNanos()).isBetween(4_980 * MS, 5_000 * MS);
  }

  @Test
  void withoutThatClockItWasSeenWhenTheTokenWasMadeAtTheLatest() {
    clock = null;
    assertThat(received(saw(5_000), 0).seenAtNanos()).isEqualTo(NOW - 1);
    assertThat(received(saw(5_000), 3 * SECOND).seenAtNanos()).isEqualTo(NOW - 3 * SECOND);

    clock = clockOf(R1);
    assertThat(received(saw(5_000), 3 * SECOND).seenAtNanos())
        .as("the clock of another primary")
        .isEqualTo(NOW - 3 * SECOND);
  }

  @Test
  void nothingIsNewerThanTheTokenThatTellsOfIt() {
    assertThat(received(saw(0), 3 * SECOND).seenAtNanos()).isEqualTo(NOW - 3 * SECOND);
    assertThat(received(ConsistencyToken.of(NOTHING).sawUnknown(), SECOND).seenAtNanos())
        .isEqualTo(NOW - SECOND);
  }

  @Test
  void theReplicaThatServedLastServesOnWithoutProof() {
    ReceivedToken received = received(readOn(R2, 100), 0);

    assertThat(received.pinnedServer()).isEqualTo(2);
    assertThat(received.pinnedGeneration()).isEqualTo(7);
    assertThat(NOW - received.pinnedServedAtNanos()).isBetween(90 * MS, 100 * MS);
    assertThat(received.seenAtNanos()).isEqualTo(NEVER);
  }

  @Test
  void aReplicaThatIsProvedToShowAllNeedsNoProofHere() {
    SeenMoment proved =
        new SeenMoment(P, NOW_MICROS - 200_000, UNKNOWN_NANOS, R2, NOW_MICROS - 100_000, true);
    ScopeState scope = new ScopeState(0, null);
    scope.adopt(received(ConsistencyToken.of(NOTHING).saw(proved), 0));

    assertThat(scope.pinnedServer()).isEqualTo(2);
    assertThat(scope.pinnedShowsSeenNanos()).isEqualTo(scope.seenAtNanos());

    scope.adopt(received(saw(5_000), 0));
    assertThat(scope.pinnedShowsSeenNanos()).as("what came from elsewhere").isEqualTo(NEVER);
  }

  @Test
  void nobodyIsHeldToAReplicaWhenAllOthersShowTheSame() {
    ReceivedToken received = received(readOn(R2, 2_500), 0);

    assertThat(received.pinnedServer()).isEqualTo(-1);
    assertThat(NOW - received.seenAtNanos()).isBetween(2_480 * MS, 2_500 * MS);
  }

  @Test
  void aReplicaThatMayHaveBeenAnotherThenIsNotTrusted() {
    two.undisturbedSinceNanos(NOW - SECOND);
    assertThat(received(readOn(R2, 100), 0).pinnedServer())
        .as("restarted a second ago")
        .isEqualTo(-1);
    assertThat(NOW - received(readOn(R2, 100), 0).seenAtNanos()).isLessThan(101 * MS);

    two.undisturbedSinceNanos(NEVER);
    assertThat(received(readOn(R2, 100), 0).pinnedServer()).as("never watched").isEqualTo(-1);

    assertThat(received(readOn(P, 100), 0).pinnedServer()).as("the primary now").isEqualTo(-1);
    assertThat(received(readOn(new UUID(9, 9), 100), 0).pinnedServer()).as("unknown").isEqualTo(-1);
  }

  @Test
  void aWriteWithoutAGtidIsBoundToItsMoment() {
    ConsistencyToken token =
        ConsistencyToken.of(WritePosition.incomplete(SHOP, GtidSet.EMPTY))
            .saw(
                new SeenMoment(
                    P, NOW_MICROS - 4_000_000, UNKNOWN_NANOS, null, UNKNOWN_NANOS, false));

    ReceivedToken received = received(token, 0);

    assertThat(NOW - received.unprovedWriteAtNanos()).isBetween(3_980 * MS, 4_000 * MS);
    assertThat(received.seenAtNanos()).isEqualTo(received.unprovedWriteAtNanos());
  }

  @Test
  void whatThePrimaryLacksLongAfterwardsWasLostAndHoldsUpNobody() {
    ConsistencyToken token =
        ConsistencyToken.of(WritePosition.of(SHOP, gtid(500)))
            .narrowed(List.of(new ConsistencyToken.Narrowed(EntityKey.of("order"), gtid(7))));

    assertThat(received(token, 0).hasLost()).as("it may just be under way").isFalse();
    ReceivedToken received = received(token, SECOND);
    assertThat(received.hasLost()).isTrue();
    assertThat(received.general()).isEqualTo(GtidSet.EMPTY);
    assertThat(received.narrowed()).hasSize(1);
  }

  @Test
  void aPositionOfManyPiecesIsGivenUpForItsMoment() {
    StringBuilder pieces = new StringBuilder(P.toString());
    for (int i = 1; i < 40; i += 2) {
      pieces.append(':').append(i);
    }
    ConsistencyToken token =
        ConsistencyToken.of(WritePosition.of(SHOP, GtidSet.parse(pieces.toString())))
            .saw(
                new SeenMoment(
                    P, UNKNOWN_NANOS, NOW_MICROS - 6_000_000, null, UNKNOWN_NANOS, false));

    ReceivedToken received = received(token, 0);

    assertThat(received.general()).isEqualTo(GtidSet.EMPTY);
    assertThat(NOW - received.seenAtNanos()).isBetween(5_980 * MS, 6_000 * MS);
    assertThat(received.unprovedWriteAtNanos()).isEqualTo(received.seenAtNanos());
  }

  @Test
  void aScopeGoesOnWhereTheTokenEnded() {
    ScopeState scope = new ScopeState(0, null);
    scope.adopt(received(readOn(R2, 100), 0));
    scope.adopt(received(readOn(R1, 50), 0));

    assertThat(scope.pinnedServer()).as("there can be one only").isEqualTo(2);
    assertThat(NOW - scope.seenAtNanos()).isBetween(40 * MS, 50 * MS);
  }

  @Test
  void whatAScopeTellsIsUnderstoodAsItWasMeant() {
    ScopeState scope = new ScopeState(0, null);
    scope.wrote(gtid(95), NOW - 400 * MS);
    scope.wrote(gtid(97), NOW - 300 * MS, List.of(EntityKey.of("audit")));
    scope.sawPrimary(NOW - 200 * MS);
    scope.pin(1, 7, -1);
    scope.served(1, NOW - 100 * MS);
    ClusterState state =
        ClusterState.of(
                SHOP,
                List.of(primary.build(), one.build(), two.build()),
                0,
                "as configured",
                HeartbeatStatus.RUNNING,
                1)
            .withPrimaryClock(clock);

    ReceivedToken received = ReceivedToken.of(scope.token(state, NOW), 0, state, NOW);

    assertThat(received.general()).isEqualTo(gtid(95));
    assertThat(received.narrowed())
        .containsExactly(new ConsistencyToken.Narrowed(EntityKey.of("audit"), gtid(97)));
    assertThat(received.pinnedServer()).isEqualTo(1);
    assertThat(NOW - received.pinnedServedAtNanos()).isBetween(95 * MS, 100 * MS);
    assertThat(NOW - received.seenAtNanos()).isBetween(195 * MS, 200 * MS);
    assertThat(NOW - received.writtenAtNanos()).isBetween(295 * MS, 300 * MS);
  }
}
