package dev.leeway.gate;

import static dev.leeway.gate.Samples.MILLIS;
import static dev.leeway.gate.Samples.REPLICA_1;
import static dev.leeway.gate.Samples.upTo;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ErrantDetectionTest {
  private final ErrantDetection detection = new ErrantDetection();

  @Test
  void whatTheReplicaShowsAMomentBeforeThePrimaryIsNotErrant() {
    detection.replicaHas(upTo(11), 1_000 * MILLIS, upTo(10));
    detection.primaryHas(upTo(10), 1_050 * MILLIS);
    assertThat(detection.errant().isEmpty()).isTrue();

    detection.primaryHas(upTo(12), 1_150 * MILLIS);

    assertThat(detection.errant().isEmpty()).isTrue();
  }

  @Test
  void whatThePrimaryLacksEvenLaterIsErrant() {
    GtidSet own = upTo(REPLICA_1, 1);

    detection.replicaHas(upTo(10).union(own), 1_000 * MILLIS, upTo(10));
    detection.primaryHas(upTo(12), 1_099 * MILLIS);
    assertThat(detection.errant().isEmpty()).isTrue();
    detection.primaryHas(upTo(13), 1_100 * MILLIS);

    assertThat(detection.errant()).isEqualTo(own);
  }

  @Test
  void whileThePrimarysSetIsNotKnownNothingIsErrant() {
    detection.replicaHas(upTo(10), 1_000 * MILLIS, GtidSet.EMPTY);
    detection.primaryHas(upTo(9), 5_000 * MILLIS);

    assertThat(detection.errant().isEmpty()).isTrue();
  }

  @Test
  void anErrantTransactionThatWasRepairedOnThePrimaryIsForgiven() {
    GtidSet own = upTo(REPLICA_1, 2);
    detection.replicaHas(upTo(10).union(own), 0, upTo(10));
    detection.primaryHas(upTo(10), 100 * MILLIS);
    assertThat(detection.errant()).isEqualTo(own);

    detection.primaryHas(upTo(10).union(upTo(REPLICA_1, 1)), 200 * MILLIS);
    assertThat(detection.errant().describe()).isEqualTo(REPLICA_1 + ":2");
    detection.primaryHas(upTo(10).union(own), 300 * MILLIS);

    assertThat(detection.errant().isEmpty()).isTrue();
  }

  @Test
  void anErrantTransactionThatTheReplicaNoLongerHasIsForgiven() {
    GtidSet own = upTo(REPLICA_1, 1);
    detection.replicaHas(upTo(10).union(own), 0, upTo(10));
    detection.primaryHas(upTo(10), 100 * MILLIS);

    detection.replicaHas(upTo(10), 200 * MILLIS, upTo(10));

    assertThat(detection.errant().isEmpty()).isTrue();
  }

  @Test
  void laterErrantTransactionsJoinTheEarlierOnes() {
    detection.replicaHas(upTo(10).union(upTo(REPLICA_1, 1)), 0, upTo(10));
    detection.primaryHas(upTo(10), 100 * MILLIS);
    detection.replicaHas(upTo(11).union(upTo(REPLICA_1, 3)), 200 * MILLIS, upTo(10));
    detection.primaryHas(upTo(11), 300 * MILLIS);

    assertThat(detection.errant()).isEqualTo(upTo(REPLICA_1, 3));
  }

  @Test
  void onABusyPrimaryAHealthyReplicaIsNeverSuspectedForLong() {
    for (int i = 0; i < 10_000; i++) {
      // The replica is always one ahead of what the primary last said.
      detection.replicaHas(upTo(i + 2), (100L * i + 50) * MILLIS, upTo(i + 1));
      detection.primaryHas(upTo(i + 2), 100L * (i + 1) * MILLIS);

      assertThat(detection.errant().isEmpty()).isTrue();
    }
  }
}
