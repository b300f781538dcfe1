package dev.leeway.gate;

import static dev.leeway.gate.Samples.MILLIS;
import static dev.leeway.gate.Samples.clockMicros;
import static dev.leeway.gate.Samples.upTo;
import static dev.leeway.gate.ServerState.UNKNOWN_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimelineTest {
  private static final long NO_HEARTBEAT = UNKNOWN_NANOS;

  private final Timeline timeline = new Timeline();

  @Test
  void withoutAPollOfThePrimaryNothingIsProved() {
    assertThat(timeline.freshAsOf(upTo(1_000), clockMicros(0), 5 * MILLIS))
        .isEqualTo(UNKNOWN_NANOS);
  }

  @Test
  void aReplicaIsAsYoungAsTheNewestSetItContains() {
    mark(100, 10);
    mark(200, 20);
    mark(300, 30);

    assertThat(byPosition(9)).isEqualTo(UNKNOWN_NANOS);
    assertThat(byPosition(10)).isEqualTo(100 * MILLIS);
    assertThat(byPosition(29)).isEqualTo(200 * MILLIS);
    assertThat(byPosition(35)).isEqualTo(300 * MILLIS);
  }

  @Test
  void onAnIdlePrimaryACaughtUpReplicaStaysYoung() {
    for (int i = 1; i <= 100; i++) {
      mark(i * 100L, 10);
    }

    assertThat(byPosition(10)).isEqualTo(10_000 * MILLIS);
    assertThat(timeline.size()).isEqualTo(1);
  }

  @Test
  void betweenTwoMarksTheHeartbeatTellsWhere() {
    mark(1_000, 10);
    mark(2_000, 20);

    assertThat(timeline.freshAsOf(upTo(15), clockMicros(1_400 * MILLIS), 2_100 * MILLIS))
        .isEqualTo(1_400 * MILLIS);
  }

  @Test
  void aHeartbeatThatThePrimaryShowedAtTheContainedMarkAddsNothing() {
    long heartbeat = clockMicros(900 * MILLIS);
    // Half a second was taken from the clock just before the first mark.
    timeline.add(new Timeline.Mark(1_000 * MILLIS, clockMicros(500 * MILLIS), heartbeat, upTo(10)));
    timeline.add(mark(2_000 * MILLIS, clockMicros(1_500 * MILLIS), upTo(20)));

    assertThat(timeline.freshAsOf(upTo(15), heartbeat, 2_100 * MILLIS)).isEqualTo(1_000 * MILLIS);
  }

  @Test
  void beforeTheFirstMarkTheHeartbeatAloneTells() {
    mark(60_000, 100);

    assertThat(timeline.freshAsOf(upTo(15), clockMicros(50_000 * MILLIS), 60_100 * MILLIS))
        .isEqualTo(50_000 * MILLIS);
  }

  @Test
  void aHeartbeatNeverMakesAReplicaYoungerThanASetItLacks() {
    mark(1_000, 10);
    mark(2_000, 20);

    long fromTheFuture = clockMicros(2_500 * MILLIS);

    assertThat(timeline.freshAsOf(upTo(15), fromTheFuture, 2_600 * MILLIS))
        .isEqualTo(1_000 * MILLIS);
  }

  @Test
  void aClockSetBackBetweenTwoMarksDoesNotMakeAReplicaYounger() {
    timeline.add(mark(1_000 * MILLIS, clockMicros(1_000 * MILLIS), upTo(10)));
    // Half a second was taken from the clock at 1 500 ms; this heartbeat was written at 1 200 ms.
    timeline.add(mark(2_000 * MILLIS, clockMicros(1_500 * MILLIS), upTo(20)));
    long heartbeat = clockMicros(1_200 * MILLIS);

    assertThat(timeline.freshAsOf(upTo(15), heartbeat, 2_100 * MILLIS)).isEqualTo(1_200 * MILLIS);
  }

  @Test
  void aClockSetForwardBetweenTwoMarksDoesNotMakeAReplicaYounger() {
    timeline.add(mark(1_000 * MILLIS, clockMicros(1_000 * MILLIS), upTo(10)));
    // A minute was added at 1 500 ms; this heartbeat was written at 1 700 ms.
    timeline.add(mark(2_000 * MILLIS, clockMicros(62_000 * MILLIS), upTo(20)));
    long heartbeat = clockMicros(61_700 * MILLIS);

    assertThat(timeline.freshAsOf(upTo(15), heartbeat, 2_100 * MILLIS)).isEqualTo(1_700 * MILLIS);
  }

  @Test
  void whileThePrimaryAnswersTheHeartbeatIsNotExtrapolated() {
    mark(1_000, 10);

    assertThat(timeline.freshAsOf(upTo(12), clockMicros(1_100 * MILLIS), 1_150 * MILLIS))
        .isEqualTo(1_000 * MILLIS);
  }

  @Test
  void whileThePrimaryIsSilentTheHeartbeatSpeaksForIt() {
    mark(1_000, 10);

    assertThat(timeline.freshAsOf(upTo(50), clockMicros(4_000 * MILLIS), 4_100 * MILLIS))
        .isEqualTo(4_000 * MILLIS);
  }

  @Test
  void aHeartbeatFromOurOwnFutureOrFromBeyondReasonProvesNothing() {
    mark(1_000, 10);

    for (long heartbeat :
        new long[] {
          clockMicros(5_000 * MILLIS),
          clockMicros(600_000 * MILLIS),
          Long.MAX_VALUE,
          Long.MIN_VALUE + 1,
          0
        }) {
      assertThat(timeline.freshAsOf(upTo(50), heartbeat, 4_100 * MILLIS)).isEqualTo(1_000 * MILLIS);
      assertThat(timeline.freshAsOf(upTo(5), heartbeat, 4_100 * MILLIS)).isEqualTo(UNKNOWN_NANOS);
    }
  }

  @Test
  void marksReachBackForDaysAndTheirDistanceStaysSmallAgainstTheirAge() {
    int marks = 2_000_000;
    for (int i = 1; i <= marks; i++) {
      mark(i * 100L, i);
    }
    long now = marks * 100L * MILLIS;

    assertThat(timeline.size()).isLessThanOrEqualTo(128 + 17 * 32);
    for (long ageMillis = 1_000; ageMillis < 100_000_000; ageMillis *= 3) {
      long executed = marks - ageMillis / 100;
      long proved = byPosition(executed);
      assertThat(proved).as("age %d ms", ageMillis).isNotEqualTo(UNKNOWN_NANOS);
      assertThat((now - proved) / (double) (ageMillis * MILLIS))
          .as("age %d ms", ageMillis)
          .isBetween(1.0, 1.12);
    }
  }

  @Test
  void aTransactionThatFailedWhileItWasCommittedTakesItsMarksWithIt() {
    GtidSet failing = upTo(Samples.REPLICA_2, 1);
    mark(100, 10);
    timeline.add(mark(200 * MILLIS, clockMicros(200 * MILLIS), upTo(20).union(failing)));
    timeline.add(mark(300 * MILLIS, clockMicros(300 * MILLIS), upTo(30).union(failing)));
    assertThat(byPosition(35)).isEqualTo(100 * MILLIS);

    timeline.add(mark(400 * MILLIS, clockMicros(400 * MILLIS), upTo(40)));

    assertThat(timeline.size()).isEqualTo(2);
    assertThat(byPosition(35)).isEqualTo(100 * MILLIS);
    assertThat(byPosition(40)).isEqualTo(400 * MILLIS);
  }

  @Test
  void droppingMarksKeepsTheLevelsInOrder() {
    for (int i = 1; i <= 10_000; i++) {
      timeline.add(mark(i * 100L * MILLIS, clockMicros(i * 100L * MILLIS), upTo(i)));
      if (i % 1_000 == 0) {
        // A set that contains none of the newest three hundred.
        timeline.add(mark(i * 100L * MILLIS + 1, clockMicros(i * 100L * MILLIS), upTo(i - 300)));
      }
    }

    assertThat(timeline.size()).isLessThanOrEqualTo(128 + 17 * 32);
    assertThat(byPosition(9_700)).isEqualTo(10_000 * 100 * MILLIS + 1);
    assertThat(byPosition(9_600)).isBetween(9_300 * 100 * MILLIS, 9_600 * 100 * MILLIS);
  }

  private void mark(long sentMillis, long executed) {
    long nanos = sentMillis * MILLIS;
    timeline.add(mark(nanos, clockMicros(nanos), upTo(executed)));
  }

  /** A mark whose primary showed a heartbeat a tenth of a second old. */
  private static Timeline.Mark mark(long sentNanos, long clock, GtidSet executed) {
    return new Timeline.Mark(sentNanos, clock, clock - 100_000, executed);
  }

  private long byPosition(long executed) {
    return timeline.freshAsOf(upTo(executed), NO_HEARTBEAT, Long.MAX_VALUE / 2);
  }
}
