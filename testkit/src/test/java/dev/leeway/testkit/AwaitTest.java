package dev.leeway.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AwaitTest {
  @Test
  void itReturnsAsSoonAsTheConditionHolds() {
    AtomicInteger asked = new AtomicInteger();

    Await.until("the third time", Duration.ofSeconds(10), () -> asked.incrementAndGet() == 3);

    assertThat(asked).hasValue(3);
  }

  @Test
  void afterTheBoundItSaysWhatWasAwaitedAndWhatWentWrongLast() {
    assertThatThrownBy(
            () ->
                Await.until(
                    "rain",
                    Duration.ofMillis(30),
                    () -> {
                      throw new IllegalStateException("the sky is blue");
                    }))
        .isInstanceOf(ClusterException.class)
        .hasMessage("await - not within 30 ms: rain (last error: the sky is blue)")
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void anInterruptedWaitEndsAndStaysInterrupted() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> Await.until("never", Duration.ofMinutes(1), () -> false))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }
}
