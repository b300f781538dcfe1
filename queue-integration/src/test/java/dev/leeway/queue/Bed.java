package dev.leeway.queue;

import dev.leeway.gate.MonitorSettings;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.LeewayBuilder;
import dev.leeway.routing.ReadIntent;
import dev.leeway.testkit.MySqlCluster;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.TestSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A primary with two replicas, a Leeway over them, and a table: {@code orders(id, status)}. The
 * servers are shared by all tests of this JVM.
 */
public final class Bed implements AutoCloseable {
  /** The servers. */
  public static final MySqlCluster CLUSTER = MySqlCluster.shared(2);

  /** A read that any replica may answer. */
  public static final ReadIntent REPLICA = ReadIntent.replica();

  /** How long anything may take before it counts as not happening. */
  public static final Duration BOUND = Duration.ofSeconds(60);

  private final TestSchema schema;
  private final Leeway leeway;

  /** A Leeway of this name over a schema of its own. */
  public Bed(String name) throws SQLException {
    schema = CLUSTER.newSchema();
    schema.execute(
        "CREATE TABLE orders (id BIGINT PRIMARY KEY AUTO_INCREMENT, status VARCHAR(40) NOT NULL)");
    schema.awaitReplicated();
    leeway = ready(builder(name).start());
  }

  /** A builder of a Leeway over the same servers and schema. */
  public LeewayBuilder builder(String name) {
    LeewayBuilder builder =
        Leeway.builder(name)
            .monitoring(
                MonitorSettings.builder()
                    .createHeartbeatTable(true)
                    .ejectAbove(Duration.ofHours(1))
                    .build());
    MySqlServer primary = CLUSTER.server("primary");
    builder.primary(
        primary.name(), primary.jdbcUrl(schema.name()), primary.user(), primary.password());
    for (MySqlServer server : CLUSTER.servers()) {
      if (server != primary) {
        builder.replica(
            server.name(), server.jdbcUrl(schema.name()), server.user(), server.password());
      }
    }
    return builder;
  }

  /** Waits until every replica serves. */
  public static Leeway ready(Leeway leeway) {
    await(
        () -> "all replicas serve: " + leeway.clusterState(),
        () ->
            leeway.clusterState().primaryIndex() >= 0
                && leeway.clusterState().servers().stream()
                    .filter(server -> server.index() != leeway.clusterState().primaryIndex())
                    .allMatch(server -> server.mayServe()));
    return leeway;
  }

  /** The Leeway. */
  public Leeway leeway() {
    return leeway;
  }

  /** The schema. */
  public TestSchema schema() {
    return schema;
  }

  /** Writes a row on a connection of its own, and gives its id. */
  public long insert(String status) throws SQLException {
    try (Connection connection = leeway.dataSource().getConnection()) {
      return insert(connection, status);
    }
  }

  /** Writes a row and gives its id. */
  public static long insert(Connection connection, String status) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO orders(status) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
      statement.setString(1, status);
      statement.executeUpdate();
      try (ResultSet keys = statement.getGeneratedKeys()) {
        keys.next();
        return keys.getLong(1);
      }
    }
  }

  /** Sets the status of a row. */
  public void update(long id, String status) throws SQLException {
    try (Connection connection = leeway.dataSource().getConnection();
        PreparedStatement statement =
            connection.prepareStatement("UPDATE orders SET status = ? WHERE id = ?")) {
      statement.setString(1, status);
      statement.setLong(2, id);
      statement.executeUpdate();
    }
  }

  /** What a job sees of a row: its status, and the server that answered. */
  public record Seen(@Nullable String status, String server) {
    /** Whether the primary answered. */
    public boolean byPrimary() {
      return server.equals(CLUSTER.primary().name());
    }
  }

  /** Reads a row as a replica method does. */
  public Seen read(long id) throws SQLException {
    return leeway.read(
        REPLICA,
        () -> {
          try (Connection connection = leeway.dataSource().getConnection();
              PreparedStatement statement =
                  connection.prepareStatement("SELECT status FROM orders WHERE id = ?")) {
            statement.setLong(1, id);
            try (ResultSet rows = statement.executeQuery()) {
              String status = rows.next() ? rows.getString(1) : null;
              return new Seen(status, leeway.lastDecision().orElseThrow().server());
            }
          }
        });
  }

  /** Waits for a condition, looking every few milliseconds. */
  public static void await(Supplier<String> what, BooleanSupplier condition) {
    await(BOUND, what, condition);
  }

  /** Waits for a condition, looking every few milliseconds. */
  public static void await(Duration bound, Supplier<String> what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + bound.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not within " + bound + ": " + what.get());
      }
      LockSupport.parkNanos(2_000_000);
    }
  }

  @Override
  public void close() {
    leeway.close();
    schema.close();
  }
}
