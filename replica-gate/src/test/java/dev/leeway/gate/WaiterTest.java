package dev.leeway.gate;

import static dev.leeway.gate.Samples.MILLIS;
import static dev.leeway.gate.Samples.upTo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.gate.GateResult.Outcome;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WaiterTest {
  private static final long ASKED = 1_000 * MILLIS;

  private final Waiter waiter = waiter(Waiter.ANY);
  private GtidSet primaryHas = upTo(100);
  private long primarySampled = ASKED - 50 * MILLIS;
  private GtidSet replica1Has = upTo(90);
  private GtidSet replica2Has = upTo(90);
  private Health health1 = Health.FRESH;
  private Set<Finding> findings1 = Set.of();
  private boolean primaryReadOnly;
  private int primaryIndex;

  @Test
  void nothingIsSettledWhileNoReplicaIsThere() {
    assertThat(waiter.look(state(), ASKED)).isNull();
  }

  @Test
  void oneReplicaThatHasItIsEnough() {
    replica2Has = upTo(100);

    assertThat(reached()).isEqualTo("replica-2");
  }

  @Test
  void aReplicaThatMayNotServeLetsNobodyThrough() {
    replica1Has = upTo(100);
    for (Health health : new Health[] {Health.STALE, Health.UNPROVED, Health.UNREACHABLE}) {
      health1 = health;
      assertThat(waiter.look(state(), ASKED)).isNull();
    }
    health1 = Health.FRESH;
    findings1 = Set.of(Finding.ERRANT_TRANSACTIONS);

    assertThat(waiter.look(state(), ASKED)).isNull();
  }

  @Test
  void thePrimaryIsNoReplica() {
    assertThat(waiter.look(state(), ASKED)).isNull();
    assertThat(waiter.couldUse(state(), 0)).isFalse();
  }

  @Test
  void aReplicaThatHasItButIsOlderThanAllowedLetsNobodyThrough() {
    replica1Has = upTo(100);
    Waiter strict = new Waiter(upTo(100), 20 * MILLIS, Waiter.ANY, ASKED, ASKED + 1);

    assertThat(strict.look(state(), ASKED + 30 * MILLIS)).isNull();
    assertThat(strict.look(state(), ASKED)).isNotNull();
  }

  @Test
  void aWaiterForOneReplicaUsesNoOther() {
    replica2Has = upTo(100);

    assertThat(waiter(1).look(state(), ASKED)).isNull();
    assertThat(Objects.requireNonNull(waiter(2).look(state(), ASKED)).outcome())
        .isEqualTo(Outcome.REACHED);
  }

  @Test
  void aWaiterForOneReplicaGoesWhenThatMayNoLongerServe() {
    health1 = Health.STALE;

    assertThat(Objects.requireNonNull(waiter(1).look(state(), ASKED)).outcome())
        .isEqualTo(Outcome.NO_REPLICA);
    assertThat(waiter(2).look(state(), ASKED)).isNull();
  }

  @Test
  void aPositionThatThePrimaryLacksAfterTheQuestionIsLost() {
    primaryHas = upTo(99);
    primarySampled = ASKED - 1;
    assertThat(waiter.look(state(), ASKED)).isNull();

    primarySampled = ASKED;

    assertThat(Objects.requireNonNull(waiter.look(state(), ASKED)).outcome())
        .isEqualTo(Outcome.LOST);
  }

  @Test
  void aPositionThatThePrimaryOnceHadIsNotCalledLost() {
    assertThat(waiter.look(state(), ASKED)).isNull();
    primaryHas = upTo(99);
    primarySampled = ASKED + 1_000 * MILLIS;

    assertThat(waiter.look(state(), ASKED)).isNull();
  }

  @Test
  void withoutAPrimaryThatTakesWritesNothingIsCalledLost() {
    primaryHas = upTo(99);
    primarySampled = ASKED + 1_000 * MILLIS;
    primaryReadOnly = true;
    assertThat(waiter.look(state(), ASKED)).isNull();

    primaryReadOnly = false;
    primaryIndex = -1;

    assertThat(waiter.look(state(), ASKED)).isNull();
  }

  @Test
  void whenTimeIsOverItIsToldWhetherAnyReplicaMayServe() {
    assertThat(waiter.timedOut(state()).outcome()).isEqualTo(Outcome.TIMED_OUT);
    health1 = Health.STALE;
    assertThat(waiter.timedOut(state()).outcome()).isEqualTo(Outcome.TIMED_OUT);

    assertThat(waiter(1).timedOut(state()).outcome()).isEqualTo(Outcome.NO_REPLICA);
  }

  private static Waiter waiter(int onlyServer) {
    return new Waiter(upTo(100), Long.MAX_VALUE, onlyServer, ASKED, ASKED + 500 * MILLIS);
  }

  private String reached() {
    Waiter.Settled settled = Objects.requireNonNull(waiter.look(state(), ASKED));
    assertThat(settled.outcome()).isEqualTo(Outcome.REACHED);
    return Objects.requireNonNull(settled.server()).name();
  }

  private ClusterState state() {
    return ClusterState.of(
        new ClusterId("shop", 1),
        List.of(
            ServerState.builder("primary", 0)
                .health(Health.FRESH)
                .readOnly(primaryReadOnly)
                .executed(primaryHas)
                .sampledAtNanos(primarySampled)
                .build(),
            ServerState.builder("replica-1", 1)
                .health(health1)
                .findings(findings1)
                .executed(replica1Has)
                .freshAsOfNanos(ASKED - 10 * MILLIS)
                .build(),
            ServerState.builder("replica-2", 2)
                .health(Health.FRESH)
                .executed(replica2Has)
                .freshAsOfNanos(ASKED - 10 * MILLIS)
                .build()),
        primaryIndex,
        "",
        HeartbeatStatus.RUNNING,
        1);
  }
}
