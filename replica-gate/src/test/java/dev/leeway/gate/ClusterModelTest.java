package dev.leeway.gate;

import static dev.leeway.gate.Samples.MILLIS;
import static dev.leeway.gate.Samples.PRIMARY;
import static dev.leeway.gate.Samples.REPLICA_1;
import static dev.leeway.gate.Samples.REPLICA_2;
import static dev.leeway.gate.Samples.upTo;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterModelTest {
  private static final MonitorSettings SETTINGS =
      MonitorSettings.builder().ejectAbove(Duration.ofSeconds(2)).build();

  private final ClusterModel model = model(SETTINGS);
  private long nowMillis = 1_000;

  @Test
  void beforeAnyAnswerTheConfiguredPrimaryIsThePrimaryAndNobodyServes() {
    ClusterState state = model.state();

    assertThat(state.primaryIndex()).isZero();
    assertThat(state.cluster()).isEqualTo(new ClusterId("shop", 1));
    assertThat(state.heartbeat()).isEqualTo(HeartbeatStatus.UNKNOWN);
    assertThat(state.servers()).noneMatch(ServerState::mayServe);
  }

  @Test
  void aReplicaThatAnswersBeforeThePrimaryIsNotYetMeasured() {
    replica(1, upTo(100));

    assertThat(server(1).health()).isEqualTo(Health.UNPROVED);
    assertThat(server(1).stalenessNanos(nowMillis * MILLIS)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aReplicaThatHoldsWhatThePrimaryHadServes() {
    primary(upTo(100));
    replica(1, upTo(100));

    assertThat(server(1).mayServe()).isTrue();
    assertThat(server(1).findings()).isEmpty();
    assertThat(server(1).freshAsOfNanos()).isEqualTo(1_000 * MILLIS);
    assertThat(server(0).mayServe()).isTrue();
  }

  @Test
  void whatThePrimaryIsCommittingMayBeVisibleThereAlready() {
    becomeFresh();
    long before = server(1).freshAsOfNanos();
    nowMillis += 100;
    model.answered(
        0, Samples.primary(nowMillis, upTo(100)).owned(GtidSet.parse(PRIMARY + ":101")).make());
    replica(1, upTo(100));
    replica(2, upTo(101));

    assertThat(server(1).freshAsOfNanos()).isEqualTo(before);
    assertThat(server(2).freshAsOfNanos()).isEqualTo(nowMillis * MILLIS);
    assertThat(server(0).executed()).isEqualTo(upTo(100));
    assertThat(server(0).mayHave()).isEqualTo(upTo(101));
  }

  @Test
  void aPollThatDoesNotTellWhatIsBeingCommittedProvesNothing() {
    becomeFresh();
    long before = server(1).freshAsOfNanos();
    nowMillis += 100;
    model.answered(0, Samples.primary(nowMillis, upTo(100)).owned(null).make());
    replica(1, upTo(100));

    assertThat(server(1).freshAsOfNanos()).isEqualTo(before);
    assertThat(server(0).mayServe()).isTrue();
  }

  @Test
  void whatThePrimaryIsStillCommittingIsNotErrantOnAReplica() {
    becomeFresh();
    // As with semi-synchronous replication that waits for an answer.
    for (int i = 0; i < 100; i++) {
      nowMillis += 100;
      model.answered(
          0, Samples.primary(nowMillis, upTo(100)).owned(GtidSet.parse(PRIMARY + ":101")).make());
      replica(1, upTo(101));

      assertThat(server(1).findings()).isEmpty();
    }
  }

  @Test
  void aTransactionThatThePrimaryHoldsForLongTakesNoReplicaOut() {
    becomeFresh();
    MonitorSettings patient = SETTINGS.toBuilder().ejectAbove(Duration.ofSeconds(10)).build();
    ClusterModel other = model(patient);
    for (int i = 0; i < 300; i++) {
      GtidSet executed = upTo(100 + i);
      other.answered(
          0,
          Samples.primary(1_000 + i * 100L, executed)
              .owned(GtidSet.parse(Samples.uuid(7) + ":5"))
              .make());
      other.answered(1, Samples.replica(REPLICA_1, 1_000 + i * 100L, executed).make());
    }

    assertThat(other.state().server(1).health()).isEqualTo(Health.FRESH);
    assertThat(other.state().server(1).stalenessNanos(30_900 * MILLIS)).isZero();
  }

  @Test
  void aReplicaWhoseAgeCannotBeKnownDoesNotServe() {
    primary(upTo(100));
    replica(1, upTo(99));

    assertThat(server(1).health()).isEqualTo(Health.UNPROVED);
    assertThat(server(1).freshAsOfNanos()).isEqualTo(ServerState.UNKNOWN_NANOS);
  }

  @Test
  void aReplicaThatStandsStillGoesOutWhenItsDataIsTooOld() {
    becomeFresh();

    for (int i = 0; i < 18; i++) {
      tick(upTo(101 + i), upTo(100));
      assertThat(server(1).health()).as("at %d ms", nowMillis).isEqualTo(Health.FRESH);
    }
    tick(upTo(200), upTo(100));
    tick(upTo(201), upTo(100));

    assertThat(server(1).health()).isEqualTo(Health.STALE);
    assertThat(server(2).health()).isEqualTo(Health.FRESH);
  }

  @Test
  void aReplicaThatIsNotAskedGoesOutAsThePrimarysAnswersShowTimePassing() {
    becomeFresh();

    for (int i = 0; i < 30; i++) {
      nowMillis += 100;
      primary(upTo(101 + i));
    }

    assertThat(server(1).health()).isEqualTo(Health.STALE);
  }

  @Test
  void whatTheGateLearnsMakesAReplicaYoungerAtOnce() {
    becomeFresh();
    nowMillis += 100;
    primary(upTo(150));
    long before = server(1).freshAsOfNanos();

    boolean news =
        model.learned(1, server(1).generation(), REPLICA_1, upTo(150), nowMillis * MILLIS);

    assertThat(news).isTrue();
    assertThat(server(1).executed()).isEqualTo(upTo(150));
    assertThat(server(1).freshAsOfNanos()).isGreaterThan(before);
  }

  @Test
  void whatTheGateLearnsOfAnotherServerOrOfAnEarlierLifeIsIgnored() {
    becomeFresh();
    long generation = server(1).generation();

    assertThat(model.learned(1, generation + 1, REPLICA_1, upTo(150), 0)).isFalse();
    assertThat(model.learned(1, generation, REPLICA_2, upTo(150), 0)).isFalse();
    assertThat(model.learned(1, generation, REPLICA_1, upTo(50), 0)).isFalse();
    model.failed(1, nowMillis * MILLIS, "gone");
    assertThat(model.learned(1, generation, REPLICA_1, upTo(150), 0)).isFalse();

    assertThat(server(1).executed()).isEqualTo(upTo(100));
  }

  @Test
  void aServerThatDoesNotAnswerIsUnreachableAndTellsWhy() {
    becomeFresh();

    model.failed(1, nowMillis * MILLIS, "Connection refused");

    assertThat(server(1).health()).isEqualTo(Health.UNREACHABLE);
    assertThat(server(1).problem()).isEqualTo("Connection refused");
    assertThat(server(1).mayServe()).isFalse();
    nowMillis += 100;
    replica(1, upTo(100));
    assertThat(server(1).health()).isEqualTo(Health.UNPROVED);
    assertThat(server(1).problem()).isNull();
  }

  @Test
  void aRestartedReplicaIsUnprovedAndOfAnotherGeneration() {
    becomeFresh();
    long generation = server(1).generation();
    nowMillis += 100;

    model.answered(1, Samples.replica(REPLICA_1, nowMillis, upTo(100)).restarted().make());

    assertThat(server(1).health()).isEqualTo(Health.UNPROVED);
    assertThat(server(1).generation()).isGreaterThan(generation);
    proveAgain();
    assertThat(server(1).mayServe()).isTrue();
  }

  @Test
  void anotherServerAtAReplicasAddressIsNamedUntilItIsProved() {
    becomeFresh();
    long generation = server(1).generation();
    nowMillis += 100;

    model.answered(1, Samples.replica(Samples.uuid(9), nowMillis, upTo(100)).make());

    assertThat(server(1).findings()).containsExactly(Finding.UUID_CHANGED);
    assertThat(server(1).mayServe()).isFalse();
    assertThat(server(1).generation()).isGreaterThan(generation);
    for (int i = 0; i < 3; i++) {
      nowMillis += 100;
      primary(upTo(101 + i));
      model.answered(1, Samples.replica(Samples.uuid(9), nowMillis, upTo(101 + i)).make());
    }
    assertThat(server(1).findings()).isEmpty();
    assertThat(server(1).mayServe()).isTrue();
  }

  @Test
  void anAddressThatFlipsBetweenTwoServersNeverServes() {
    becomeFresh();

    for (int i = 0; i < 100; i++) {
      nowMillis += 100;
      primary(upTo(101 + i));
      model.answered(
          1,
          Samples.replica(i / 2 % 2 == 0 ? Samples.uuid(9) : REPLICA_1, nowMillis, upTo(101 + i))
              .make());
      assertThat(server(1).mayServe()).isFalse();
    }
  }

  @Test
  void aReplicaThatLostTransactionsIsUnprovedAndOnlyItsNewPositionCounts() {
    becomeFresh();
    nowMillis += 100;
    primary(upTo(101));

    model.answered(1, Samples.replica(REPLICA_1, nowMillis, upTo(60)).make());

    assertThat(server(1).health()).isEqualTo(Health.UNPROVED);
    assertThat(server(1).executed()).isEqualTo(upTo(60));
    assertThat(server(1).freshAsOfNanos()).isEqualTo(ServerState.UNKNOWN_NANOS);
  }

  @Test
  void aDetachedReplicaIsNamedAndRefusedAndMustProveItselfWhenAttachedAgain() {
    becomeFresh();
    long generation = server(1).generation();
    nowMillis += 100;

    model.answered(1, Samples.replica(REPLICA_1, nowMillis, upTo(100)).detached().make());
    assertThat(server(1).findings()).containsExactly(Finding.DETACHED);
    assertThat(server(1).mayServe()).isFalse();
    nowMillis += 100;
    replica(1, upTo(100));

    assertThat(server(1).health()).isEqualTo(Health.UNPROVED);
    assertThat(server(1).generation()).isGreaterThan(generation);
    proveAgain();
    assertThat(server(1).mayServe()).isTrue();
  }

  @Test
  void aReplicaThatIsPointedToAnotherSourceMustProveItselfAgain() {
    becomeFresh();
    nowMillis += 100;

    model.answered(
        1,
        Samples.replica(REPLICA_1, nowMillis, upTo(100))
            .replication(Samples.from(REPLICA_2))
            .make());

    assertThat(server(1).health()).isEqualTo(Health.UNPROVED);
  }

  @Test
  void stoppedThreadsAreNamed() {
    becomeFresh();
    nowMillis += 100;
    model.answered(
        1,
        Samples.replica(REPLICA_1, nowMillis, upTo(100))
            .replication(new Sample.Replication(1, false, false, PRIMARY))
            .make());

    assertThat(server(1).findings())
        .containsExactlyInAnyOrder(Finding.RECEIVER_STOPPED, Finding.APPLIER_STOPPED);
  }

  @Test
  void aReplicaThatIsNotSuperReadOnlyIsNamedAndServesUnlessThatIsRefused() {
    MonitorSettings strict =
        SETTINGS.toBuilder().refuse(java.util.Set.of(Finding.WRITABLE)).build();
    for (MonitorSettings settings : List.of(SETTINGS, strict)) {
      ClusterModel other = model(settings);
      other.answered(0, Samples.primary(1_000, upTo(100)).make());
      other.answered(1, Samples.replica(REPLICA_1, 1_001, upTo(100)).notSuperReadOnly().make());

      assertThat(other.state().server(1).findings()).containsExactly(Finding.WRITABLE);
      assertThat(other.state().server(1).mayServe()).isEqualTo(settings == SETTINGS);
    }
  }

  @Test
  void errantTransactionsAreNamedAndRefused() {
    GtidSet own = upTo(REPLICA_1, 1);
    becomeFresh();
    for (int i = 0; i < 3; i++) {
      tick(upTo(101 + i), upTo(101 + i).union(own));
    }

    assertThat(server(1).findings()).containsExactly(Finding.ERRANT_TRANSACTIONS);
    assertThat(server(1).mayServe()).isFalse();
    assertThat(model.errant(1)).isEqualTo(own);
  }

  @Test
  void aReplicasClockIsNamedWhenItIsWrongAndChangesNoDecision() {
    becomeFresh();
    for (long skewMillis : new long[] {120_000, -120_000}) {
      nowMillis += 100;
      primary(upTo(100));
      model.answered(
          1,
          Samples.replica(REPLICA_1, nowMillis, upTo(100))
              .clockMicros(Samples.clockMicros((nowMillis + skewMillis) * MILLIS))
              .make());

      assertThat(server(1).findings()).containsExactly(Finding.CLOCK_SKEWED);
      assertThat(server(1).mayServe()).isTrue();
      assertThat(server(1).freshAsOfNanos()).isEqualTo(nowMillis * MILLIS);
    }
    nowMillis += 100;
    replica(1, upTo(100));
    assertThat(server(1).findings()).isEmpty();
  }

  @Test
  void theSameServerUnderTwoNamesIsNamedOnBoth() {
    becomeFresh();
    nowMillis += 100;
    model.answered(2, Samples.replica(REPLICA_1, nowMillis, upTo(100)).make());

    assertThat(server(1).findings()).containsExactly(Finding.SAME_SERVER_TWICE);
    assertThat(server(2).findings()).contains(Finding.SAME_SERVER_TWICE);
  }

  @Test
  void withoutGtidsOnThePrimaryNoReplicaIsProved() {
    model.answered(0, Samples.primary(1_000, upTo(100)).withoutGtids().make());
    replica(1, upTo(100));

    assertThat(server(0).findings()).containsExactly(Finding.GTIDS_OFF);
    assertThat(server(1).mayServe()).isFalse();
  }

  @Test
  void whereTheCommitOrderIsNotKeptTheHeartbeatProvesNothing() {
    primary(upTo(100));
    model.answered(
        1, Samples.replica(REPLICA_1, 1_001, upTo(90)).outOfOrder().heartbeatOf(900).make());
    model.answered(2, Samples.replica(REPLICA_2, 1_001, upTo(90)).heartbeatOf(900).make());

    assertThat(server(1).findings()).containsExactly(Finding.COMMIT_ORDER_NOT_KEPT);
    assertThat(server(1).freshAsOfNanos()).isEqualTo(ServerState.UNKNOWN_NANOS);
    assertThat(server(2).freshAsOfNanos()).isEqualTo(900 * MILLIS);
  }

  @Test
  void aDeadHeartbeatWriterIsToldApartFromReplicasThatLag() {
    for (int i = 0; i < 50; i++) {
      nowMillis += 100;
      model.answered(0, Samples.primary(nowMillis, upTo(100)).heartbeatOf(1_000).make());
      model.answered(1, Samples.replica(REPLICA_1, nowMillis, upTo(100)).heartbeatOf(1_000).make());
    }

    assertThat(model.state().heartbeat()).isEqualTo(HeartbeatStatus.WRITER_DOWN);
    assertThat(server(1).mayServe()).isTrue();
    assertThat(server(1).findings()).isEmpty();
    assertThat(model.heartbeatLagSeconds(1, nowMillis * MILLIS)).isBetween(4.9, 5.1);
  }

  @Test
  void aClockThatIsSetOnThePrimaryIsNotTakenForADeadWriter() {
    for (int i = 0; i < 50; i++) {
      nowMillis += 100;
      long clockMillis = nowMillis + (i < 20 ? 0 : 120_000);
      model.answered(
          0,
          Samples.primary(nowMillis, upTo(100 + i))
              .clockMicros(Samples.clockMicros(clockMillis * MILLIS))
              .heartbeatOf(i == 20 ? nowMillis - 100 : clockMillis - 50)
              .make());

      assertThat(model.state().heartbeat()).isEqualTo(HeartbeatStatus.RUNNING);
    }
  }

  @Test
  void aRowThatWasOldAtTheStartIsNoSignOfLife() {
    for (int i = 0; i < 31; i++) {
      model.answered(0, Samples.primary(60_000 + i * 100, upTo(100)).heartbeatOf(1_000).make());

      assertThat(model.state().heartbeat()).isEqualTo(HeartbeatStatus.UNKNOWN);
    }
    model.answered(0, Samples.primary(63_200, upTo(100)).heartbeatOf(1_000).make());

    assertThat(model.state().heartbeat()).isEqualTo(HeartbeatStatus.WRITER_DOWN);
  }

  @Test
  void aWriterThatHasJustStartedIsNotCalledDead() {
    for (int i = 0; i < 30; i++) {
      model.answered(
          0, Samples.primary(nowMillis, upTo(100)).heartbeat(Sample.Heartbeat.MISSING).make());
      assertThat(model.state().heartbeat()).isEqualTo(HeartbeatStatus.UNKNOWN);
      nowMillis += 100;
    }
    nowMillis += 100;
    model.answered(
        0, Samples.primary(nowMillis, upTo(100)).heartbeat(Sample.Heartbeat.MISSING).make());

    assertThat(model.state().heartbeat()).isEqualTo(HeartbeatStatus.WRITER_DOWN);
    assertThat(server(0).findings()).containsExactly(Finding.HEARTBEAT_MISSING);
  }

  @Test
  void anAmbiguousLocalHeartbeatIsYoungEnoughForItsWriterAndOldEnoughForAReplica() {
    long now = Samples.clockMicros(10_000 * MILLIS);
    Sample.Heartbeat ambiguous =
        new Sample.Heartbeat(Sample.Heartbeat.Presence.SEEN, now - 3_600_000_000L, now - 100_000L);

    model.answered(0, Samples.primary(10_000, upTo(100)).heartbeat(ambiguous).make());
    model.answered(1, Samples.replica(REPLICA_1, 10_001, upTo(90)).heartbeat(ambiguous).make());

    assertThat(model.state().heartbeat()).isEqualTo(HeartbeatStatus.RUNNING);
    assertThat(server(1).stalenessNanos(10_001 * MILLIS)).isGreaterThan(3_599_000 * MILLIS);
  }

  @Test
  void aSwitchOfThePrimaryRaisesTheEpochAndMeasuresByTheNewOne() {
    becomeFresh();
    nowMillis += 100;
    model.answered(0, Samples.primary(nowMillis, upTo(100)).readOnly().make());
    assertThat(model.state().primaryIndex()).isEqualTo(-1);
    nowMillis += 100;
    model.answered(
        1, Samples.replica(REPLICA_1, nowMillis, upTo(100)).writable().detached().make());

    assertThat(model.state().primaryIndex()).isEqualTo(1);
    assertThat(model.state().cluster().epoch()).isEqualTo(2);
    assertThat(server(1).findings()).isEmpty();
    assertThat(server(0).findings()).containsExactly(Finding.DETACHED);
    assertThat(server(0).mayServe()).isFalse();
    assertThat(model.heartbeatSource()).isEqualTo(new ClusterModel.HeartbeatSource(REPLICA_1, 2));
    GtidSet after = upTo(100).union(upTo(REPLICA_1, 5));
    nowMillis += 100;
    model.answered(1, Samples.replica(REPLICA_1, nowMillis, after).writable().detached().make());
    nowMillis += 1;
    long before = server(2).freshAsOfNanos();
    replica(2, upTo(100));
    assertThat(server(2).freshAsOfNanos()).isEqualTo(before);
  }

  @Test
  void theTimeBetweenThePromotionAndItsDiscoveryIsNotCreditedToOtherReplicas() {
    becomeFresh();
    long promotedAtMillis = nowMillis + 50;
    // The old primary is read-only and idle, the new one already takes writes, and has not been
    // asked.
    for (int i = 0; i < 5; i++) {
      nowMillis += 100;
      model.answered(0, Samples.primary(nowMillis, upTo(100)).readOnly().make());
      replica(2, upTo(100));
    }

    assertThat(server(2).freshAsOfNanos()).isLessThan(promotedAtMillis * MILLIS);
  }

  @Test
  void aPrimaryThatIsReadOnlyForAWhileStillMeasuresIfNobodyElseTakesWrites() {
    becomeFresh();
    for (int i = 0; i < 50; i++) {
      nowMillis += 100;
      model.answered(0, Samples.primary(nowMillis, upTo(100)).readOnly().make());
      nowMillis += 1;
      replica(1, upTo(100));
      replica(2, upTo(100));
    }

    assertThat(model.state().primaryIndex()).isEqualTo(-1);
    assertThat(server(1).mayServe()).isTrue();
    assertThat(server(1).stalenessNanos(nowMillis * MILLIS)).isLessThan(500 * MILLIS);
  }

  @Test
  void aRivalThatTakesWritesLeavesNoPrimaryAndReadsGoOn() {
    becomeFresh();
    GtidSet own = upTo(REPLICA_1, 3);
    for (int i = 0; i < 4; i++) {
      nowMillis += 100;
      primary(upTo(101 + i));
      nowMillis += 1;
      model.answered(
          1,
          Samples.replica(REPLICA_1, nowMillis, upTo(100).union(own)).writable().detached().make());
      model.answered(
          2, Samples.replica(REPLICA_2, nowMillis, upTo(101 + i)).replication(null).make());
    }

    assertThat(model.state().primaryIndex()).isEqualTo(-1);
    assertThat(model.state().primaryExplanation())
        .isEqualTo("more than one server takes writes: primary, replica-1");
    assertThat(server(1).mayServe()).isFalse();
    assertThat(server(2).mayServe()).isTrue();
    assertThat(server(2).findings()).containsExactly(Finding.REPLICATION_UNREADABLE);
  }

  @Test
  void aPrimaryThatLostTransactionsLeavesNoReplicaProved() {
    becomeFresh();
    nowMillis += 100;

    primary(upTo(40));

    assertThat(server(1).health()).isEqualTo(Health.UNPROVED);
    assertThat(server(2).health()).isEqualTo(Health.UNPROVED);
  }

  @Test
  void aPrimaryThatIsGoneForLongIsFollowedByAServerThatWasPromoted() {
    becomeFresh();
    model.failed(0, nowMillis * MILLIS, "Connection refused");
    for (int i = 0; i < 29; i++) {
      nowMillis += 100;
      model.failed(0, nowMillis * MILLIS, "Connection refused");
      model.answered(
          1, Samples.replica(REPLICA_1, nowMillis, upTo(100)).writable().detached().make());
      assertThat(model.state().primaryIndex()).isZero();
    }
    nowMillis += 200;
    model.answered(
        1, Samples.replica(REPLICA_1, nowMillis, upTo(100)).writable().detached().make());

    assertThat(model.state().primaryIndex()).isEqualTo(1);
    assertThat(model.state().cluster().epoch()).isEqualTo(2);
  }

  private static ClusterModel model(MonitorSettings settings) {
    return new ClusterModel("shop", settings, List.of("primary", "replica-1", "replica-2"), 0);
  }

  private ServerState server(int index) {
    return model.state().server(index);
  }

  private void primary(GtidSet executed) {
    model.answered(0, Samples.primary(nowMillis, executed).make());
  }

  private void replica(int index, GtidSet executed) {
    model.answered(
        index, Samples.replica(index == 1 ? REPLICA_1 : REPLICA_2, nowMillis, executed).make());
  }

  private void becomeFresh() {
    primary(upTo(100));
    replica(1, upTo(100));
    replica(2, upTo(100));
    assertThat(model.state().servers()).allMatch(ServerState::mayServe);
  }

  /** A tenth of a second later, with replica-2 caught up. */
  private void tick(GtidSet primaryHas, GtidSet replica1Has) {
    nowMillis += 100;
    primary(primaryHas);
    replica(1, replica1Has);
    replica(2, primaryHas);
  }

  /** Three polls that show replica-1 caught up. */
  private void proveAgain() {
    for (int i = 0; i < 3; i++) {
      tick(upTo(101 + i), upTo(101 + i));
    }
  }
}
