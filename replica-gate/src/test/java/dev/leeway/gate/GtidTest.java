package dev.leeway.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GtidTest {
  private static final UUID SOURCE = UUID.fromString("3e11fa47-71ca-11e1-9e33-c80aa9429562");

  @Test
  void itPrintsWhatTheServerPrints() {
    assertThat(Gtid.of(SOURCE, 7)).hasToString("3e11fa47-71ca-11e1-9e33-c80aa9429562:7");
    assertThat(new Gtid(SOURCE, "Billing_1", 7))
        .hasToString("3e11fa47-71ca-11e1-9e33-c80aa9429562:billing_1:7");
  }

  @Test
  void aTagMeansTheSameInEveryCase() {
    assertThat(new Gtid(SOURCE, "AAA", 1)).isEqualTo(new Gtid(SOURCE, "aaa", 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1a", "a-b", " a", "a ", "\u0131", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"})
  void aTagThatTheServerRefusesIsRefused(String tag) {
    assertThatThrownBy(() -> new Gtid(SOURCE, tag, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching(
            "GTID - tag '.+' \\(expected: up to 32 letters, digits or underscores, not starting with"
                + " a digit\\)");
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE})
  void aNumberThatTheServerNeverAssignsIsRefused(long number) {
    assertThatThrownBy(() -> Gtid.of(SOURCE, number))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("GTID - number " + number + " (expected: 1 to 9223372036854775806)");
  }
}
