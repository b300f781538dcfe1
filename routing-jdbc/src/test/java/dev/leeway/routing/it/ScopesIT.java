package dev.leeway.routing.it;

import static dev.leeway.routing.it.Sql.PRIMARY;
import static dev.leeway.routing.it.Sql.REPLICA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.gate.Health;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.Reason;
import dev.leeway.routing.RequestScope;
import dev.leeway.routing.RoutingMode;
import dev.leeway.routing.ScopeMode;
import dev.leeway.testkit.Fault;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.TestSchema;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one request sees: cases D16 and D17, one replica per request, never back in time. */
class ScopesIT {
  private static TestSchema schema;
  private static Leeway leeway;

  private final List<Fault> faults = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    schema = Servers.newSchema();
    leeway = Servers.ready(Servers.builder("scopes", schema).start());
  }

  @AfterAll
  static void stop() {
    leeway.close();
    schema.close();
  }

  @BeforeEach
  void ready() throws Exception {
    schema.awaitReplicated();
    Servers.ready(leeway);
  }

  @AfterEach
  void undo() {
    faults.forEach(Fault::close);
  }

  private void freezeReplicas() {
    for (MySqlServer replica : Servers.CLUSTER.replicas()) {
      faults.add(replica.pauseApplier());
    }
  }

  @Test
  void aRequestStaysOnOneReplicaAndRequestsSpreadOverBoth() throws Exception {
    Set<String> seen = new HashSet<>();
    // One slow answer, and its replica is drawn once in about thirty requests until it is measured
    // anew.
    for (int request = 0; request < 40 || (seen.size() < 2 && request < 1_000); request++) {
      try (RequestScope scope = leeway.openScope()) {
        String first = Sql.whoami(leeway);
        seen.add(first);
        for (int read = 0; read < 5; read++) {
          assertThat(Sql.whoami(leeway)).isEqualTo(first);
          assertThat(leeway.lastDecision().orElseThrow().reason()).isEqualTo(Reason.PINNED_REPLICA);
        }
        assertThat(scope.pinnedReplica()).contains(first);
      }
    }
    assertThat(seen).containsExactlyInAnyOrder("replica-1", "replica-2");
  }

  @Test
  void whatOneJobWroteDoesNotBindTheNextOneOnTheSameThread() throws Exception {
    ExecutorService worker = Executors.newSingleThreadExecutor();
    try {
      for (int i = 0; i < 20; i++) {
        freezeReplicas();
        assertThat(worker.submit(() -> job(false)).get()).startsWith("replica-");
        assertThat(worker.submit(() -> job(true)).get()).isEqualTo("primary");
        assertThat(worker.submit(() -> job(false)).get()).startsWith("replica-");
        faults.forEach(Fault::close);
        faults.clear();
      }
    } finally {
      worker.shutdown();
    }
  }

  private static String job(boolean writes) throws Exception {
    String answered = null;
    try (RequestScope scope = leeway.openScope()) {
      if (writes) {
        Sql.write(leeway, "INSERT INTO orders(status) VALUES ('job')");
      }
      answered = Sql.whoami(leeway);
      if (writes) {
        assertThat(scope.position().gtids().isEmpty()).isFalse();
        throw new IllegalStateException("the job fails after it wrote");
      }
    } catch (IllegalStateException e) {
      assertThat(leeway.currentScope()).isEmpty();
    }
    return answered;
  }

  @Test
  void aReadOfThePrimaryBindsTheReadsAfterIt() throws Exception {
    freezeReplicas();
    try (RequestScope scope = leeway.openScope()) {
      assertThat(Sql.whoami(leeway)).startsWith("replica-");
      schema.execute("UPDATE orders SET note = 'by another user' WHERE id = 1");
      assertThat(Sql.read(leeway, PRIMARY, "SELECT note FROM orders WHERE id = 1"))
          .isEqualTo("by another user");

      assertThat(Sql.read(leeway, REPLICA, "SELECT note FROM orders WHERE id = 1"))
          .as("the same request does not go back in time")
          .isEqualTo("by another user");
      assertThat(leeway.lastDecision().orElseThrow().reason())
          .isEqualTo(Reason.NO_REPLICA_REACHED_POSITION);
      assertThat(scope.position().gtids().isEmpty()).as("it wrote nothing").isTrue();
    }
  }

  @Test
  void aRequestComesBackToAReplicaWhenOneHasCaughtUpWithWhatItSaw() throws Exception {
    try (RequestScope scope = leeway.openScope()) {
      assertThat(Sql.whoami(leeway)).startsWith("replica-");
      Sql.read(leeway, PRIMARY, Sql.WHOAMI);

      // Whichever is measured first; it is the request's replica from then on.
      Servers.await(
          "a replica serves again",
          () -> {
            try {
              return Sql.whoami(leeway).startsWith("replica-");
            } catch (java.sql.SQLException e) {
              throw new AssertionError(e);
            }
          });
      assertThat(scope.pinnedReplica()).contains(Sql.whoami(leeway));
    }
  }

  @Test
  void aRequestWhoseReplicaIsLostNeverSeesLessThanBefore() throws Exception {
    try (RequestScope scope = leeway.openScope()) {
      String lost = Sql.whoami(leeway);
      MySqlServer lostServer = Servers.CLUSTER.server(lost);
      for (MySqlServer replica : Servers.CLUSTER.replicas()) {
        if (!replica.name().equals(lost)) {
          faults.add(replica.pauseApplier());
        }
      }
      schema.execute("UPDATE orders SET note = 'seen' WHERE id = 3");
      Servers.await(
          "the change is seen on " + lost,
          () -> {
            try {
              return "seen"
                      .equals(Sql.read(leeway, REPLICA, "SELECT note FROM orders WHERE id = 3"))
                  && leeway.lastDecision().orElseThrow().server().equals(lost);
            } catch (java.sql.SQLException e) {
              throw new AssertionError(e);
            }
          });
      faults.add(lostServer.refuseConnections());
      Servers.await("the loss is noticed", () -> health(lost) == Health.UNREACHABLE);

      for (int i = 0; i < 5; i++) {
        assertThat(Sql.read(leeway, REPLICA, "SELECT note FROM orders WHERE id = 3"))
            .isEqualTo("seen");
        assertThat(leeway.lastDecision().orElseThrow().server()).isEqualTo("primary");
      }
      assertThat(scope.isClosed()).isFalse();
    }
  }

  private static Health health(String server) {
    return leeway.clusterState().servers().stream()
        .filter(state -> state.name().equals(server))
        .findFirst()
        .orElseThrow()
        .health();
  }

  @Test
  void theUserFindsTheOrderInEveryRequestAfterTheCommitHoweverLongTheTransactionWas()
      throws Exception {
    try (Leeway sticky =
        Servers.ready(
            Servers.builder("sticky", schema)
                .scopeMode(ScopeMode.primaryFor(Duration.ofMillis(500)))
                .start())) {
      String token;
      try (RequestScope first = sticky.openScope();
          Connection connection = sticky.dataSource().getConnection()) {
        connection.setAutoCommit(false);
        Sql.update(connection, "INSERT INTO orders(id, status) VALUES (1017, 'k')");
        // Longer than the window, which must not have begun yet.
        Sql.query(connection, "SELECT SLEEP(0.8)");
        freezeReplicas();
        connection.commit();
        connection.setAutoCommit(true);
        assertThat(sticky.read(REPLICA, () -> Sql.query(connection, Sql.WHOAMI)))
            .isEqualTo("primary");
        assertThat(sticky.lastDecision().orElseThrow().reason())
            .isEqualTo(Reason.STICKY_AFTER_WRITE);
        token = first.toToken();
      }
      assertThat(countInNextRequest(sticky, token)).isEqualTo("1");
      assertThat(sticky.lastDecision().orElseThrow().role()).isEqualTo(Reason.Role.PRIMARY);

      faults.forEach(Fault::close);
      faults.clear();
      Servers.await(
          "a replica serves the user",
          () -> {
            try {
              assertThat(countInNextRequest(sticky, token)).isEqualTo("1");
            } catch (java.sql.SQLException e) {
              throw new AssertionError(e);
            }
            return sticky.lastDecision().orElseThrow().role() == Reason.Role.REPLICA;
          });
    }
  }

  private static String countInNextRequest(Leeway sticky, String token)
      throws java.sql.SQLException {
    try (RequestScope next = sticky.openScope(token)) {
      assertThat(next.isClosed()).isFalse();
      return Sql.read(sticky, REPLICA, "SELECT COUNT(*) FROM orders WHERE id = 1017");
    }
  }

  @Test
  void inTheModeOfOtherFrameworksAWriteKeepsItsRequestOnThePrimary() throws Exception {
    try (Leeway sticky =
        Servers.ready(
            Servers.builder("sticky", schema).scopeMode(ScopeMode.PRIMARY_AFTER_WRITE).start())) {
      try (RequestScope scope = sticky.openScope()) {
        assertThat(Sql.whoami(sticky)).startsWith("replica-");
        Sql.write(sticky, "INSERT INTO orders(status) VALUES ('sticky')");
        Servers.await("the write has arrived", () -> sticky.gate().hasReached(scope.position()));
        assertThat(Sql.whoami(sticky)).isEqualTo("primary");
        assertThat(sticky.lastDecision().orElseThrow().reason())
            .isEqualTo(Reason.STICKY_AFTER_WRITE);
      }
      try (RequestScope next = sticky.openScope()) {
        assertThat(next.isClosed()).isFalse();
        assertThat(Sql.whoami(sticky)).startsWith("replica-");
      }
    }
  }

  @Test
  void aScopeInsideAnotherBelongsToTheSameRequest() throws Exception {
    freezeReplicas();
    try (RequestScope outer = leeway.openScope()) {
      Sql.write(leeway, "UPDATE orders SET note = 'outer' WHERE id = 1");
      try (RequestScope inner = leeway.openScope()) {
        assertThat(Sql.read(leeway, REPLICA, "SELECT note FROM orders WHERE id = 1"))
            .isEqualTo("outer");
        Sql.write(leeway, "UPDATE orders SET note = 'inner' WHERE id = 1");
        assertThat(inner.position().gtids().transactionCount()).isEqualTo(2);
      }
      assertThat(Sql.read(leeway, REPLICA, "SELECT note FROM orders WHERE id = 1"))
          .isEqualTo("inner");
      assertThat(outer.position().gtids().transactionCount()).isEqualTo(2);
    }
  }

  @Test
  void anAuditEntryHoldsUpNobodyWhoReadsOrders() throws Exception {
    freezeReplicas();
    ReadIntent orders = ReadIntent.replica().entity("order");
    try (RequestScope scope = leeway.openScope()) {
      Sql.write(leeway, "INSERT INTO idem VALUES ('audit-1', 1)");
      scope.wrote("audit", 1);

      Sql.read(leeway, orders, Sql.WHOAMI);
      assertThat(leeway.lastDecision().orElseThrow().role()).isEqualTo(Reason.Role.REPLICA);
      Sql.read(leeway, ReadIntent.replica().entity("audit", 1), Sql.WHOAMI);
      assertThat(leeway.lastDecision().orElseThrow().reason())
          .isEqualTo(Reason.NO_REPLICA_REACHED_POSITION);
    }
    try (RequestScope scope = leeway.openScope()) {
      leeway.run(
          ReadIntent.write().entity("audit"),
          () -> {
            try (Connection connection = leeway.dataSource().getConnection()) {
              connection.setAutoCommit(false);
              Sql.update(connection, "INSERT INTO idem VALUES ('audit-2', 1)");
              connection.commit();
            }
          });
      Sql.read(leeway, orders, Sql.WHOAMI);
      assertThat(leeway.lastDecision().orElseThrow().role()).isEqualTo(Reason.Role.REPLICA);
      String token = scope.toToken();
      try (RequestScope next = leeway.openScope(token)) {
        assertThat(next.position().gtids().transactionCount()).isEqualTo(1);
        Sql.read(leeway, orders, Sql.WHOAMI);
        assertThat(leeway.lastDecision().orElseThrow().role()).isEqualTo(Reason.Role.REPLICA);
      }
      Sql.read(leeway, REPLICA, Sql.WHOAMI);
      assertThat(leeway.lastDecision().orElseThrow().role())
          .as("who names nothing is bound by everything")
          .isEqualTo(Reason.Role.PRIMARY);
    }
  }

  @Test
  void aReadWaitsForAReplicaThatIsAboutToHaveTheWrite() throws Exception {
    ReadIntent patient = ReadIntent.replica().catchUp(Duration.ofSeconds(5)).named("patient");
    try (RequestScope scope = leeway.openScope()) {
      for (int i = 0; i < 20; i++) {
        Sql.write(leeway, "UPDATE orders SET note = 'p" + i + "' WHERE id = 2");
        assertThat(Sql.read(leeway, patient, "SELECT note FROM orders WHERE id = 2"))
            .isEqualTo("p" + i);
        assertThat(leeway.lastDecision().orElseThrow().role()).isEqualTo(Reason.Role.REPLICA);
      }
      assertThat(scope.pinnedReplica()).isPresent();
    }
  }

  @Test
  void withoutPatienceTheReadGoesToThePrimaryAtOnce() throws Exception {
    freezeReplicas();
    ReadIntent impatient = ReadIntent.replica().catchUp(Duration.ZERO);
    try (RequestScope scope = leeway.openScope()) {
      Sql.write(leeway, "UPDATE orders SET note = 'now' WHERE id = 2");
      assertThat(Sql.read(leeway, impatient, "SELECT note FROM orders WHERE id = 2"))
          .isEqualTo("now");
      assertThat(leeway.lastDecision().orElseThrow().reason())
          .isEqualTo(Reason.NO_REPLICA_REACHED_POSITION);
      assertThat(scope.pinnedReplica()).isEmpty();
    }
  }

  @Test
  void aStalenessThatNoReplicaKeepsIsServedByThePrimary() throws Exception {
    try (RequestScope scope = leeway.openScope()) {
      Sql.read(leeway, ReadIntent.replica().maxStaleness(Duration.ZERO), Sql.WHOAMI);
      assertThat(leeway.lastDecision().orElseThrow().reason()).isEqualTo(Reason.NO_REPLICA_FRESH);
      assertThat(scope.pinnedReplica()).isEmpty();
    }
  }

  @Test
  void shadowModeReadsThePrimaryAndChangesNothingElse() throws Exception {
    try (Leeway shadow =
            Servers.ready(Servers.builder("shadow", schema).mode(RoutingMode.SHADOW).start());
        RequestScope scope = shadow.openScope()) {
      assertThat(Sql.whoami(shadow)).isEqualTo("primary");
      assertThat(shadow.lastDecision().orElseThrow().reason()).isEqualTo(Reason.SHADOW);
      Sql.write(shadow, "UPDATE orders SET note = 'shadow' WHERE id = 2");
      assertThat(scope.position().gtids().transactionCount()).isEqualTo(1);
    }
  }

  @Test
  void otherThreadsOfTheSameRequestReadItsWritesAndItsReplica() throws Exception {
    ExecutorService worker = Executors.newSingleThreadExecutor();
    try (RequestScope scope = leeway.openScope()) {
      String replica = Sql.whoami(leeway);
      freezeReplicas();
      String there =
          worker
              .submit(
                  () -> {
                    try (RequestScope.Attachment attached = scope.attach()) {
                      assertThat(attached).isNotNull();
                      String server = Sql.whoami(leeway);
                      Sql.write(leeway, "UPDATE orders SET note = 'there' WHERE id = 1");
                      return server;
                    }
                  })
              .get();
      assertThat(there).isEqualTo(replica);
      assertThat(Sql.read(leeway, REPLICA, "SELECT note FROM orders WHERE id = 1"))
          .isEqualTo("there");
      assertThat(worker.submit(() -> leeway.currentScope().isPresent()).get()).isFalse();
    } finally {
      worker.shutdown();
    }
  }
}
