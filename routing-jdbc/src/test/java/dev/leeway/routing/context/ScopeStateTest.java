package dev.leeway.routing.context;

import static dev.leeway.routing.decide.Moments.NEVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.gate.ClusterId;
import dev.leeway.gate.GtidSet;
import dev.leeway.gate.WritePosition;
import org.junit.jupiter.api.Test;

class ScopeStateTest {
  private static final ClusterId SHOP = new ClusterId("shop", 0);
  private static final String SOURCE = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
  private static final long MILLISECOND = 1_000_000;

  private final ScopeState scope = new ScopeState(0, null);

  @Test
  void aFreshScopeDemandsNothing() {
    assertThat(scope.writes().everything().gtids()).isEqualTo(GtidSet.EMPTY);
    assertThat(scope.writes().everything().atNanos()).isEqualTo(NEVER);
    assertThat(scope.seenAtNanos()).isEqualTo(NEVER);
    assertThat(scope.stickyUntilNanos()).isEqualTo(NEVER);
    assertThat(position()).isEqualTo(WritePosition.nothingWritten(SHOP));
  }

  @Test
  void positionsAddUp() {
    scope.wrote(set(":1"), 10);
    scope.wrote(set(":2"), 20);

    assertThat(position()).isEqualTo(WritePosition.of(SHOP, set(":1-2")));
    assertThat(scope.writes().everything().atNanos()).isEqualTo(20);
    assertThat(scope.seenAtNanos()).as("a GTID says it all").isEqualTo(NEVER);
  }

  @Test
  void anEmptySetIsRefusedRatherThanTakenForAPosition() {
    assertThatThrownBy(() -> scope.wrote(GtidSet.EMPTY, 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Scope - wrote(): no GTID (expected: at least one)");
  }

  @Test
  void aWriteWithoutAGtidKeepsWhatWasKnownAndMakesThePositionIncomplete() {
    scope.wrote(set(":1"), 10);
    scope.wroteUnknown(20);

    assertThat(position()).isEqualTo(WritePosition.incomplete(SHOP, set(":1")));
    assertThat(scope.seenAtNanos()).isEqualTo(20);
  }

  @Test
  void whatThePrimaryHadExecutedAfterwardsStandsForAWriteWithoutAGtid() {
    scope.wroteUnknown(0);

    assertThat(scope.position(SHOP, set(":1-9"), 9 * MILLISECOND).isComplete())
        .as("asked before the margin had passed")
        .isFalse();
    assertThat(scope.position(SHOP, set(":1-9"), 10 * MILLISECOND))
        .isEqualTo(WritePosition.of(SHOP, set(":1-9")));
    assertThat(scope.position(SHOP, GtidSet.EMPTY, 10 * MILLISECOND).isComplete())
        .as("nothing known of the primary")
        .isFalse();
  }

  @Test
  void anAdoptedIncompletePositionHasSeenEverythingUpToNow() {
    scope.adopt(WritePosition.incomplete(SHOP, set(":1")), 50);

    assertThat(scope.writes().everything().gtids()).isEqualTo(set(":1"));
    assertThat(scope.seenAtNanos()).isEqualTo(50);
    assertThat(position().isComplete()).isFalse();
  }

  @Test
  void momentsOnlyMoveForward() {
    scope.sawPrimary(-5);
    scope.sawPrimary(-50);

    assertThat(scope.seenAtNanos()).isEqualTo(-5);
  }

  @Test
  void aDecisionMadeWithAnotherPinIsVoid() {
    assertThat(scope.pin(1, 7, -1)).isTrue();
    assertThat(scope.pin(1, 7, -1)).as("the same again").isTrue();
    assertThat(scope.pin(2, 7, -1)).as("decided before 1 was pinned").isFalse();
    assertThat(scope.pinnedServer()).isEqualTo(1);
  }

  @Test
  void aReplicaThatAnsweredIsRememberedWhenAnotherTakesItsPlace() {
    scope.pin(1, 7, -1);
    scope.served(1, 30);
    assertThat(scope.seenAtNanos()).as("while it serves, it needs no proof").isEqualTo(NEVER);

    assertThat(scope.pin(2, 4, 1)).isTrue();

    assertThat(scope.pinnedServer()).isEqualTo(2);
    assertThat(scope.seenAtNanos()).isEqualTo(30);
    assertThat(scope.pinnedServedAtNanos()).isEqualTo(NEVER);
  }

  @Test
  void theLossOfAReplicaThatHadServedIsRemembered() {
    scope.pin(1, 7, -1);
    scope.served(1, 30);
    scope.lostPin(1);

    assertThat(scope.pinnedServer()).isEqualTo(-1);
    assertThat(scope.seenAtNanos()).isEqualTo(30);
  }

  @Test
  void aReplicaThatNeverAnsweredLeavesNothingToRemember() {
    scope.pin(1, 7, -1);
    scope.lostPin(1);

    assertThat(scope.pinnedServer()).isEqualTo(-1);
    assertThat(scope.seenAtNanos()).isEqualTo(NEVER);
  }

  @Test
  void anAnswerThatComesAfterItsReplicaWasGivenUpHasBeenSeenAllTheSame() {
    scope.pin(1, 7, -1);
    scope.lostPin(1);
    scope.served(1, 60);

    assertThat(scope.seenAtNanos()).isEqualTo(60);
  }

  @Test
  void theLossOfAnotherReplicaChangesNothing() {
    scope.pin(1, 7, -1);
    scope.lostPin(2);

    assertThat(scope.pinnedServer()).isEqualTo(1);
  }

  @Test
  void theStickyTimeCountsFromEachWrite() {
    ScopeState sticky = new ScopeState(100, null);

    sticky.wrote(set(":1"), 10);
    sticky.wroteUnknown(40);

    assertThat(sticky.stickyUntilNanos()).isEqualTo(140);
  }

  @Test
  void stickyForEverStaysSo() {
    ScopeState sticky = new ScopeState(Long.MAX_VALUE, null);

    sticky.wrote(set(":1"), 10);

    assertThat(sticky.stickyUntilNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aScopeThatWritesAllNightGivesItsSetUpForAMoment() {
    for (int i = 0; i < 5_000; i++) {
      scope.wrote(set(":" + (2 * i + 1)), i);
    }

    assertThat(scope.writes().everything().gtids().intervalCount()).isLessThanOrEqualTo(4_096);
    assertThat(scope.seenAtNanos()).isEqualTo(4_096);
    assertThat(position().isComplete()).isFalse();
  }

  private WritePosition position() {
    return scope.position(SHOP, GtidSet.EMPTY, NEVER);
  }

  private static GtidSet set(String ranges) {
    return GtidSet.parse(SOURCE + ranges);
  }
}
