package dev.leeway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.MySqlTopology;
import dev.leeway.testkit.Server;
import dev.leeway.testkit.TestSchema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@MySqlTopology(replicas = 0, options = "--local-infile=ON")
class EmbeddedProxyIT {
  private final MySqlServer primary;
  private final TestSchema schema;
  private EmbeddedProxy proxy;

  EmbeddedProxyIT(@Server("primary") MySqlServer primary, TestSchema schema) {
    this.primary = primary;
    this.schema = schema;
  }

  @BeforeEach
  void start() {
    proxy =
        EmbeddedProxy.builder()
            .primary("db-1", primary.host(), primary.port())
            .user(primary.user(), primary.password())
            .start();
  }

  @AfterEach
  void stop() {
    proxy.close();
  }

  private Connection connect(String options) throws SQLException {
    return DriverManager.getConnection(
        proxy.jdbcUrl(schema.name()) + options, primary.user(), primary.password());
  }

  @Test
  void aClientReadsAndWritesThroughTheProxy() throws SQLException {
    try (Connection connection = connect("");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(20))");
      statement.executeUpdate("INSERT INTO t (name) VALUES ('a'), ('b')");
      try (ResultSet rows = statement.executeQuery("SELECT COUNT(*), MAX(name) FROM t")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getInt(1)).isEqualTo(2);
        assertThat(rows.getString(2)).isEqualTo("b");
      }
    }
  }

  @Test
  void aPreparedStatementOfTheServerIsRelayed() throws SQLException {
    try (Connection connection = connect("&useServerPrepStmts=true");
        PreparedStatement sum = connection.prepareStatement("SELECT ? + ?")) {
      for (int i = 0; i < 100; i++) {
        sum.setInt(1, i);
        sum.setInt(2, 1);
        try (ResultSet rows = sum.executeQuery()) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getInt(1)).isEqualTo(i + 1);
        }
      }
    }
  }

  @Test
  void aClientThatWantsTlsGetsIt() throws SQLException {
    try (Connection connection = connect("&sslMode=REQUIRED".replaceFirst("&", "&x=1&"));
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT 1")) {
      assertThat(rows.next()).isTrue();
    }
  }

  @Test
  void aWrongPasswordIsRefusedInTheServersWords() {
    assertThatThrownBy(
            () ->
                DriverManager.getConnection(proxy.jdbcUrl(schema.name()), primary.user(), "not-it")
                    .close())
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> {
              assertThat(e.getErrorCode()).isEqualTo(1045);
              assertThat(e.getSQLState()).isEqualTo("28000");
            });
  }
}
