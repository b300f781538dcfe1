package dev.leeway.benchmarks.stub;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import org.junit.jupiter.api.Test;

class StubDriverTest {
  @Test
  void aQueryGivesOneRowWithTheNumberOne() throws Exception {
    try (Connection connection = new StubDriver().getConnection();
        PreparedStatement statement = connection.prepareStatement("SELECT ?")) {
      statement.setInt(1, 7);
      ResultSet rows = statement.executeQuery();

      assertThat(rows.next()).isTrue();
      assertThat(rows.getInt(1)).isEqualTo(1);
      assertThat(rows.next()).isFalse();
      assertThat(connection.getAutoCommit()).isTrue();
    }
  }
}
