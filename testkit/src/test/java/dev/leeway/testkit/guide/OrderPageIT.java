package dev.leeway.testkit.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.MySqlTopology;
import dev.leeway.testkit.Server;
import dev.leeway.testkit.TestSchema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

// tag::extension[]
@MySqlTopology(replicas = 2, delay = "10s")
class OrderPageIT {
  private TestSchema schema;

  @BeforeEach
  void createTables(TestSchema schema) throws SQLException {
    this.schema = schema.execute("CREATE TABLE orders (id INT PRIMARY KEY)");
  }

  @Test
  void aCustomerSeesTheOrderThatWasJustPlaced(
      @Server("primary") MySqlServer primary, @Server("replica-1") MySqlServer replica)
      throws SQLException {
    try (Connection write = open(primary);
        Connection read = open(replica)) {
      write.createStatement().executeUpdate("INSERT INTO orders VALUES (1)");

      // This is what a page would show that reads from the replica. The replica is ten seconds
      // behind, so this is the bug, on every run and on every machine.
      assertThat(count(read)).isZero();
    }
  }

  private Connection open(MySqlServer server) throws SQLException {
    return DriverManager.getConnection(
        server.jdbcUrl(schema.name()), server.user(), server.password());
  }

  private static int count(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM orders")) {
      row.next();
      return row.getInt(1);
    }
  }
}
// end::extension[]
