package dev.leeway.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.annotation.Fallback;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReadIntentTest {
  @Test
  void aReplicaIntentWithoutBoundsTakesAnyReplicaThatServes() {
    ReadIntent intent = ReadIntent.replica();

    assertThat(intent.kind()).isEqualTo(ReadIntent.Kind.REPLICA);
    assertThat(intent.maxStalenessNanos()).isEqualTo(Long.MAX_VALUE);
    assertThat(intent.catchUpNanos()).isEqualTo(ReadIntent.CONFIGURED);
    assertThat(intent.fallback()).isEqualTo(Fallback.PRIMARY);
  }

  @Test
  void boundsAreKeptAndTheOriginalIsLeftAlone() {
    ReadIntent bounded =
        ReadIntent.replica()
            .maxStaleness(Duration.ofMillis(400))
            .catchUp(Duration.ZERO)
            .fallback(Fallback.STALE)
            .named("orders.list");

    assertThat(bounded.maxStalenessNanos()).isEqualTo(400_000_000);
    assertThat(bounded.catchUpNanos()).isZero();
    assertThat(bounded.fallback()).isEqualTo(Fallback.STALE);
    assertThat(bounded).hasToString("orders.list (REPLICA, at most PT0.4S stale, else STALE)");
    assertThat(ReadIntent.replica().maxStalenessNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aDurationTooLongForNanosecondsIsForEver() {
    assertThat(ReadIntent.replica().maxStaleness(Duration.ofDays(365_000)).maxStalenessNanos())
        .isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void negativeDurationsAreRefusedByName() {
    assertThatThrownBy(() -> ReadIntent.replica().maxStaleness(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Read intent 'replica' - maxStaleness: PT-0.001S (expected: zero or more)");
    assertThatThrownBy(() -> ReadIntent.replica().catchUp(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Read intent 'replica' - catchUp: PT-0.001S (expected: zero or more)");
  }

  @Test
  void thePrimaryIsNotAskedForWithoutAReason() {
    assertThatThrownBy(() -> ReadIntent.primary(" "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Read intent - primary because: \"\" (expected: why a replica will not do, in a sentence)");
  }

  @Test
  void boundsOnAnythingButAReplicaReadAreAContradiction() {
    assertThatThrownBy(() -> ReadIntent.write().maxStaleness(Duration.ofSeconds(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Read intent 'write' - maxStaleness says nothing about a WRITE intent (expected: a replica"
                + " intent). Start from ReadIntent.replica().");
  }
}
