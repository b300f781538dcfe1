package dev.leeway.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TallyTest {
  private final Tally tally = new Tally("uuid-of-primary");

  @Test
  void aReadOfAnyServerButThePrimaryCountsAsOneOfAReplica() {
    tally.served("uuid-of-primary", 1, "");
    tally.served("uuid-of-replica-1", 1, "");
    tally.served("uuid-of-replica-2", 1, "");
    tally.served("uuid-of-replica-2", 1, "");

    assertThat(tally.reads()).isEqualTo(4);
    assertThat(tally.onPrimary()).isEqualTo(1);
    assertThat(tally.onReplicas()).isEqualTo(3);
    assertThat(tally.primaryShare()).isEqualTo(0.25);
  }

  @Test
  void olderAndMissingAnswersAreBothStale() {
    tally.judged(Verdict.of(Optional.of(1), number -> number == 1));
    tally.judged(Verdict.of(Optional.of(2), number -> number == 1));
    tally.judged(Verdict.of(Optional.empty(), number -> true));
    tally.judged(Verdict.MISSING);

    assertThat(tally.older()).isEqualTo(1);
    assertThat(tally.missing()).isEqualTo(2);
    assertThat(tally.stale()).isEqualTo(3);
  }

  @Test
  void percentilesAreTimesThatWereReallyMeasured() {
    for (int millis = 1; millis <= 200; millis++) {
      tally.served("uuid-of-primary", millis * 1_000_000L, "");
    }

    assertThat(tally.millisAtPercent(50)).isEqualTo(100);
    assertThat(tally.millisAtPercent(99)).isEqualTo(198);
    assertThat(tally.millisAtPercent(100)).isEqualTo(200);
  }

  @Test
  void reasonsAreCountedByName() {
    tally.served("uuid-of-primary", 1, "B");
    tally.served("uuid-of-primary", 1, "A");
    tally.served("uuid-of-primary", 1, "B");
    tally.served("uuid-of-primary", 1, "");

    assertThat(tally.reasons()).containsExactly(Map.entry("A", 1), Map.entry("B", 2));
  }

  @Test
  void nothingReadIsNothingDividedByZero() {
    assertThat(tally.primaryShare()).isZero();
    assertThat(tally.millisAtPercent(99)).isZero();
    assertThat(tally.reads()).isZero();
  }
}
