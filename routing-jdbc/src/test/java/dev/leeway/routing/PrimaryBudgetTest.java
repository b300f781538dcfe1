package dev.leeway.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PrimaryBudgetTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void asManyRunAtOnceAsAllowed() {
    PrimaryBudget budget = PrimaryBudget.atMost(2);

    assertThat(budget.tryAcquire(0)).isTrue();
    assertThat(budget.tryAcquire(0)).isTrue();
    assertThat(budget.tryAcquire(0)).isFalse();
    assertThat(budget.inUse()).isEqualTo(2);
    assertThat(budget.refused()).isEqualTo(1);

    budget.release();
    assertThat(budget.tryAcquire(0)).isTrue();
    assertThat(budget).hasToString("2 of 2 reads on the primary");
  }

  @Test
  void aBudgetOfNothingTakesNothingOver() {
    assertThat(PrimaryBudget.atMost(0).tryAcquire(0)).isFalse();
  }

  @Test
  void noMoreThanASecondsWorthComesTogetherAndTheRestAsTimePasses() {
    PrimaryBudget budget = PrimaryBudget.atMost(1_000, 10);

    int taken = 0;
    while (budget.tryAcquire(-SECOND)) {
      taken++;
    }
    assertThat(taken).isEqualTo(10);
    assertThat(budget.tryAcquire(-SECOND + SECOND / 10)).isTrue();
    assertThat(budget.tryAcquire(-SECOND + SECOND / 10)).isFalse();
    assertThat(budget.inUse()).isEqualTo(11);
  }

  @Test
  void anIdleBudgetSavesNothingBeyondASecond() {
    PrimaryBudget budget = PrimaryBudget.atMost(1_000, 10);
    assertThat(budget.tryAcquire(0)).isTrue();

    int taken = 0;
    while (budget.tryAcquire(100 * SECOND)) {
      taken++;
    }
    assertThat(taken).isEqualTo(10);
  }

  @Test
  void negativeNumbersAreRefused() {
    assertThatThrownBy(() -> PrimaryBudget.atMost(-1))
        .hasMessage("Primary budget - concurrent: -1, per second: 0 (expected: zero or more)");
    assertThatThrownBy(() -> PrimaryBudget.atMost(1, 0))
        .hasMessage(
            "Primary budget - per second: 0 (expected: more than zero). Use atMost(0) to take over no"
                + " read at all.");
  }
}
