package dev.leeway.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class MySqlTopologyExtensionTest {
  @Test
  void aDelayIsAWholeNumberAndAUnit() {
    assertThat(MySqlTopologyExtension.delay("")).isZero();
    assertThat(MySqlTopologyExtension.delay("10s")).isEqualTo(Duration.ofSeconds(10));
    assertThat(MySqlTopologyExtension.delay(" 2 M ")).isEqualTo(Duration.ofMinutes(2));
    assertThat(MySqlTopologyExtension.delay("1h")).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void anythingElseIsRefusedWithAnExample() {
    for (String wrong : new String[] {"10", "-1s", "1.5s", "400ms", "soon", "9999999s"}) {
      assertThatThrownBy(() -> MySqlTopologyExtension.delay(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "testkit - @MySqlTopology delay: '"
                  + wrong
                  + "' (expected: a whole number of s, m or h, such as 10s)");
    }
  }
}
