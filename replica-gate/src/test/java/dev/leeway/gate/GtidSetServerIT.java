package dev.leeway.gate;

import static org.assertj.core.api.Assertions.assertThat;

import com.mysql.cj.jdbc.JdbcConnection;
import com.mysql.cj.protocol.ServerSessionStateController;
import com.mysql.cj.protocol.ServerSessionStateController.SessionStateChange;
import com.mysql.cj.protocol.ServerSessionStateController.SessionStateChangesListener;
import dev.leeway.testkit.MySqlCluster;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.TestSchema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@link GtidSet} against the functions of a real server. */
class GtidSetServerIT {
  private static final int PAIRS = 6_000;
  private static final int PAIRS_PER_STATEMENT = 200;
  private static final int DOUBTFUL_TEXTS = 6_000;
  private static final int MALFORMED_GTID_SET = 1772;
  private static final Duration REPLICATION_BOUND = Duration.ofSeconds(30);

  private static MySqlCluster cluster;
  private static MySqlServer primary;

  @BeforeAll
  static void startCluster() {
    cluster = MySqlCluster.shared(2);
    primary = cluster.primary();
  }

  private record Pair(String left, String right) {}

  @Test
  void generatedSetsCompareCombineAndPrintAsOnTheServer() throws SQLException {
    GeneratedGtidText texts = new GeneratedGtidText(20261130);
    int contained = 0;
    int overlapping = 0;
    try (Connection connection = primary.connect("")) {
      for (int done = 0; done < PAIRS; done += PAIRS_PER_STATEMENT) {
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < PAIRS_PER_STATEMENT; i++) {
          String left = texts.valid();
          // Every third pair is made to nest, which two random sets hardly ever do.
          pairs.add(new Pair(i % 3 == 0 ? left + "," + texts.valid() : texts.valid(), left));
        }
        for (Answer answer : ask(connection, pairs)) {
          GtidSet left = GtidSet.parse(answer.pair.left());
          GtidSet right = GtidSet.parse(answer.pair.right());
          assertThat(left).as("%s", answer.pair).hasToString(answer.left);
          assertThat(left.union(right)).as("%s", answer.pair).hasToString(answer.union);
          assertThat(left.subtract(right)).as("%s", answer.pair).hasToString(answer.difference);
          assertThat(left.contains(right)).as("%s", answer.pair).isEqualTo(answer.contains);
          // The server has no function for this one: sets meet if taking one away changes the
          // other.
          assertThat(left.intersects(right))
              .as("%s", answer.pair)
              .isEqualTo(!answer.left.equals(answer.difference));
          contained += answer.contains ? 1 : 0;
          overlapping += answer.left.equals(answer.difference) ? 0 : 1;
        }
      }
    }
    // Says that the texts were worth comparing, not what they are.
    assertThat(contained).isBetween(PAIRS / 4, PAIRS * 3 / 4);
    assertThat(overlapping).isBetween(PAIRS / 4, PAIRS * 9 / 10);
  }

  private record Answer(
      Pair pair, String left, String union, String difference, boolean contains) {}

  private static List<Answer> ask(Connection connection, List<Pair> pairs) throws SQLException {
    String row =
        "SELECT ? AS pair, GTID_SUBTRACT(?, ''), GTID_SUBTRACT(CONCAT(?, ',', ?), ''),"
            + " GTID_SUBTRACT(?, ?), GTID_SUBSET(?, ?)";
    String sql = String.join(" UNION ALL ", Collections.nCopies(pairs.size(), row));
    List<Answer> answers = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int parameter = 0;
      for (int i = 0; i < pairs.size(); i++) {
        String left = pairs.get(i).left();
        String right = pairs.get(i).right();
        statement.setInt(++parameter, i);
        for (String text : new String[] {left, left, right, left, right, right, left}) {
          statement.setString(++parameter, text);
        }
      }
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          answers.add(
              new Answer(
                  pairs.get(rows.getInt(1)),
                  rows.getString(2),
                  rows.getString(3),
                  rows.getString(4),
                  rows.getBoolean(5)));
        }
      }
    }
    assertThat(answers).hasSameSizeAs(pairs);
    return answers;
  }

  /** A text that one of the two refuses and the other reads is a stale read or a lost position. */
  @Test
  void aTextIsRefusedExactlyIfTheServerRefusesIt() throws SQLException {
    GeneratedGtidText texts = new GeneratedGtidText(17);
    int refused = 0;
    try (Connection connection = primary.connect("");
        PreparedStatement statement = connection.prepareStatement("SELECT GTID_SUBTRACT(?, '')")) {
      for (int i = 0; i < DOUBTFUL_TEXTS; i++) {
        String text = texts.doubtful();
        // The server's functions let bytes beyond ASCII pass inside a tag and print them as 0xff.
        // No transaction can get such a tag (SET gtid_next refuses it), so we do not follow.
        boolean ascii = text.chars().allMatch(c -> c < 0x80);
        String canonical = ascii ? canonicalOnServer(statement, text) : null;
        assertThat(canonicalHere(text)).as("'%s'", text).isEqualTo(canonical);
        refused += canonical == null ? 1 : 0;
      }
    }
    assertThat(refused).isBetween(DOUBTFUL_TEXTS / 4, DOUBTFUL_TEXTS * 9 / 10);
  }

  private static @Nullable String canonicalOnServer(PreparedStatement statement, String text)
      throws SQLException {
    statement.setString(1, text);
    try (ResultSet rows = statement.executeQuery()) {
      rows.next();
      return rows.getString(1);
    } catch (SQLException e) {
      assertThat(e.getErrorCode()).as(e.getMessage()).isEqualTo(MALFORMED_GTID_SET);
      return null;
    }
  }

  private static @Nullable String canonicalHere(String text) {
    try {
      return GtidSet.parse(text).toString();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Case D11: a failover leaves two sources, and the server breaks the line between them. */
  @Test
  void anExecutedSetOfSeveralSourcesIsReadWhole() throws SQLException {
    UUID formerPrimary = UUID.fromString("11111111-1111-1111-1111-111111111111");
    primary.execute(
        "SET gtid_next='" + formerPrimary + ":7'", "BEGIN", "COMMIT", "SET gtid_next='AUTOMATIC'");
    String text = executedTextOn(primary);

    GtidSet executed = GtidSet.parse(text);

    assertThat(text).contains(",\n");
    assertThat(executed).hasToString(text);
    assertThat(executed.sources()).contains(formerPrimary, UUID.fromString(primary.serverUuid()));
    assertThat(executed.contains(Gtid.of(formerPrimary, 7))).isTrue();
    cluster.awaitCaughtUp(REPLICATION_BOUND);
    for (MySqlServer replica : cluster.replicas()) {
      assertThat(executedOn(replica).contains(executed)).as(replica.name()).isTrue();
    }
  }

  /** Case D12: tags count their own numbers, and a position under a tag gates like any other. */
  @Test
  void taggedWritesAreTrackedReadAndFoundOnAReplica() throws SQLException {
    MySqlServer replica = cluster.replicas().get(0);
    try (TestSchema schema = cluster.newSchema()) {
      schema.execute("CREATE TABLE t (id INT PRIMARY KEY)").awaitReplicated();
      replica.execute("STOP REPLICA SQL_THREAD");
      List<GtidSet> tagged;
      GtidSet untagged;
      try (TrackedConnection writer = new TrackedConnection(schema.name())) {
        writer.execute("SET gtid_next='AUTOMATIC:Billing_1'");
        GtidSet billing = writer.execute("INSERT INTO t VALUES (1)");
        writer.execute("SET gtid_next='AUTOMATIC:aaa'");
        GtidSet first = writer.execute("INSERT INTO t VALUES (2)");
        GtidSet second = writer.execute("INSERT INTO t VALUES (3)");
        tagged = List.of(billing, first, second);
        writer.execute("SET gtid_next='AUTOMATIC'");
        untagged = writer.execute("INSERT INTO t VALUES (4)");
      }

      String text = executedTextOn(primary);
      GtidSet executed = GtidSet.parse(text);
      GtidSet executedBefore = executedOn(replica);
      replica.execute("START REPLICA SQL_THREAD");
      cluster.awaitCaughtUp(REPLICATION_BOUND);
      GtidSet executedAfter = executedOn(replica);

      assertThat(executed).hasToString(text);
      assertThat(text).containsPattern(":aaa:[0-9-]+:billing_1:[0-9-]+");
      assertThat(untagged.toString()).matches("[0-9a-f-]{36}:[0-9]+");
      assertThat(tagged.get(0).toString()).matches("[0-9a-f-]{36}:billing_1:[0-9]+");
      for (GtidSet position : tagged) {
        assertThat(position.transactionCount()).isEqualTo(1);
        assertThat(executed.contains(position)).isTrue();
        assertThat(executedBefore.contains(position)).as("frozen: %s", position).isFalse();
        assertThat(executedAfter.contains(position)).as("caught up: %s", position).isTrue();
      }
      assertThat(executedBefore.contains(untagged)).isFalse();
      assertThat(executedAfter.contains(untagged)).isTrue();
    } finally {
      replica.execute("START REPLICA SQL_THREAD");
    }
  }

  /** Case D13, steps 1, 2 and 7: what the reply to a statement says about its transactions. */
  @Test
  void aReplyThatEndsTwoTransactionsNamesBoth() throws SQLException {
    try (TestSchema schema = cluster.newSchema();
        TrackedConnection writer = new TrackedConnection(schema.name())) {
      writer.execute("CREATE TABLE t (id INT PRIMARY KEY, v INT)");

      GtidSet one = writer.execute("INSERT INTO t VALUES (1, 1)");
      GtidSet none = writer.execute("UPDATE t SET v = v");
      GtidSet begun = writer.execute("BEGIN");
      GtidSet open = writer.execute("INSERT INTO t VALUES (2, 2)");
      GtidSet two = writer.execute("CREATE TABLE u (id INT PRIMARY KEY)");

      assertThat(one.transactionCount()).isEqualTo(1);
      assertThat(none.union(begun).union(open)).isEqualTo(GtidSet.EMPTY);
      assertThat(two.transactionCount()).isEqualTo(2);
      assertThat(executedOn(primary).contains(one.union(two))).isTrue();
    }
  }

  private static GtidSet executedOn(MySqlServer server) throws SQLException {
    return GtidSet.parse(executedTextOn(server));
  }

  /** With the line feeds that the server puts in. */
  private static String executedTextOn(MySqlServer server) throws SQLException {
    return Objects.requireNonNull(server.queryString("SELECT @@global.gtid_executed"));
  }

  /** Hears what the server says about GTIDs in its replies, in the texts it uses there. */
  private static final class TrackedConnection implements AutoCloseable {
    private final Connection connection;
    private final List<String> heard = new ArrayList<>();
    // The driver holds listeners weakly.
    private final SessionStateChangesListener listener =
        changes -> {
          for (SessionStateChange change : changes.getSessionStateChangesList()) {
            if (change.getType() == ServerSessionStateController.SESSION_TRACK_GTIDS) {
              heard.add(change.getValues().get(0));
            }
          }
        };

    TrackedConnection(String schema) throws SQLException {
      String url = primary.jdbcUrl(schema);
      connection =
          DriverManager.getConnection(
              url
                  + (url.contains("?") ? "&" : "?")
                  + "trackSessionState=true&sessionVariables=session_track_gtids=OWN_GTID",
              primary.adminUser(),
              primary.adminPassword());
      connection
          .unwrap(JdbcConnection.class)
          .getServerSessionStateController()
          .addSessionStateChangesListener(listener);
    }

    /** The GTIDs in the reply to this statement. */
    GtidSet execute(String sql) throws SQLException {
      heard.clear();
      try (Statement statement = connection.createStatement()) {
        statement.execute(sql);
      }
      return GtidSet.parse(String.join(",", heard));
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }
}
