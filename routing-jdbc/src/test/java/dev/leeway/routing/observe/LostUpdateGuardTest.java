package dev.leeway.routing.observe;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.leeway.routing.LostUpdate;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.Reason;
import dev.leeway.routing.context.ScopeState;
import dev.leeway.routing.decide.Route;
import dev.leeway.routing.decide.Routes;
import dev.leeway.statement.StatementGuard;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LostUpdateGuardTest {
  private static final ReadIntent FIND = ReadIntent.replica().named("Orders.find");
  private static final ReadIntent REREAD = ReadIntent.primary("for editing").named("Orders.edit");
  private static final ReadIntent SAVE = ReadIntent.write().named("Orders.save");
  private static final LostUpdate FIND_THEN_SAVE =
      new LostUpdate("orders", "Orders.find", "Orders.save");

  private static final Routes ROUTES = new Routes(List.of("primary", "replica-1"));
  private static final Route REPLICA = ROUTES.of(1, Reason.STALENESS_ACCEPTED);
  private static final Route PRIMARY = ROUTES.of(0, Reason.WRITE_INTENT);

  private final StatementGuard statements = StatementGuard.create();
  private final List<LostUpdate> counted = new ArrayList<>();
  private final LostUpdateGuard guard = new LostUpdateGuard("shop", counted::add);
  private final ScopeState scope = new ScopeState(0, null);

  private void read(ScopeState in, String sql) {
    guard.onStatement(in, FIND, REPLICA, statements.lookup(sql));
  }

  private void onPrimary(ScopeState in, ReadIntent intent, String sql) {
    guard.onStatement(in, intent, PRIMARY, statements.lookup(sql));
  }

  @Test
  void aTableReadFromAReplicaAndThenWrittenInTheSameScopeIsFound() {
    read(scope, "SELECT status FROM orders WHERE id = ?");
    onPrimary(scope, SAVE, "UPDATE orders SET status = ? WHERE id = ?");

    assertThat(guard.found()).containsExactly(FIND_THEN_SAVE);
    assertThat(counted).containsExactly(FIND_THEN_SAVE);
  }

  @Test
  void oneReadIsFollowedByOneWarningHoweverManyWritesFollow() {
    read(scope, "SELECT status FROM orders WHERE id = ?");
    for (int i = 0; i < 10; i++) {
      onPrimary(scope, SAVE, "UPDATE orders SET status = ? WHERE id = ?");
    }

    assertThat(counted).hasSize(1);
  }

  @Test
  void aReadOnThePrimaryInBetweenTakesTheWarningBack() {
    read(scope, "SELECT status FROM orders WHERE id = ?");
    onPrimary(scope, REREAD, "SELECT * FROM orders WHERE id = ? FOR UPDATE");
    onPrimary(scope, SAVE, "UPDATE orders SET status = ? WHERE id = ?");

    assertThat(guard.found()).isEmpty();
  }

  @Test
  void aLaterReadFromAReplicaBringsItBack() {
    read(scope, "SELECT status FROM orders WHERE id = ?");
    onPrimary(scope, REREAD, "SELECT * FROM orders WHERE id = ?");
    read(scope, "SELECT status FROM orders WHERE id = ?");
    onPrimary(scope, SAVE, "UPDATE orders SET status = ? WHERE id = ?");

    assertThat(guard.found()).containsExactly(FIND_THEN_SAVE);
  }

  @Test
  void anotherTableIsNoConcern() {
    read(scope, "SELECT * FROM orders o JOIN customers c ON c.id = o.customer_id");
    onPrimary(scope, SAVE, "INSERT INTO audit (what) VALUES (?)");

    assertThat(guard.found()).isEmpty();
  }

  @Test
  void everyTableOfAJoinCounts() {
    read(scope, "SELECT * FROM orders o JOIN customers c ON c.id = o.customer_id");
    onPrimary(scope, SAVE, "DELETE FROM customers WHERE id = ?");

    assertThat(guard.found())
        .containsExactly(new LostUpdate("customers", "Orders.find", "Orders.save"));
  }

  @Test
  void aTableIsRecognisedWithAndWithoutItsSchema() {
    read(scope, "SELECT * FROM shop.Orders");
    onPrimary(scope, SAVE, "UPDATE orders SET status = 1");
    read(scope, "SELECT * FROM stock");
    onPrimary(scope, SAVE, "UPDATE shop.stock SET count = 1");
    read(scope, "SELECT * FROM shop.prices");
    onPrimary(scope, SAVE, "UPDATE archive.prices SET cents = 1");

    assertThat(guard.found())
        .extracting(LostUpdate::table)
        .containsExactlyInAnyOrder("orders", "shop.stock");
  }

  @Test
  void otherScopesAreOtherRequests() {
    read(scope, "SELECT status FROM orders WHERE id = ?");
    onPrimary(new ScopeState(0, null), SAVE, "UPDATE orders SET status = ? WHERE id = ?");

    assertThat(guard.found()).isEmpty();
  }

  @Test
  void statementsOutsideAnyScopeAreNotCompared() {
    guard.onStatement(null, FIND, REPLICA, statements.lookup("SELECT * FROM orders"));
    guard.onStatement(null, SAVE, PRIMARY, statements.lookup("UPDATE orders SET status = 1"));

    assertThat(guard.found()).isEmpty();
  }

  @Test
  void aScopeThatReadsNoReplicaCarriesNothing() {
    onPrimary(scope, SAVE, "UPDATE orders SET status = 1");

    assertThat(scope.recorderSlot).isNull();
  }

  @Test
  void aScopeRemembersABoundedNumberOfStatementsAndTheNewestOfThem() {
    for (int i = 0; i < 10 * ScopeReads.CAPACITY; i++) {
      read(scope, "SELECT * FROM t" + i);
    }
    onPrimary(scope, SAVE, "UPDATE t0 SET a = 1");
    onPrimary(scope, SAVE, "UPDATE t" + (10 * ScopeReads.CAPACITY - 1) + " SET a = 1");

    assertThat(guard.found()).extracting(LostUpdate::table).containsExactly("t319");
  }

  @Test
  void statementsThatAreRepeatedInTurnsDoNotPushOthersOut() {
    read(scope, "SELECT * FROM orders");
    for (int i = 0; i < 10 * ScopeReads.CAPACITY; i++) {
      read(scope, "SELECT * FROM a");
      read(scope, "SELECT * FROM b");
    }
    onPrimary(scope, SAVE, "UPDATE orders SET status = 1");

    assertThat(guard.found()).containsExactly(FIND_THEN_SAVE);
  }

  @Test
  void theLogSaysItOnceForTwoMethodsAndTheCounterCountsEveryTime() {
    try (CapturedLog log = CapturedLog.of(LostUpdateGuard.class.getName(), Level.WARN)) {
      for (int request = 0; request < 5; request++) {
        ScopeState mine = new ScopeState(0, null);
        read(mine, "SELECT status FROM orders WHERE id = ?");
        onPrimary(mine, SAVE, "UPDATE orders SET status = ? WHERE id = ?");
      }

      assertThat(counted).hasSize(5);
      assertThat(log.lines())
          .containsExactly(
              "shop - lost update possible: Orders.find read table orders from a replica and"
                  + " Orders.save writes it in the same scope (expected: what will be written is"
                  + " read from the primary). Read it with @ReadPrimary, or let the write name the"
                  + " version it expects. Said once for these two methods and this table.");
    }
  }

  @Test
  void theNumberOfFindingsThatAreKeptIsBounded() {
    for (int i = 0; i < 2 * LostUpdateGuard.MAX_KNOWN; i++) {
      read(scope, "SELECT * FROM t" + i);
      onPrimary(scope, SAVE, "UPDATE t" + i + " SET a = 1");
    }

    assertThat(guard.found()).hasSize(LostUpdateGuard.MAX_KNOWN);
    assertThat(counted).hasSize(2 * LostUpdateGuard.MAX_KNOWN);
  }
}
