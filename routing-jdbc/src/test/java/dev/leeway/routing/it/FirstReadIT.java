package dev.leeway.routing.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.routing.Leeway;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.Reason;
import dev.leeway.routing.RequestScope;
import dev.leeway.testkit.TestSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FirstReadIT {
  @Test
  void aReplicaMethodReadsAReplicaAndEverythingElseThePrimary() throws Exception {
    try (TestSchema schema = Servers.newSchema();
        Leeway leeway = Servers.ready(Servers.builder("first", schema).start())) {
      assertThat(leeway.read(ReadIntent.replica(), () -> whoami(leeway))).startsWith("replica-");
      assertThat(leeway.lastDecision().orElseThrow().reason()).isEqualTo(Reason.STALENESS_ACCEPTED);

      assertThat(whoami(leeway)).isEqualTo("primary");
      assertThat(leeway.lastDecision().orElseThrow().reason()).isEqualTo(Reason.UNDECLARED);
    }
  }

  @Test
  void aScopeReadsItsOwnWriteFromAReplicaThatHasIt() throws Exception {
    // A machine that is busy with other tests may need more than the default to apply a row.
    try (TestSchema schema = Servers.newSchema();
        Leeway leeway =
            Servers.ready(
                Servers.builder("first", schema).catchUp(Duration.ofSeconds(10)).start());
        RequestScope scope = leeway.openScope()) {
      for (int i = 0; i < 50; i++) {
        int n = i;
        leeway.run(
            ReadIntent.write(),
            () -> {
              try (Connection connection = leeway.dataSource().getConnection();
                  PreparedStatement update =
                      connection.prepareStatement("UPDATE orders SET note = ? WHERE id = 1")) {
                update.setInt(1, n);
                update.executeUpdate();
              }
            });
        String note =
            leeway.read(
                ReadIntent.replica(),
                () -> {
                  try (Connection connection = leeway.dataSource().getConnection();
                      PreparedStatement select =
                          connection.prepareStatement("SELECT note FROM orders WHERE id = ?")) {
                    select.setInt(1, 1);
                    try (ResultSet row = select.executeQuery()) {
                      row.next();
                      return row.getString(1);
                    }
                  }
                });
        assertThat(note).isEqualTo(Integer.toString(i));
        assertThat(leeway.lastDecision().orElseThrow().role()).isEqualTo(Reason.Role.REPLICA);
      }
      assertThat(scope.position().isComplete()).isTrue();
    }
  }

  private static String whoami(Leeway leeway) throws SQLException {
    try (Connection connection = leeway.dataSource().getConnection();
        PreparedStatement select = connection.prepareStatement("SELECT name FROM whoami");
        ResultSet row = select.executeQuery()) {
      row.next();
      return row.getString(1);
    }
  }
}
