package dev.leeway.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ConsistencyTest {
  @JobConsistency(value = Consistency.Kind.DELAYED, maxWait = "2s", attempts = 4)
  private static final class Report implements JobHandler {
    @Override
    public void handle(SentJob job) {}
  }

  @JobConsistency(Consistency.Kind.PRIMARY)
  private static final class Receipt implements JobHandler {
    @Override
    @JobConsistency(value = Consistency.Kind.CAUGHT_UP, maxWait = "400ms")
    public void handle(SentJob job) {}
  }

  @Test
  void aHandlerDeclaresWhatItNeeds() {
    assertThat(JobRunner.declaredBy(new Report()))
        .isEqualTo(Consistency.delayed(Duration.ofSeconds(2), 4));
    assertThat(JobRunner.declaredBy(new Receipt()))
        .as("the method counts before the class")
        .isEqualTo(Consistency.caughtUp(Duration.ofMillis(400)));
    assertThat(JobRunner.declaredBy(job -> {})).isNull();
  }

  @Test
  void whatIsOutOfRangeIsRefusedWithItsNumbers() {
    assertThatThrownBy(() -> Consistency.caughtUp(Duration.ZERO))
        .hasMessage("Consistency - maxWait: PT0S (expected: 1 ms to PT1H)");
    assertThatThrownBy(() -> Consistency.delayed(Duration.ofSeconds(1), 0))
        .hasMessage("Consistency - attempts: 0 (expected: 1 to 100)");
  }

  @Test
  void itReadsAsItIsWritten() {
    assertThat(Consistency.delayed(Duration.ofMillis(1_500), 3)).hasToString("DELAYED(1500ms, 3)");
    assertThat(Consistency.caughtUp(Duration.ofSeconds(1))).hasToString("CAUGHT_UP(1s)");
    assertThat(Consistency.primary()).hasToString("PRIMARY");
  }
}
