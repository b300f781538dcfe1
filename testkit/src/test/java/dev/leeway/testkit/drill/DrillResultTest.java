package dev.leeway.testkit.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DrillResultTest {
  private static final Timings TIMINGS = Timings.of(new long[] {1});

  @Test
  void aResultWithoutStaleReadsPassesAndGoesOn() {
    DrillResult result = result(4, 0, 1, 3);

    assertThat(result.requireNoStaleReads().requireReplicaShare(0.75)).isSameAs(result);
    assertThat(result.primaryShare()).isEqualTo(0.25);
  }

  @Test
  void staleReadsFailAndAreTold() {
    assertThatThrownBy(() -> result(4, 2, 0, 4).requireNoStaleReads())
        .isInstanceOf(AssertionError.class)
        .hasMessage(
            "drill - 2 of 4 reads were stale (expected: 0). First: iteration 1 on replica-1");
  }

  @Test
  void readsThatAllGoToThePrimaryFailTheReplicaShare() {
    assertThatThrownBy(() -> result(4, 0, 4, 0).requireReplicaShare(0.5))
        .isInstanceOf(AssertionError.class)
        .hasMessage(
            "drill - replicas answered 0 of 4 reads (expected: a share of 0.5 or more). Served by:"
                + " {primary=4}");
  }

  private static DrillResult result(int iterations, int stale, int primary, int replica) {
    return new DrillResult(
        iterations,
        stale,
        primary,
        replica,
        replica == 0 ? Map.of("primary", primary) : Map.of("replica-1", replica),
        List.of("iteration 1 on replica-1"),
        TIMINGS,
        TIMINGS);
  }
}
