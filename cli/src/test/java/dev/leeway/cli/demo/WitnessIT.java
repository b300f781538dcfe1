package dev.leeway.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.samples.shop.naive.NaiveSplitter;
import dev.leeway.testkit.MySqlCluster;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.MySqlTopology;
import dev.leeway.testkit.TestSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@MySqlTopology(replicas = 1)
class WitnessIT {
  private final List<String> heard = new ArrayList<>();
  private NaiveSplitter splitter;
  private Connection connection;
  private String primaryUuid;
  private String replicaUuid;

  @BeforeEach
  void openAWitnessedConnection(TestSchema schema) throws SQLException {
    MySqlCluster cluster = schema.cluster();
    schema.execute(
        "CREATE TABLE item (id INT PRIMARY KEY, name VARCHAR(20))",
        "INSERT INTO item VALUES (1, 'one'), (2, NULL)");
    schema.awaitReplicated();
    primaryUuid = cluster.primary().serverUuid();
    replicaUuid = cluster.replica("replica-1").serverUuid();
    splitter =
        NaiveSplitter.over(
            server(cluster.primary(), schema),
            List.of(server(cluster.replica("replica-1"), schema)));
    connection = Witness.of(splitter, (uuid, nanos) -> heard.add(uuid)).getConnection();
  }

  @AfterEach
  void closeIt() throws SQLException {
    connection.close();
    splitter.close();
  }

  @Test
  void theServerThatAnswersIsNamedAndTheAnswerIsTheSame() throws SQLException {
    try (PreparedStatement statement =
            connection.prepareStatement("SELECT name, id FROM item WHERE id <= ? ORDER BY id");
        ResultSet rows = query(statement, 2)) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getString(1)).isEqualTo("one");
      assertThat(rows.getInt("id")).isEqualTo(1);
      assertThat(rows.next()).isTrue();
      assertThat(rows.getString("name")).isNull();
      assertThat(rows.next()).isFalse();
    }
    assertThat(heard).containsExactly(replicaUuid);
  }

  @Test
  void anEmptyAnswerNamesItsServerToo() throws SQLException {
    try (PreparedStatement statement =
            connection.prepareStatement("SELECT id FROM item WHERE id = ?");
        ResultSet rows = query(statement, 3)) {
      assertThat(rows.next()).isFalse();
    }
    assertThat(heard).containsExactly(replicaUuid);
  }

  @Test
  void whatGoesToThePrimaryIsSeenThere() throws SQLException {
    connection.setAutoCommit(false);
    try (PreparedStatement statement =
            connection.prepareStatement("SELECT id FROM item WHERE id = ?");
        ResultSet rows = query(statement, 1)) {
      assertThat(rows.next()).isTrue();
    }
    connection.commit();
    assertThat(heard).containsExactly(primaryUuid);
  }

  private static ResultSet query(PreparedStatement statement, int id) throws SQLException {
    statement.setInt(1, id);
    return statement.executeQuery();
  }

  private static NaiveSplitter.Server server(MySqlServer server, TestSchema schema) {
    return new NaiveSplitter.Server(
        server.jdbcUrl(schema.name()), server.user(), server.password());
  }
}
