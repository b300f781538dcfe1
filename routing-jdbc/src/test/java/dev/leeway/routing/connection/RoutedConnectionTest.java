package dev.leeway.routing.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.annotation.Fallback;
import dev.leeway.gate.GtidSet;
import dev.leeway.routing.IntentViolationException;
import dev.leeway.routing.NoEligibleReplicaException;
import dev.leeway.routing.OutcomeUnknownException;
import dev.leeway.routing.PoolSettings;
import dev.leeway.routing.PrimaryBudget;
import dev.leeway.routing.PrimaryBudgetExhaustedException;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.Reason;
import dev.leeway.routing.context.CallContext;
import dev.leeway.routing.context.ScopeState;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RoutedConnectionTest {
  private static final String READ = "SELECT name FROM orders WHERE id = ?";
  private static final ReadIntent REPLICA = ReadIntent.replica();

  private final FakeServers servers = new FakeServers();
  private final List<RoutingCore> cores = new ArrayList<>();
  private RoutingCore core = started(servers.core());
  private CallContext context = core.contexts().current();

  private RoutingCore started(RoutingCore.Builder builder) {
    RoutingCore made = builder.build();
    cores.add(made);
    return made;
  }

  private void use(RoutingCore.Builder builder) {
    core = started(builder);
    context = core.contexts().current();
  }

  @AfterEach
  void close() {
    cores.forEach(RoutingCore::close);
  }

  private Connection connection() throws SQLException {
    return new RoutingDataSource(core).getConnection();
  }

  private String read() throws SQLException {
    try (Connection connection = connection()) {
      return read(connection);
    }
  }

  private static String read(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(READ)) {
      statement.setInt(1, 7);
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return rows.getString(1);
      }
    }
  }

  private Reason lastReason() {
    return java.util.Objects.requireNonNull(context.lastRoute()).reason();
  }

  @Test
  void nothingIsTakenBeforeAStatementRuns() throws Exception {
    context.enter(REPLICA);
    try (Connection connection = connection();
        PreparedStatement statement = connection.prepareStatement(READ)) {
      statement.setInt(1, 7);
      connection.setReadOnly(true);
      connection.setAutoCommit(false);
      connection.commit();
      connection.setAutoCommit(true);
      assertThat(connection.isValid(1)).isTrue();
      assertThat((Throwable) connection.getWarnings()).isNull();
      assertThat(connection.toString()).isEqualTo("fake connection (no server yet)");
    }
    assertThat(servers.opened).isZero();
  }

  private void useOneConnectionEach() {
    servers.uuids[0] = new UUID(0, 1);
    servers.uuids[1] = new UUID(1, 1);
    servers.serves[2] = false;
    use(servers.core().pools(PoolSettings.defaults().maximum(1, 1).idle(0)));
  }

  @Test
  void nothingIsReadFromTheServerThatAnsweredAtTheReplicasAddressBefore() throws Exception {
    useOneConnectionEach();
    context.enter(REPLICA);
    assertThat(read()).isEqualTo("r1");
    assertThat(read()).isEqualTo("r1");
    assertThat(servers.opened).isEqualTo(1);

    servers.uuids[1] = new UUID(1, 2);
    assertThat(read()).isEqualTo("r1");
    assertThat(servers.opened).isEqualTo(2);
  }

  @Test
  void aBorrowLeavesTheServerThatAnsweredAtTheReplicasAddressBefore() throws Exception {
    useOneConnectionEach();
    context.enter(REPLICA);
    try (Connection connection = connection()) {
      assertThat(read(connection)).isEqualTo("r1");
      assertThat(read(connection)).isEqualTo("r1");
      assertThat(servers.opened).isEqualTo(1);

      servers.uuids[1] = new UUID(1, 2);
      assertThat(read(connection)).isEqualTo("r1");
      assertThat(servers.opened).isEqualTo(2);

      servers.freshAsOfNanos = System.nanoTime();
      servers.uuids[1] = new UUID(1, 3);
      assertThat(read(connection)).isEqualTo("p");
      assertThat(lastReason()).isEqualTo(Reason.NO_REPLICA_REACHED_POSITION);
    }
  }

  @Test
  void aReadIsNotMadeWhereAnotherServerTookThePlaceOfTheOneDecidedAbout() throws Exception {
    useOneConnectionEach();
    ServerPools pools = core.pools(1);

    assertThatThrownBy(() -> pools.takeReading(System.nanoTime(), new UUID(1, 2), false))
        .isInstanceOf(SQLTransientConnectionException.class)
        .hasMessageContaining("another server has taken the place of r1");
  }

  @Test
  void nothingIsWrittenToTheServerThatAnsweredAtThePrimarysAddressBefore() throws Exception {
    useOneConnectionEach();
    try (Connection connection = connection()) {
      assertThat(read(connection)).isEqualTo("p");
      core.primaryChanged(0, 0);
      assertThat(read(connection)).isEqualTo("p");
      assertThat(servers.opened).isEqualTo(1);

      servers.uuids[0] = new UUID(0, 2);
      core.primaryChanged(0, 0);
      assertThat(read(connection)).isEqualTo("p");
      assertThat(servers.opened).isEqualTo(2);
    }
  }

  @Test
  void whatLiesOnAShelfThatNobodySweepsGoesBackToThePool() throws Exception {
    useOneConnectionEach();
    ServerPools pools = core.pools(1);
    long now = System.nanoTime();
    for (int i = 0; i < 20; i++) {
      ReplicaHold first = pools.takeReading(now, servers.uuids[1], false);
      pools.giveReadingBack(first);
      long muchLater = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
      pools.takeReading(muchLater, servers.uuids[1], false).giveBack();
    }
    assertThat(servers.opened).isEqualTo(1);
  }

  @Test
  @Timeout(30)
  void notEveryReadWaitsForAReplicaThatGivesNoConnection() throws Exception {
    useOneConnectionEach();
    context.enter(REPLICA);
    servers.full.add("r1");
    // If each waited, they would take more than six minutes.
    for (int i = 0; i < 400; i++) {
      assertThat(read()).isEqualTo("p");
      assertThat(lastReason()).isEqualTo(Reason.RETRIED_ON_PRIMARY);
    }

    servers.full.clear();
    while (!read().equals("r1")) {
      assertThat(lastReason()).isEqualTo(Reason.RETRIED_ON_PRIMARY);
    }
  }

  @Test
  void theIntentInForceWhenItRunsDecides() throws Exception {
    try (Connection connection = connection();
        PreparedStatement statement = connection.prepareStatement(READ)) {
      statement.setInt(1, 7);
      context.enter(REPLICA);
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        assertThat(rows.getString(1)).startsWith("r");
      }
      context.enter(ReadIntent.undeclared());
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        assertThat(rows.getString(1)).isEqualTo("p");
      }
    }
    assertThat(servers.log).filteredOn(line -> line.endsWith("setInt(1, 7)")).hasSize(2);
  }

  @Test
  void aLostReadIsBoundAgainOnTheOtherReplicaAndOnlyOnce() throws Exception {
    context.enter(REPLICA);
    servers.failing.addAll(List.of("r1", "r2"));
    servers.failing.remove("r2");
    servers.serves[2] = true;
    ScopeState scope = new ScopeState(0, null);
    scope.pin(1, 0, -1);
    context.attach(scope);
    try (Connection connection = connection();
        PreparedStatement statement =
            connection.prepareStatement("SELECT name FROM orders WHERE id = ? AND note = ?")) {
      statement.setInt(1, 7);
      statement.setString(2, "x");
      statement.setQueryTimeout(30);
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        assertThat(rows.getString(1)).isEqualTo("r2");
      }
    }
    assertThat(lastReason()).isEqualTo(Reason.RETRIED_ON_REPLICA);
    assertThat(scope.pinnedServer()).isEqualTo(2);
    assertThat(servers.log)
        .containsSubsequence(
            "r1: setInt(1, 7)",
            "r1: setString(2, x)",
            "r1: SELECT name FROM orders WHERE id = ? AND note = ?",
            "r2: setInt(1, 7)",
            "r2: setString(2, x)",
            "r2: SELECT name FROM orders WHERE id = ? AND note = ?");
    assertThat(servers.log)
        .containsSubsequence("r2: timeout 29", "r2: timeout 30")
        .endsWith("r2: timeout 0");
  }

  @Test
  void aReadThatBoundAStreamIsNotRepeated() throws Exception {
    context.enter(REPLICA);
    servers.serves[2] = false;
    servers.failing.add("r1");
    try (Connection connection = connection();
        PreparedStatement statement = connection.prepareStatement(READ)) {
      statement.setCharacterStream(1, new StringReader("once"));
      assertThatThrownBy(statement::executeQuery).hasMessage("connection to r1 lost");
    }
    assertThat(servers.log).filteredOn(line -> line.endsWith(READ)).hasSize(1);
  }

  @Test
  void aReadWhoseOnlyReplicaIsLostIsServedByThePrimaryWithinTheBudget() throws Exception {
    use(servers.core().budget(PrimaryBudget.atMost(1)));
    context.enter(REPLICA);
    servers.serves[2] = false;
    servers.failing.add("r1");

    assertThat(read()).isEqualTo("p");
    assertThat(lastReason()).isEqualTo(Reason.RETRIED_ON_PRIMARY);
    assertThat(core.budget().inUse()).as("given back").isZero();
  }

  @Test
  void beyondTheBudgetAReadFailsOrIsServedStale() throws Exception {
    use(servers.core().budget(PrimaryBudget.atMost(0)));
    servers.serves[1] = false;
    servers.serves[2] = false;
    context.enter(REPLICA.named("list"));

    assertThatThrownBy(this::read)
        .isInstanceOf(PrimaryBudgetExhaustedException.class)
        .hasMessageStartingWith(
            "fake - list (REPLICA, else PRIMARY) was not sent anywhere: no replica answers and is"
                + " trusted (r1 is UNREACHABLE")
        .hasMessageEndingWith(
            "and the budget for the primary is used up: 0 of 0 reads on the primary. Retry later,"
                + " raise the budget, or allow the fallback STALE.");

    servers.serves[1] = true;
    servers.freshAsOfNanos = System.nanoTime() - Duration.ofMinutes(1).toNanos();
    context.enter(REPLICA.maxStaleness(Duration.ofSeconds(1)).fallback(Fallback.STALE));
    assertThat(read()).isEqualTo("r1");
    assertThat(lastReason()).isEqualTo(Reason.SERVED_STALE);
    assertThat(servers.log).noneMatch(line -> line.startsWith("p: SELECT"));
  }

  @Test
  void aReadThatWouldRatherFailSaysWhatItFound() {
    context.enter(REPLICA.maxStaleness(Duration.ofMillis(5)).fallback(Fallback.FAIL).named("list"));
    servers.freshAsOfNanos = System.nanoTime() - Duration.ofSeconds(3).toNanos();

    assertThatThrownBy(this::read)
        .isInstanceOf(NoEligibleReplicaException.class)
        .hasMessageContaining("no replica is within the staleness the read can bear")
        .satisfies(
            e ->
                assertThat(((NoEligibleReplicaException) e).reason())
                    .isEqualTo(Reason.NO_REPLICA_FRESH));
  }

  @Test
  void aHealthyClusterRefusesNoReadBecauseItsUsersLookAtWhatTheyHaveJustDone() throws Exception {
    use(
        servers
            .core()
            .budget(PrimaryBudget.atMost(0))
            .measureSlackNanos(Duration.ofMillis(220).toNanos()));
    servers.freshAsOfNanos = System.nanoTime();
    ScopeState scope = new ScopeState(0, null);
    context.attach(scope);
    scope.sawPrimary(System.nanoTime() + Duration.ofSeconds(5).toNanos());
    context.enter(REPLICA);

    assertThat(read()).isEqualTo("p");
    assertThat(lastReason()).isEqualTo(Reason.NO_REPLICA_REACHED_POSITION);
    assertThat(core.budget().refused()).isZero();
  }

  @Test
  void aReadWaitsForAReplicaThatIsAboutToHaveTheWriteAndNoLonger() throws Exception {
    List<String> waits = new ArrayList<>();
    CatchUp catchUp =
        new CatchUp() {
          @Override
          public boolean awaitOn(int server, GtidSet gtids, long timeoutNanos) {
            waits.add(FakeServers.NAMES.get(server) + " " + gtids + " " + timeoutNanos);
            return waits.size() > 1;
          }

          @Override
          public boolean awaitFreshAsOf(int server, long momentNanos, long timeoutNanos) {
            return false;
          }
        };
    use(
        servers
            .core()
            .catchUp(catchUp)
            .catchUpNanos(Duration.ofMillis(50).toNanos())
            .measureSlackNanos(Duration.ofMillis(220).toNanos()));
    servers.serves[2] = false;
    servers.freshAsOfNanos = System.nanoTime();
    ScopeState scope = new ScopeState(0, null);
    context.attach(scope);
    String written = "3e11fa47-71ca-11e1-9e33-c80aa9429562:101";
    scope.wrote(GtidSet.parse(written), System.nanoTime() + Duration.ofSeconds(5).toNanos());
    context.enter(REPLICA);

    assertThat(read()).isEqualTo("p");
    assertThat(read()).isEqualTo("p");
    assertThat(lastReason())
        .as("the first read has seen the primary since")
        .isEqualTo(Reason.NO_REPLICA_REACHED_POSITION);
    assertThat(waits).containsExactly("r1 " + written + " 50000000");
  }

  @Test
  void aWriteThatIsLostIsSentOnceAndItsOutcomeIsUnknown() throws Exception {
    servers.failing.add("p");
    try (Connection connection = connection()) {
      assertThatThrownBy(
              () -> connection.createStatement().executeUpdate("INSERT INTO orders VALUES (1)"))
          .isInstanceOf(OutcomeUnknownException.class);
    }
    assertThat(servers.log).filteredOn(line -> line.contains("INSERT")).hasSize(1);
  }

  @Test
  void aTransactionIsOnThePrimaryFromItsFirstReadOn() throws Exception {
    context.enter(REPLICA);
    try (Connection connection = connection()) {
      connection.setAutoCommit(false);
      assertThat(context.openTransactions().get()).isEqualTo(1);
      assertThat(read(connection)).isEqualTo("p");
      assertThat(lastReason()).isEqualTo(Reason.IN_TRANSACTION);
      connection.commit();
      assertThat(context.openTransactions().get()).isZero();
    }
    assertThat(servers.log)
        .containsSubsequence(
            "p: autocommit=false", "p: " + READ, "p: commit", "p: autocommit=true");
  }

  @Test
  void aReadOnlyTransactionIsTwoTextsAroundItsReads() throws Exception {
    context.enter(REPLICA);
    try (Connection connection = connection()) {
      connection.setReadOnly(true);
      connection.setAutoCommit(false);
      String server = read(connection);
      assertThat(server).startsWith("r");
      assertThat(read(connection)).isEqualTo(server);
      assertThatThrownBy(() -> connection.createStatement().executeUpdate("DELETE FROM orders"))
          .isInstanceOf(IntentViolationException.class);
      connection.commit();
      assertThat(
              servers.log.stream()
                  .filter(line -> !line.contains("setInt"))
                  .map(line -> line.substring(server.length() + 2))
                  .toList())
          .containsExactly("START TRANSACTION READ ONLY", READ, READ, "COMMIT");
    }
  }

  @Test
  void aWriteOnAConnectionThatWasSetReadOnlyIsNotSent() throws Exception {
    try (Connection connection = connection()) {
      connection.setReadOnly(true);
      assertThatThrownBy(() -> connection.createStatement().executeUpdate("DELETE FROM orders"))
          .isInstanceOf(IntentViolationException.class)
          .hasMessageContaining("on a connection that was set read-only, and it was not sent");
    }
    assertThat(servers.log).isEmpty();
  }

  @Test
  void writesOfUnscopedCodeBindTheReadsOfUnscopedCode() throws Exception {
    servers.freshAsOfNanos = System.nanoTime() - Duration.ofSeconds(1).toNanos();
    servers.nextGtids = GtidSet.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:101");
    try (Connection connection = connection()) {
      connection.createStatement().executeUpdate("INSERT INTO orders VALUES (1)");
    }
    context.enter(REPLICA);
    assertThat(read()).isEqualTo("p");

    context.attach(new ScopeState(0, null));
    assertThat(read()).as("a request of its own").startsWith("r");
    context.attach(null);

    servers.executed = GtidSet.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-101");
    assertThat(read()).startsWith("r");
    assertThat(lastReason()).isEqualTo(Reason.REPLICA_CAUGHT_UP);
  }

  @Test
  void theShelfIsEmptiedWhenTheCoreIsClosed() throws Exception {
    context.enter(REPLICA);
    for (int i = 0; i < 20; i++) {
      read();
    }
    core.close();

    assertThatThrownBy(this::read).hasMessage("fake - it is closed (expected: an open one)");
  }
}
