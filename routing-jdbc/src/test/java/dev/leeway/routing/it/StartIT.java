package dev.leeway.routing.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.annotation.Fallback;
import dev.leeway.gate.HeartbeatStatus;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.LeewayBuilder;
import dev.leeway.routing.LeewayStartException;
import dev.leeway.routing.NoEligibleReplicaException;
import dev.leeway.routing.Reason;
import dev.leeway.routing.RequestScope;
import dev.leeway.testkit.Fault;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.TestSchema;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bad input at the start: a message that helps, and nothing left running. */
class StartIT {
  private static TestSchema schema;
  private static MySqlServer primary;
  private static MySqlServer replica;

  private Set<Thread> before;

  @BeforeAll
  static void servers() throws Exception {
    schema = Servers.newSchema();
    primary = Servers.CLUSTER.primary();
    replica = Servers.CLUSTER.replicas().get(0);
  }

  @AfterAll
  static void stop() {
    schema.close();
  }

  @BeforeEach
  void noteThreads() {
    before = Thread.getAllStackTraces().keySet();
  }

  @AfterEach
  void nothingIsLeftRunning() {
    Servers.await("our threads end: " + ours(), () -> ours().isEmpty());
  }

  private Set<String> ours() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !before.contains(thread))
        .map(Thread::getName)
        .filter(name -> name.startsWith("leeway-") || name.startsWith("start-"))
        .collect(Collectors.toSet());
  }

  private static LeewayBuilder withPrimary() {
    return Leeway.builder("start")
        .monitoring(Servers.monitoring().build())
        .primary("p", primary.jdbcUrl(schema.name()), primary.user(), primary.password());
  }

  @Test
  void aWrongPasswordNamesTheServerAndTheAccount() {
    LeewayBuilder builder =
        withPrimary()
            .replica("r1", replica.jdbcUrl(schema.name()), replica.user(), "not the password");

    assertThatThrownBy(builder::start)
        .isInstanceOf(LeewayStartException.class)
        .hasMessageStartingWith(
            "start - cannot start, and nothing is running: server r1 (jdbc:mysql://")
        .hasMessageContaining("does not let the account in: Access denied for user")
        .hasMessageEndingWith("(expected: the right user, password and grants)")
        .hasMessageNotContaining("not the password");
  }

  @Test
  void allMistakesAreNamedTogether() {
    LeewayBuilder builder =
        Leeway.builder("start")
            .monitoring(Servers.monitoring().build())
            .primary("p", primary.jdbcUrl(schema.name()), primary.user(), "wrong")
            .replica("r1", replica.jdbcUrl(schema.name()), "nobody", "wrong");

    assertThatThrownBy(builder::start)
        .isInstanceOf(LeewayStartException.class)
        .hasMessageContaining("server p (")
        .hasMessageContaining("server r1 (");
  }

  @Test
  void aPrimaryThatCannotBeReachedIsNamedWithItsAddress() {
    try (Fault gone = primary.refuseConnections()) {
      assertThat(gone.description()).isNotEmpty();
      LeewayBuilder builder =
          withPrimary()
              .replica("r1", replica.jdbcUrl(schema.name()), replica.user(), replica.password());
      assertThatThrownBy(builder::start)
          .isInstanceOf(LeewayStartException.class)
          .hasMessageContaining("server p (jdbc:mysql://")
          .hasMessageEndingWith(
              "cannot be reached or used: Communications link failure (Connection refused)");
    }
  }

  @Test
  void aReplicaThatCannotBeReachedIsUsedLaterUnlessReplicasAreRequired() throws Exception {
    try (Fault gone = replica.refuseConnections()) {
      assertThat(gone.description()).isNotEmpty();
      LeewayBuilder builder =
          withPrimary()
              .replica("r1", replica.jdbcUrl(schema.name()), replica.user(), replica.password());
      assertThatThrownBy(() -> builder.requireReplicas(true).start())
          .isInstanceOf(LeewayStartException.class)
          .hasMessageContaining("server r1 (");

      try (Leeway leeway = builder.requireReplicas(false).start()) {
        assertThat(Sql.whoami(leeway)).isEqualTo("primary");
        gone.close();
        Servers.ready(leeway);
        assertThat(Sql.whoami(leeway)).isEqualTo(replica.name());
      }
    }
  }

  @Test
  void aPrimaryAloneServesEveryRead() throws Exception {
    try (Leeway leeway = withPrimary().start();
        RequestScope scope = leeway.openScope()) {
      assertThat(Sql.whoami(leeway)).isEqualTo("primary");
      assertThat(leeway.lastDecision().orElseThrow().reason())
          .isEqualTo(Reason.NO_REPLICA_AVAILABLE);

      Sql.write(leeway, "INSERT INTO orders(status) VALUES ('alone')");
      assertThat(Sql.whoami(leeway)).isEqualTo("primary");
      assertThat(scope.position().isComplete()).isTrue();
      assertThatThrownBy(() -> Sql.read(leeway, Sql.REPLICA.fallback(Fallback.FAIL), Sql.WHOAMI))
          .isInstanceOf(NoEligibleReplicaException.class);
    }
  }

  @Test
  void theHeartbeatCanBeWrittenByAnAccountOfItsOwn() throws Exception {
    primary.execute("CREATE USER heart IDENTIFIED BY 'beats'", "GRANT ALL ON leeway.* TO heart");
    try (Leeway leeway = withPrimary().heartbeatAccount("heart", "beats").start()) {
      Servers.await(
          "the heartbeat's account is at work and the heartbeat runs",
          () ->
              "1"
                      .equals(
                          Servers.ask(
                              primary,
                              "SELECT COUNT(*) FROM information_schema.processlist WHERE user = 'heart'"))
                  && leeway.clusterState().heartbeat() == HeartbeatStatus.RUNNING);
    } finally {
      primary.execute("DROP USER heart");
    }
  }

  @Test
  void aReplicaGivenAsThePrimaryIsRefused() {
    LeewayBuilder builder =
        Leeway.builder("start")
            .monitoring(Servers.monitoring().build())
            .primary("p", replica.jdbcUrl(schema.name()), replica.user(), replica.password())
            .replica("r1", primary.jdbcUrl(schema.name()), primary.user(), primary.password());

    assertThatThrownBy(builder::start)
        .isInstanceOf(LeewayStartException.class)
        .hasMessageContaining("which is read-only (expected: the server that takes writes)");
  }

  @Test
  void oneServerUnderTwoNamesIsRefused() {
    LeewayBuilder builder =
        withPrimary()
            .replica("r1", primary.jdbcUrl(schema.name()), primary.user(), primary.password());

    assertThatThrownBy(builder::start)
        .isInstanceOf(LeewayStartException.class)
        .hasMessageContaining("server r1 is the same server as p (server_uuid ");
  }

  @Test
  void aSchemaThatDoesNotExistIsNamed() {
    LeewayBuilder builder =
        Leeway.builder("start")
            .monitoring(Servers.monitoring().build())
            .primary("p", primary.jdbcUrl("nowhere"), primary.user(), primary.password())
            .replica("r1", replica.jdbcUrl("nowhere"), replica.user(), replica.password());

    assertThatThrownBy(builder::start)
        .isInstanceOf(LeewayStartException.class)
        .hasMessageContaining("Unknown database 'nowhere' (expected: an existing schema)");
  }

  @Test
  void afterCloseNothingRunsAndTheDataSourceSaysSo() throws Exception {
    Leeway leeway = Servers.ready(Servers.builder("start", schema).start());
    Sql.whoami(leeway);
    leeway.close();
    leeway.close();

    assertThatThrownBy(() -> leeway.dataSource().getConnection())
        .hasMessage("start - it is closed (expected: an open one)");
    assertThat(List.of(leeway.toString())).isNotEmpty();
  }
}
