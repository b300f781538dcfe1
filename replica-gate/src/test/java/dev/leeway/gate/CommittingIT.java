package dev.leeway.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.testkit.MySqlCluster;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.MySqlTopology;
import dev.leeway.testkit.Server;
import dev.leeway.testkit.TestSchema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What a poll of a real primary says of commits that can be seen. */
@MySqlTopology(replicas = 2)
class CommittingIT {
  private static final int WRITERS = 8;
  private static final int LOOKS = 1_000;

  /**
   * Each writer commits under a tag of its own, so that the value of its row is the number of its
   * newest commit.
   */
  @Test
  void everythingThatCanBeSeenIsExecutedOrOwnedAtTheNextPoll(
      MySqlCluster cluster, @Server("primary") MySqlServer primary, TestSchema schema)
      throws Exception {
    schema.execute("CREATE TABLE t (w INT PRIMARY KEY, n BIGINT NOT NULL)");
    for (int writer = 0; writer < WRITERS; writer++) {
      schema.execute("INSERT INTO t VALUES (" + writer + ", 0)");
    }
    UUID source = UUID.fromString(primary.serverUuid());
    String poll = PollStatement.text(null, HeartbeatTable.none(), Set.of(), false);
    AtomicBoolean stopped = new AtomicBoolean();
    ExecutorService others = Executors.newFixedThreadPool(WRITERS);
    List<Future<?>> writers = new ArrayList<>();
    int seen = 0;
    try (Connection connection = primary.connect(schema.name());
        Statement statement = connection.createStatement()) {
      for (int writer = 0; writer < WRITERS; writer++) {
        int number = writer;
        writers.add(others.submit(() -> commit(primary, schema, number, stopped)));
      }
      for (int i = 0; i < LOOKS; i++) {
        long[] visible = visible(statement);
        Sample sample = poll(statement, poll);
        GtidSet mayHave = sample.executed().union(Objects.requireNonNull(sample.owned()));
        for (int writer = 0; writer < WRITERS; writer++) {
          if (visible[writer] > 0) {
            seen++;
            Gtid newest = new Gtid(source, tag(schema, writer), visible[writer]);
            assertThat(mayHave.contains(newest))
                .as("%s, executed %s, owned %s", newest, sample.executed(), sample.owned())
                .isTrue();
          }
        }
      }
    } finally {
      stopped.set(true);
      others.shutdown();
      assertThat(others.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }
    for (Future<?> writer : writers) {
      writer.get(10, TimeUnit.SECONDS);
    }
    assertThat(seen).isGreaterThan(LOOKS);
    assertThat(cluster.replicas()).hasSize(2);
  }

  private static Void commit(
      MySqlServer primary, TestSchema schema, int writer, AtomicBoolean stopped)
      throws SQLException {
    try (Connection connection = primary.connect(schema.name());
        Statement statement = connection.createStatement()) {
      statement.execute("SET gtid_next='AUTOMATIC:" + tag(schema, writer) + "'");
      while (!stopped.get()) {
        statement.execute("UPDATE t SET n = n + 1 WHERE w = " + writer);
      }
    }
    return null;
  }

  private static String tag(TestSchema schema, int writer) {
    return schema.name() + "_" + writer;
  }

  private static long[] visible(Statement statement) throws SQLException {
    long[] visible = new long[WRITERS];
    try (ResultSet rows = statement.executeQuery("SELECT w, n FROM t")) {
      while (rows.next()) {
        visible[rows.getInt(1)] = rows.getLong(2);
      }
    }
    return visible;
  }

  private static Sample poll(Statement statement, String text) throws SQLException {
    try (ResultSet row = statement.executeQuery(text)) {
      assertThat(row.next()).isTrue();
      return Samples.primary(
              0, GtidSet.parse(Objects.requireNonNull(row.getString(PollStatement.EXECUTED))))
          .owned(PollSession.owned(Objects.requireNonNull(row.getString(PollStatement.OWNED))))
          .make();
    }
  }
}
