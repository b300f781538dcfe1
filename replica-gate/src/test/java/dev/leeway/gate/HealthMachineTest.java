package dev.leeway.gate;

import static dev.leeway.gate.Samples.MILLIS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HealthMachineTest {
  private static final long UNKNOWN = Long.MAX_VALUE;

  private final HealthMachine machine =
      new HealthMachine(Duration.ofSeconds(10), Duration.ofSeconds(5), 3);

  @Test
  void aServerThatNeverAnsweredIsUnproved() {
    assertThat(machine.health()).isEqualTo(Health.UNPROVED);
  }

  @Test
  void anAnswerWithoutAMeasurementProvesNothing() {
    machine.answered(UNKNOWN);
    machine.answered(UNKNOWN);

    assertThat(machine.health()).isEqualTo(Health.UNPROVED);
  }

  @Test
  void atTheStartOneMeasurementWithinTheLimitIsEnough() {
    machine.answered(UNKNOWN);
    machine.answered(8_000 * MILLIS);

    assertThat(machine.health()).isEqualTo(Health.FRESH);
    assertThat(machine.because()).isEqualTo("its data is 8000 ms old");
  }

  @Test
  void aServerGoesOutAboveTheLimitAndStaysInBelowIt() {
    machine.answered(0);
    machine.answered(10_000 * MILLIS);
    assertThat(machine.health()).isEqualTo(Health.FRESH);

    machine.answered(10_001 * MILLIS);

    assertThat(machine.health()).isEqualTo(Health.STALE);
    assertThat(machine.because())
        .isEqualTo("its data is 10001 ms old (limit 10000 ms, back below 5000 ms)");
  }

  @Test
  void aServerComesBackOnlyAfterSeveralYoungPollsInARow() {
    machine.answered(20_000 * MILLIS);
    machine.answered(4_000 * MILLIS);
    machine.answered(4_000 * MILLIS);
    machine.answered(6_000 * MILLIS);
    machine.answered(4_000 * MILLIS);
    machine.answered(4_000 * MILLIS);
    assertThat(machine.health()).isEqualTo(Health.STALE);

    machine.answered(4_999 * MILLIS);

    assertThat(machine.health()).isEqualTo(Health.FRESH);
    assertThat(machine.because())
        .isEqualTo("its data was less than 5000 ms old in 3 polls in a row");
  }

  @Test
  void anUnansweredPollInBetweenStartsTheCountAnew() {
    machine.answered(20_000 * MILLIS);
    machine.answered(1);
    machine.answered(1);
    machine.failed("Connection refused");
    assertThat(machine.health()).isEqualTo(Health.UNREACHABLE);
    assertThat(machine.because()).isEqualTo("Connection refused");

    machine.answered(1);
    machine.answered(1);
    assertThat(machine.health()).isEqualTo(Health.UNPROVED);
    machine.answered(1);

    assertThat(machine.health()).isEqualTo(Health.FRESH);
  }

  @Test
  void anUnknownAgeInBetweenStartsTheCountAnew() {
    machine.answered(20_000 * MILLIS);
    machine.answered(1);
    machine.answered(1);
    machine.answered(UNKNOWN);
    machine.answered(1);
    machine.answered(1);

    assertThat(machine.health()).isEqualTo(Health.STALE);
  }

  @Test
  void aServerThatIsTooOldWhenItComesBackIsStale() {
    machine.answered(1);
    machine.failed("Read timed out");
    machine.answered(30_000 * MILLIS);

    assertThat(machine.health()).isEqualTo(Health.STALE);
  }

  @Test
  void aDisturbedServerMustProveItselfAgain() {
    machine.answered(1);
    machine.disturbed("it was restarted");
    assertThat(machine.health()).isEqualTo(Health.UNPROVED);
    assertThat(machine.because()).isEqualTo("it was restarted");

    machine.answered(1);
    machine.answered(1);
    assertThat(machine.health()).isEqualTo(Health.UNPROVED);
    machine.answered(1);

    assertThat(machine.health()).isEqualTo(Health.FRESH);
  }

  @Test
  void timeAloneTakesAServerOutAndNeverIn() {
    machine.answered(1);
    machine.aged(10_001 * MILLIS);
    assertThat(machine.health()).isEqualTo(Health.STALE);

    for (int i = 0; i < 10; i++) {
      machine.aged(1);
    }

    assertThat(machine.health()).isEqualTo(Health.STALE);
  }

  @Test
  void aFreshServerWhoseAgeBecomesUnknownGoesOut() {
    machine.answered(1);
    machine.answered(UNKNOWN);

    assertThat(machine.health()).isEqualTo(Health.STALE);
  }
}
