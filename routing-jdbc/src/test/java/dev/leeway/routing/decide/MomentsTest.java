package dev.leeway.routing.decide;

import static dev.leeway.routing.decide.Moments.NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MomentsTest {
  @Test
  void everythingReachesNeverAndAnUnknownFreshnessReachesNothingElse() {
    assertThat(Moments.reaches(NEVER, NEVER)).isTrue();
    assertThat(Moments.reaches(5, NEVER)).isTrue();
    assertThat(Moments.reaches(NEVER, -5)).isFalse();
  }

  @Test
  void momentsAreComparedAsTheClockRuns() {
    assertThat(Moments.reaches(-5, -5)).isTrue();
    assertThat(Moments.reaches(-6, -5)).isFalse();
    // The clock may pass its own end.
    assertThat(Moments.reaches(Long.MIN_VALUE + 5, Long.MAX_VALUE - 5)).isTrue();
    assertThat(Moments.later(Long.MAX_VALUE - 5, Long.MIN_VALUE + 5)).isEqualTo(Long.MIN_VALUE + 5);
  }

  @Test
  void neverIsTheEarliest() {
    assertThat(Moments.later(NEVER, -7)).isEqualTo(-7);
    assertThat(Moments.later(-7, NEVER)).isEqualTo(-7);
    assertThat(Moments.later(NEVER, NEVER)).isEqualTo(NEVER);
  }
}
