package dev.leeway.gate;

import static dev.leeway.gate.Samples.MILLIS;
import static dev.leeway.gate.Samples.PRIMARY;
import static dev.leeway.gate.Samples.upTo;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CommittingTest {
  private static final GtidSet EXECUTED = upTo(100);
  private static final GtidSet OWNED = GtidSet.parse(PRIMARY + ":101-102");

  private final Committing committing = new Committing();

  @Test
  void whatIsBeingCommittedMayBeVisible() {
    assertThat(committing.visible(EXECUTED, OWNED, 0)).isEqualTo(upTo(102));
  }

  @Test
  void whenNothingIsBeingCommittedTheExecutedSetIsAll() {
    assertThat(committing.visible(EXECUTED, GtidSet.EMPTY, 0)).isSameAs(EXECUTED);
  }

  @Test
  void whatHasBeenOwnedForLongIsLeftOutAndTheRestIsNot() {
    GtidSet announced = GtidSet.parse(Samples.uuid(7) + ":5");
    for (long millis = 0; millis < 5_000; millis += 100) {
      assertThat(committing.visible(EXECUTED, announced.union(OWNED), millis * MILLIS))
          .isEqualTo(upTo(102).union(announced));
    }
    GtidSet later = GtidSet.parse(PRIMARY + ":103");

    assertThat(committing.visible(EXECUTED, announced.union(later), 5_000 * MILLIS))
        .isEqualTo(EXECUTED.union(later));
    assertThat(committing.visible(EXECUTED, announced.union(later), 5_100 * MILLIS))
        .isEqualTo(EXECUTED.union(later));
  }

  @Test
  void whatWasOwnedForLongAndIsOwnedAnewMayBeVisibleAgain() {
    committing.visible(EXECUTED, OWNED, 0);
    committing.visible(EXECUTED, OWNED, 5_000 * MILLIS);
    committing.visible(EXECUTED, GtidSet.EMPTY, 5_100 * MILLIS);

    assertThat(committing.visible(EXECUTED, OWNED, 5_200 * MILLIS)).isEqualTo(upTo(102));
  }
}
