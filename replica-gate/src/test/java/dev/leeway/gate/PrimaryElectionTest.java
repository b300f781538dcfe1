package dev.leeway.gate;

import static dev.leeway.gate.Samples.PRIMARY;
import static dev.leeway.gate.Samples.REPLICA_1;
import static dev.leeway.gate.Samples.REPLICA_2;
import static dev.leeway.gate.Samples.upTo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.gate.PrimaryElection.Candidate;
import dev.leeway.gate.PrimaryElection.Decision;
import dev.leeway.gate.PrimaryElection.Incumbent;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PrimaryElectionTest {
  private static final Duration TAKE_OVER_AFTER = Duration.ofSeconds(3);
  private static final Incumbent KNOWN = new Incumbent(0, PRIMARY, upTo(100));
  private static final Incumbent NEVER_SEEN = new Incumbent(0, null, GtidSet.EMPTY);

  private final Server primary = new Server(0, "primary", PRIMARY).writable().detached();
  private final Server replica1 = new Server(1, "replica-1", REPLICA_1).from(PRIMARY);
  private final Server replica2 = new Server(2, "replica-2", REPLICA_2).from(PRIMARY);

  @Test
  void theConfiguredPrimaryThatTakesWritesIsThePrimary() {
    assertThat(decide(NEVER_SEEN)).isEqualTo(new Decision(0, null, "primary takes writes"));
    assertThat(decide(KNOWN).primaryIndex()).isZero();
  }

  @Test
  void aPrimaryThatDoesNotAnswerForAMomentStaysThePrimary() {
    primary.unreachableFor(Duration.ofMillis(2_999));
    replica1.writable().detached();

    assertThat(decide(KNOWN))
        .isEqualTo(new Decision(0, null, "primary does not answer and nobody has taken over"));
  }

  @Test
  void aPrimaryThatIsReadOnlyWithoutASuccessorLeavesNoPrimary() {
    primary.readOnly();

    assertThat(decide(KNOWN))
        .isEqualTo(
            new Decision(-1, null, "primary is read-only and no other server has taken over"));
  }

  @Test
  void aServerThatIsWritableAndDetachedAndHoldsEverythingSucceedsAReadOnlyPrimary() {
    primary.readOnly();
    replica1.writable().detached();

    Decision decision = decide(KNOWN);

    assertThat(decision.primaryIndex()).isEqualTo(1);
    assertThat(Objects.requireNonNull(decision.successor()).name()).isEqualTo("replica-1");
    assertThat(decision.explanation())
        .isEqualTo("replica-1 took over from primary, which is read-only");
  }

  @Test
  void aServerThatLacksSomethingDoesNotSucceedAReadOnlyPrimary() {
    primary.readOnly();
    replica1.writable().detached().executed(upTo(99));

    assertThat(decide(KNOWN).primaryIndex()).isEqualTo(-1);
  }

  @Test
  void aWritableServerThatStillReplicatesDoesNotSucceedAReadOnlyPrimary() {
    primary.readOnly();
    replica1.writable();

    assertThat(decide(KNOWN).primaryIndex()).isEqualTo(-1);
  }

  @Test
  void aServerWhoseReplicationCannotBeReadDoesNotSucceedAReadOnlyPrimary() {
    primary.readOnly();
    replica1.writable().from(null);

    assertThat(decide(KNOWN).primaryIndex()).isEqualTo(-1);
  }

  @Test
  void ofTwoPossibleSuccessorsNoneIsChosen() {
    primary.readOnly();
    replica1.writable().detached();
    replica2.writable().detached();

    assertThat(decide(KNOWN))
        .isEqualTo(
            new Decision(
                -1,
                null,
                "primary is read-only and several servers could have taken over: replica-1,"
                    + " replica-2"));
  }

  @Test
  void aReplicaThatWasTakenOutWithoutWritesOfItsOwnDisturbsNobody() {
    replica1.writable().detached();

    assertThat(decide(KNOWN)).isEqualTo(new Decision(0, null, "primary takes writes"));
  }

  @Test
  void twoServersThatBothTakeWritesLeaveNoPrimary() {
    replica1.writable().detached().withOwnTransactions();
    replica2.from(null);

    assertThat(decide(KNOWN))
        .isEqualTo(new Decision(-1, null, "more than one server takes writes: primary, replica-1"));
  }

  @Test
  void ofTwoServersThatBothTakeWritesTheOneThatIsFollowedStays() {
    replica1.writable().detached().withOwnTransactions();

    assertThat(decide(KNOWN))
        .isEqualTo(new Decision(0, null, "primary takes writes and is followed, unlike replica-1"));
  }

  @Test
  void whenTheReplicasFollowTheRivalThereIsNoPrimary() {
    replica1.writable().detached().withOwnTransactions();
    replica2.from(REPLICA_1);

    assertThat(decide(KNOWN).primaryIndex()).isEqualTo(-1);
  }

  @Test
  void aFormerPrimaryThatTakesWritesAgainIsNoRival() {
    primary.withOwnTransactions();
    replica1.writable().detached();
    replica2.from(REPLICA_1);

    Decision decision = decide(new Incumbent(1, REPLICA_1, upTo(100)), Set.of(PRIMARY));

    assertThat(decision).isEqualTo(new Decision(1, null, "replica-1 takes writes"));
  }

  @Test
  void aPromotedServerSucceedsAPrimaryThatHasBeenGoneForLong() {
    primary.unreachableFor(TAKE_OVER_AFTER);
    replica1.writable().detached();

    assertThat(decide(KNOWN).explanation())
        .isEqualTo("replica-1 took over from primary, which does not answer");
    assertThat(decide(NEVER_SEEN).primaryIndex()).isEqualTo(1);
  }

  @Test
  void aServerThatLacksWhatAnotherReplicaHoldsDoesNotSucceedADeadPrimary() {
    primary.unreachableFor(TAKE_OVER_AFTER);
    replica1.writable().detached();
    replica2.executed(upTo(101));

    assertThat(decide(KNOWN))
        .isEqualTo(
            new Decision(
                0, null, "primary does not answer and replica-1 lacks transactions it had"));
  }

  @Test
  void aSuccessorThatTheReplicasFollowIsBelievedAlthoughTheDeadPrimaryTookTransactionsWithIt() {
    primary.unreachableFor(TAKE_OVER_AFTER);
    replica1.writable().detached().executed(upTo(97));
    replica2.from(REPLICA_1).executed(upTo(97));

    assertThat(decide(KNOWN).explanation())
        .isEqualTo(
            "replica-1 took over from primary, which does not answer, and lacks transactions that it"
                + " had");
  }

  @Test
  void aFormerPrimaryDoesNotSucceedItsSuccessorUnlessItIsFollowed() {
    replica1.unreachableFor(TAKE_OVER_AFTER);
    Incumbent incumbent = new Incumbent(1, REPLICA_1, upTo(100));
    replica2.from(REPLICA_1);
    assertThat(decide(incumbent, Set.of(PRIMARY)).primaryIndex()).isEqualTo(1);

    replica2.from(PRIMARY);

    assertThat(decide(incumbent, Set.of(PRIMARY)).primaryIndex()).isZero();
  }

  @Test
  void whenThePrimarysAddressLeadsToTheSuccessorItsOwnAddressIsUsed() {
    primary.uuid(REPLICA_1);
    replica1.writable().detached();

    Decision decision = decide(KNOWN);

    assertThat(decision.primaryIndex()).isEqualTo(1);
    assertThat(decision.explanation())
        .startsWith("another server (" + REPLICA_1 + ") answers at the address of primary");
  }

  @Test
  void aServerThatReplacesThePrimaryAtItsAddressAndHoldsEverythingIsThePrimary() {
    primary.uuid(Samples.uuid(9));

    assertThat(decide(KNOWN).primaryIndex()).isZero();
    assertThat(decide(KNOWN).successor()).isNotNull();
  }

  @Test
  void anEmptyServerAtThePrimarysAddressIsNotThePrimary() {
    primary.uuid(Samples.uuid(9)).executed(GtidSet.EMPTY);

    assertThat(decide(KNOWN).primaryIndex()).isEqualTo(-1);
  }

  private Decision decide(Incumbent incumbent) {
    return decide(incumbent, Set.of());
  }

  private Decision decide(Incumbent incumbent, Set<UUID> superseded) {
    return PrimaryElection.decide(
        List.of(primary.candidate(), replica1.candidate(), replica2.candidate()),
        incumbent,
        superseded,
        TAKE_OVER_AFTER);
  }

  private static final class Server {
    private final int index;
    private final String name;
    private UUID uuid;
    private long unreachableNanos;
    private boolean readOnly = true;
    private boolean detached;
    private @Nullable UUID receivesFrom;
    private GtidSet executed = upTo(100);
    private boolean hasOwnTransactions;

    Server(int index, String name, UUID uuid) {
      this.index = index;
      this.name = name;
      this.uuid = uuid;
    }

    Server uuid(UUID value) {
      uuid = value;
      return this;
    }

    Server writable() {
      readOnly = false;
      return this;
    }

    Server readOnly() {
      readOnly = true;
      return this;
    }

    Server detached() {
      detached = true;
      receivesFrom = null;
      return this;
    }

    Server from(@Nullable UUID source) {
      receivesFrom = source;
      return this;
    }

    Server executed(GtidSet value) {
      executed = value;
      return this;
    }

    Server withOwnTransactions() {
      hasOwnTransactions = true;
      return this;
    }

    Server unreachableFor(Duration duration) {
      unreachableNanos = TimeUnit.MILLISECONDS.toNanos(duration.toMillis());
      return this;
    }

    Candidate candidate() {
      return new Candidate(
          index,
          name,
          unreachableNanos == 0,
          unreachableNanos,
          uuid,
          readOnly,
          detached,
          receivesFrom,
          executed,
          hasOwnTransactions);
    }
  }
}
