package dev.leeway.routing.it;

import static dev.leeway.routing.it.Sql.REPLICA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.routing.IntentViolationException;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.Reason;
import dev.leeway.routing.RequestScope;
import dev.leeway.statement.StatementGuard;
import dev.leeway.testkit.Fault;
import dev.leeway.testkit.LoggedStatement;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.TestSchema;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What is not a plain read never reaches a replica: cases D02, D03, D05 and D07 in a replica
 * method.
 */
class StatementKindsIT {
  private static final List<String> LOCKING =
      List.of(
          "SELECT * FROM orders WHERE id=1 FOR UPDATE",
          "SELECT * FROM orders WHERE id=1\nFOR\nUPDATE",
          "SELECT * FROM orders WHERE id=1 FOR UPDATE;",
          "SELECT * FROM orders WHERE id=1 FOR UPDATE -- audit",
          "SELECT * FROM orders WHERE id=1 for update /* x */",
          "SELECT * FROM orders WHERE id=1 FOR UPDATE NOWAIT",
          "SELECT * FROM orders WHERE id=1 FOR UPDATE SKIP LOCKED",
          "SELECT * FROM orders o WHERE id=1 FOR UPDATE OF o",
          "SELECT * FROM orders WHERE id=1 FOR/**/UPDATE",
          "SELECT * FROM orders WHERE id=1 /*!40001 FOR UPDATE */",
          "(SELECT * FROM orders WHERE id=1 FOR UPDATE)",
          "WITH c AS (SELECT id FROM orders WHERE id=1 FOR UPDATE) SELECT * FROM c",
          "SELECT * FROM orders WHERE id=1 FOR SHARE",
          "SELECT * FROM orders WHERE id=1 LOCK IN SHARE MODE");

  private static final List<String> OTHER =
      List.of(
          "WITH c AS (SELECT 1 AS id) UPDATE orders JOIN c USING(id) SET status='x'",
          "WITH c AS (SELECT 3 AS id) DELETE orders FROM orders JOIN c USING(id)",
          "INSERT INTO orders(status) WITH c AS (SELECT 'y' AS s) SELECT s FROM c",
          "REPLACE INTO orders(id,status) VALUES (9,'r')",
          "ANALYZE TABLE orders",
          "LOCK TABLES orders READ",
          "DO GET_LOCK('orders',0)",
          "HANDLER orders OPEN",
          "SELECT COUNT(*) INTO @c FROM orders");

  private static final List<String> LOOK_ALIKES =
      List.of(
          "SELECT 'for update' AS x FROM whoami",
          "SELECT note AS `for update` FROM orders",
          "SELECT * FROM orders WHERE note='LOCK IN SHARE MODE'",
          "SELECT name FROM whoami /* FOR UPDATE */",
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<3)"
              + " SELECT i, (SELECT name FROM whoami) FROM n",
          "TABLE whoami",
          "(SELECT name FROM whoami)",
          "SELECT COUNT(*), NOW(), UPPER(name) FROM whoami GROUP BY name");

  private static TestSchema schema;
  private static Leeway leeway;

  private final List<Fault> faults = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    schema = Servers.newSchema();
    for (MySqlServer server : Servers.CLUSTER.servers()) {
      server.execute("SET GLOBAL log_bin_trust_function_creators=1");
    }
    schema.execute(
        "CREATE FUNCTION next_no() RETURNS BIGINT MODIFIES SQL DATA BEGIN"
            + " INSERT INTO orders(status) VALUES ('fn'); RETURN LAST_INSERT_ID(); END",
        "CREATE PROCEDURE wr() INSERT INTO orders(status) VALUES ('proc')",
        "CREATE PROCEDURE twice(IN n INT, OUT doubled INT) SET doubled = 2 * n",
        "CREATE FUNCTION ro_total() RETURNS BIGINT READS SQL DATA"
            + " RETURN (SELECT COUNT(*) FROM orders)");
    schema.awaitReplicated();
    leeway = Servers.ready(Servers.builder("kinds", schema).start());
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

  @Test
  void whatLocksOrWritesInAReplicaMethodRunsOnThePrimaryAlone() throws Exception {
    List<String> texts = new ArrayList<>(LOCKING);
    texts.addAll(OTHER);
    Instant[] since = startLogging();
    for (String text : texts) {
      leeway.run(
          REPLICA,
          () -> {
            try (Connection connection = leeway.dataSource().getConnection()) {
              Sql.any(connection, text);
            }
          });
      assertThat(leeway.lastDecision().orElseThrow().reason())
          .as(text)
          .isEqualTo(Reason.NOT_A_PLAIN_READ);
    }

    for (int i = 1; i < since.length; i++) {
      assertThat(textsIn(Servers.CLUSTER.servers().get(i), since[i])).isEmpty();
    }
    // The server's log leaves a closing semicolon out.
    assertThat(textsIn(Servers.CLUSTER.primary(), since[0]))
        .containsAll(texts.stream().map(text -> text.replace(";", "")).toList());
    assertThat(Sql.read(leeway, Sql.PRIMARY, "SELECT status FROM orders WHERE id = 1"))
        .isEqualTo("x");
    assertThat(Sql.read(leeway, Sql.PRIMARY, "SELECT id FROM orders WHERE id = 3")).isNull();
  }

  @Test
  void whatOnlyLooksLikeThatMayUseAReplica() throws Exception {
    try (RequestScope scope = leeway.openScope()) {
      assertThat(scope.isClosed()).isFalse();
      for (String text : LOOK_ALIKES) {
        Sql.read(leeway, REPLICA, text);
        assertThat(leeway.lastDecision().orElseThrow().role())
            .as(text)
            .isEqualTo(Reason.Role.REPLICA);
      }
    }
  }

  @Test
  void inStrictModeItIsRefusedBeforeItIsSent() throws Exception {
    try (Leeway strict =
        Servers.ready(Servers.builder("strict", schema).strictGuard(true).start())) {
      for (String text : LOCKING) {
        assertThatThrownBy(() -> Sql.read(strict, REPLICA, text))
            .as(text)
            .isInstanceOf(IntentViolationException.class)
            .hasMessageContaining("ran something else than a plain read");
      }
      assertThat(Sql.whoami(strict)).startsWith("replica-");
    }
  }

  @Test
  void anUpdatableResultIsReadWhereItCanBeUpdated() throws Exception {
    leeway.run(
        REPLICA,
        () -> {
          try (Connection connection = leeway.dataSource().getConnection();
              Statement statement =
                  connection.createStatement(
                      ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
              ResultSet rows =
                  statement.executeQuery("SELECT id, status, note FROM orders WHERE id = 2")) {
            rows.next();
            rows.updateString("note", "by cursor");
            rows.updateRow();
          }
        });
    assertThat(Sql.read(leeway, Sql.PRIMARY, "SELECT note FROM orders WHERE id = 2"))
        .isEqualTo("by cursor");
  }

  @Test
  void whatLivesInTheSessionIsAskedOfTheSession() throws Exception {
    for (MySqlServer replica : Servers.CLUSTER.replicas()) {
      faults.add(replica.pauseApplier());
    }
    leeway.run(
        REPLICA,
        () -> {
          try (Connection one = leeway.dataSource().getConnection();
              Connection two = leeway.dataSource().getConnection()) {
            String key;
            try (Statement insert = one.createStatement()) {
              insert.executeUpdate(
                  "INSERT INTO orders(status) VALUES ('li')", Statement.RETURN_GENERATED_KEYS);
              try (ResultSet keys = insert.getGeneratedKeys()) {
                keys.next();
                key = keys.getString(1);
              }
            }
            Sql.update(two, "INSERT INTO orders(status) VALUES ('other')");
            Sql.query(one, Sql.WHOAMI);
            assertThat(Sql.query(one, "SELECT LAST_INSERT_ID() AS id")).isEqualTo(key);
            assertThat(Sql.query(one, "select last_insert_id()+0")).isEqualTo(key);
            assertThat(Sql.query(one, "SELECT @@identity")).isEqualTo(key);
            assertThat(Sql.query(one, "SELECT @@last_insert_id")).isEqualTo(key);
            assertThat(Sql.query(one, "SELECT status FROM orders WHERE id=LAST_INSERT_ID()"))
                .isEqualTo("li");
            assertThat(Sql.query(two, "SELECT LAST_INSERT_ID()")).isNotEqualTo(key);
            Sql.update(one, "INSERT INTO idem VALUES ('x', LAST_INSERT_ID())");
            assertThat(Sql.query(one, "SELECT order_id FROM idem WHERE k = 'x' FOR SHARE"))
                .isEqualTo(key);

            Sql.execute(one, "SET @x := 42");
            assertThat(Sql.query(one, "SELECT @x")).isEqualTo("42");
            assertThat(Sql.query(one, "SELECT @n := 5")).isEqualTo("5");
            assertThat(Sql.query(one, "SELECT @n + 1")).isEqualTo("6");
            Sql.execute(one, "SELECT COUNT(*) INTO @c FROM orders");
            assertThat(Sql.query(one, "SELECT @c"))
                .isEqualTo(Sql.query(one, "SELECT COUNT(*) FROM orders"));
            assertThat(Sql.query(one, Sql.WHOAMI)).isEqualTo("primary");
            assertThat(leeway.lastDecision().orElseThrow().reason())
                .isEqualTo(Reason.SESSION_STATE);
          }
          try (Connection three = leeway.dataSource().getConnection()) {
            assertThat(Sql.query(three, "SELECT @x")).as("left behind").isNull();
          }
        });
  }

  @Test
  void temporaryTablesAndLocksLastAsLongAsTheBorrow() throws Exception {
    leeway.run(
        REPLICA,
        () -> {
          try (Connection connection = leeway.dataSource().getConnection()) {
            Sql.execute(connection, "CREATE TEMPORARY TABLE basket (id INT)");
            Sql.update(connection, "INSERT INTO basket VALUES (7)");
            assertThat(Sql.query(connection, "SELECT id FROM basket")).isEqualTo("7");
            assertThat(Sql.query(connection, "SELECT GET_LOCK('leeway-test', 0)")).isEqualTo("1");
          }
          try (Connection other = leeway.dataSource().getConnection()) {
            assertThatThrownBy(() -> Sql.query(other, "SELECT id FROM basket FOR SHARE"))
                .hasMessageContaining("basket");
            Servers.await(
                "the lock went with its connection",
                () -> {
                  try {
                    return "1".equals(Sql.query(other, "SELECT IS_FREE_LOCK('leeway-test')"));
                  } catch (java.sql.SQLException e) {
                    throw new AssertionError(e);
                  }
                });
          }
        });
  }

  @Test
  void aFunctionThatMayWriteRunsOnThePrimaryAndItsPositionIsTaken() throws Exception {
    String before = countOf("fn");
    for (String text :
        List.of(
            "SELECT next_no()",
            "SELECT " + schema.name() + ".next_no() AS n FROM DUAL",
            "SELECT `next_no`()",
            "SELECT name, next_no() FROM whoami")) {
      try (RequestScope scope = leeway.openScope()) {
        Sql.read(leeway, REPLICA, text);
        assertThat(leeway.lastDecision().orElseThrow().reason())
            .as(text)
            .isEqualTo(Reason.NOT_A_PLAIN_READ);
        assertThat(scope.position().gtids().transactionCount()).as(text).isEqualTo(1);
      }
    }
    assertThat(Integer.parseInt(countOf("fn")) - Integer.parseInt(before)).isEqualTo(4);
  }

  @Test
  void aCallRunsOnThePrimaryWithWhatWasBoundAndRegistered() throws Exception {
    leeway.run(
        REPLICA,
        () -> {
          try (RequestScope scope = leeway.openScope();
              Connection connection = leeway.dataSource().getConnection();
              CallableStatement write = connection.prepareCall("{call wr()}");
              CallableStatement twice = connection.prepareCall("{call twice(?, ?)}")) {
            write.execute();
            assertThat(scope.position().gtids().transactionCount()).isEqualTo(1);
            twice.setInt(1, 21);
            twice.registerOutParameter(2, java.sql.Types.INTEGER);
            twice.execute();
            assertThat(twice.getInt(2)).isEqualTo(42);
          }
        });
  }

  @Test
  void aFunctionThatIsDeclaredReadOnlyMayUseAReplica() throws Exception {
    Sql.read(leeway, REPLICA, "SELECT ro_total()");
    assertThat(leeway.lastDecision().orElseThrow().reason()).isEqualTo(Reason.NOT_A_PLAIN_READ);

    StatementGuard trusting =
        StatementGuard.builder().declaredReadOnlyFunctions(Set.of("ro_total")).build();
    try (Leeway declared =
            Servers.ready(Servers.builder("declared", schema).guard(trusting).start());
        RequestScope scope = declared.openScope()) {
      assertThat(scope.isClosed()).isFalse();
      assertThat(Sql.read(declared, REPLICA, "SELECT ro_total()")).isNotNull();
      assertThat(declared.lastDecision().orElseThrow().role()).isEqualTo(Reason.Role.REPLICA);
    }
  }

  @Test
  void aReplicaSessionRefusesToWriteEvenWhereTheServerWouldNot() throws Exception {
    MySqlServer replica = Servers.CLUSTER.replicas().get(0);
    faults.add(replica.forgetSuperReadOnly());
    try (RequestScope scope = leeway.openScope();
        Connection connection = leeway.dataSource().getConnection()) {
      assertThat(scope.isClosed()).isFalse();
      leeway.run(
          REPLICA,
          () -> {
            Sql.query(connection, Sql.WHOAMI);
            // Past everything of ours: what the session itself says.
            Connection physical = connection.unwrap(com.mysql.cj.jdbc.JdbcConnection.class);
            assertThatThrownBy(
                    () -> Sql.update(physical, "INSERT INTO orders(status) VALUES ('no')"))
                .isInstanceOf(java.sql.SQLException.class);
          });
    }
  }

  private static String countOf(String status) throws Exception {
    return Sql.read(
        leeway, Sql.PRIMARY, "SELECT COUNT(*) FROM orders WHERE status = '" + status + "'");
  }

  private static Instant[] startLogging() {
    return Servers.CLUSTER.servers().stream()
        .map(MySqlServer::startLogging)
        .toArray(Instant[]::new);
  }

  private static List<String> textsIn(MySqlServer server, Instant since) {
    List<String> texts =
        server.loggedStatements(since).stream()
            // ANALYZE TABLE replicates as a text, which the applier's own session then runs.
            .filter(statement -> statement.user().contains(server.user()))
            .map(LoggedStatement::text)
            .filter(text -> text.contains("orders"))
            .toList();
    server.stopLogging();
    return texts;
  }
}
