package dev.leeway.routing.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.leeway.routing.Leeway;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.Reason;
import dev.leeway.routing.RequestScope;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What routing promises under any framework that uses the data source as it likes. */
// A scope and a fault are there to be in force, not to be called.
@SuppressWarnings("try")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FrameworkContract {
  static final ReadIntent REPLICA = ReadIntent.replica().named("compat.read");
  static final ReadIntent WRITE = ReadIntent.write().named("compat.write");

  /** Code that may fail as its framework likes. */
  @FunctionalInterface
  interface Code<T> {
    T run() throws Exception;
  }

  /** The same without a result. */
  @FunctionalInterface
  interface Work {
    void run() throws Exception;
  }

  /** How one framework does what an application does. */
  interface Store {
    /** The only value of {@code SELECT name FROM whoami}. */
    String server() throws Exception;

    String status(long id) throws Exception;

    void setStatus(long id, String status) throws Exception;

    /** Inserts an order and returns the key the database made for it. */
    long insert(String status) throws Exception;

    /** Runs code, with everything in it that uses this store, in one transaction. */
    <T> T inTransaction(Code<T> code) throws Exception;

    /** The same in a transaction that the framework was told to be read-only. */
    <T> T inReadOnlyTransaction(Code<T> code) throws Exception;

    /** Runs work in one transaction. */
    default void inTransaction(Work work) throws Exception {
      String done =
          inTransaction(
              () -> {
                work.run();
                return "done";
              });
      assertThat(done).isEqualTo("done");
    }

    /** Ends what the framework keeps; not the data source. */
    default void end() throws Exception {}
  }

  /** A store over the data source, as an application would set it up. */
  abstract Store store(DataSource dataSource) throws Exception;

  private Shop shop;
  private Store store;

  @BeforeAll
  void open() throws Exception {
    shop = Shop.open();
    store = store(shop.leeway().dataSource());
  }

  @AfterAll
  void close() throws Exception {
    store.end();
    shop.close();
  }

  @BeforeEach
  void asAtFirst() throws SQLException {
    shop.onPrimary("UPDATE orders SET status = 'new' WHERE id IN (1, 2, 3)");
    shop.schema().awaitReplicated();
  }

  @AfterEach
  void nothingIsLeftInForce() {
    assertThat(leeway().currentIntent()).isEqualTo(ReadIntent.undeclared());
    assertThat(leeway().currentScope()).isEmpty();
  }

  final Shop shop() {
    return shop;
  }

  final Leeway leeway() {
    return shop.leeway();
  }

  final Store store() {
    return store;
  }

  final <T> T read(Code<T> code) throws Exception {
    return leeway().read(REPLICA, code::run);
  }

  /**
   * A read of a request that has written and seen nothing, so that nothing but its intent counts.
   */
  final <T> T readInNewScope(Code<T> code) throws Exception {
    try (RequestScope scope = leeway().openScope()) {
      return read(code);
    }
  }

  final void write(Work work) throws Exception {
    leeway().run(WRITE, work::run);
  }

  @Test
  void aReplicaReadIsServedByAReplica() throws Exception {
    assertThat(readInNewScope(store::server)).startsWith("replica-");
    assertThat(leeway().lastDecision().orElseThrow().role()).isEqualTo(Reason.Role.REPLICA);
  }

  @Test
  void aReadThatDeclaresNothingIsServedByThePrimary() throws Exception {
    assertThat(store.server()).isEqualTo("primary");
    assertThat(leeway().lastDecision().orElseThrow().reason()).isEqualTo(Reason.UNDECLARED);
  }

  @Test
  void aScopeReadsItsOwnWriteWhileTheReplicasStandStill() throws Exception {
    try (Shop.StandStill still = shop.replicasStandStill();
        RequestScope scope = leeway().openScope()) {
      write(() -> store.setStatus(1, "paid"));

      assertThat(read(() -> store.status(1))).isEqualTo("paid");
      assertThat(leeway().lastDecision().orElseThrow().reason())
          .isEqualTo(Reason.NO_REPLICA_REACHED_POSITION);
    }
  }

  @Test
  void anotherScopeIsServedByAReplicaMeanwhile() throws Exception {
    try (Shop.StandStill still = shop.replicasStandStill()) {
      try (RequestScope scope = leeway().openScope()) {
        write(() -> store.setStatus(1, "paid"));
      }
      assertThat(readInNewScope(store::server)).startsWith("replica-");
    }
  }

  @Test
  void aCommittedTransactionIsReadAtOnceByItsScope() throws Exception {
    try (Shop.StandStill still = shop.replicasStandStill();
        RequestScope scope = leeway().openScope()) {
      long id = leeway().read(WRITE, () -> store.inTransaction(() -> store.insert("made")));

      assertThat(id).isPositive();
      assertThat(read(() -> store.status(id))).isEqualTo("made");
    }
  }

  @Test
  void aGeneratedKeyIsTheRowsKey() throws Exception {
    long id = leeway().read(WRITE, () -> store.insert("made"));

    assertThat(shop.statusOnPrimary(id)).isEqualTo("made");
  }

  @Test
  void aTransactionStaysOnThePrimaryWithItsReadsEvenInsideAReplicaMethod() throws Exception {
    try (Shop.StandStill still = shop.replicasStandStill();
        RequestScope scope = leeway().openScope()) {
      List<String> seen =
          read(
              () ->
                  store.inTransaction(
                      () -> {
                        List<String> inside = new ArrayList<>();
                        inside.add(store.status(1));
                        store.setStatus(1, "paid");
                        inside.add(store.status(1));
                        inside.add(store.server());
                        return inside;
                      }));

      assertThat(seen).containsExactly("new", "paid", "primary");
    }
  }

  @Test
  void afterATransactionReadsGoToReplicasAgain() throws Exception {
    write(() -> store.inTransaction(() -> store.setStatus(1, "paid")));
    shop.schema().awaitReplicated();

    assertThat(readInNewScope(store::server)).startsWith("replica-");
  }

  @Test
  void aTransactionThatFailsLeavesNothingBehind() throws Exception {
    assertThatThrownBy(
            () ->
                write(
                    () ->
                        store.inTransaction(
                            () -> {
                              store.setStatus(1, "paid");
                              throw new IllegalStateException("the code changed its mind");
                            })))
        .hasStackTraceContaining("the code changed its mind");

    assertThat(shop.statusOnPrimary(1)).isEqualTo("new");
    assertThat(readInNewScope(store::server)).startsWith("replica-");
  }

  @Test
  void aReadOnlyTransactionOfAReplicaMethodLivesOnOneReplicaWithOneSnapshot() throws Exception {
    List<String> seen =
        readInNewScope(
            () ->
                store.inReadOnlyTransaction(
                    () -> {
                      List<String> inside = new ArrayList<>();
                      inside.add(store.status(1));
                      inside.add(store.server());
                      shop.onPrimary("UPDATE orders SET status = 'paid' WHERE id = 1");
                      shop.schema().awaitReplicated();
                      inside.add(store.status(2));
                      inside.add(store.server());
                      return inside;
                    }));

    assertThat(seen.get(0)).isEqualTo("new");
    assertThat(seen.get(1)).startsWith("replica-").isEqualTo(seen.get(3));
    assertThat(readInNewScope(() -> store.inReadOnlyTransaction(() -> store.status(1))))
        .isEqualTo("paid");
  }

  @Test
  void aReadOnlyTransactionWithoutAReplicaIntentIsOnThePrimary() throws Exception {
    assertThat(store.inReadOnlyTransaction(store::server)).isEqualTo("primary");
  }

  @Test
  void aReadOnlyTransactionNeverWrites() throws Exception {
    Throwable refused =
        catchThrowable(
            () ->
                store.inReadOnlyTransaction(
                    () -> {
                      store.setStatus(1, "paid");
                      return "done";
                    }));

    assertThat(shop.statusOnPrimary(1)).isEqualTo("new");
    if (sendsWritesInReadOnlyTransactions()) {
      assertThat(refused).isNotNull();
    }
  }

  /** Hibernate does not even send them: it takes what it loaded for unchanged. */
  boolean sendsWritesInReadOnlyTransactions() {
    return true;
  }

  @Test
  void connectionsComeBackCleanWhateverWasDoneWithThem() throws Exception {
    for (int round = 0; round < 15; round++) {
      assertThat(readInNewScope(() -> store.inReadOnlyTransaction(store::server)))
          .startsWith("replica-");
      write(() -> store.inTransaction(() -> store.setStatus(2, "touched")));
      write(() -> store.setStatus(2, "new"));
      assertThat(read(store::server)).as("round %d", round).isNotEmpty();
    }

    assertThat(shop.statusOnPrimary(2)).isEqualTo("new");
  }
}
