package dev.leeway.testkit.drill;

import dev.leeway.testkit.MySqlCluster;
import dev.leeway.testkit.MySqlServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which servers a drill is about, by what each says of itself, and a way to look at the primary.
 *
 * <p>Immutable; the connections it opens are closed at once.
 */
public final class DrillTopology {
  private final String primaryUuid;
  private final Map<String, String> namesOfReplicas;
  private final ConnectionSource primary;

  /** Opens a connection to one certain server, past every router. */
  @FunctionalInterface
  public interface ConnectionSource {
    Connection open() throws SQLException;
  }

  private DrillTopology(
      String primaryUuid, Map<String, String> namesOfReplicas, ConnectionSource primary) {
    this.primaryUuid = primaryUuid;
    this.namesOfReplicas = Map.copyOf(namesOfReplicas);
    this.primary = primary;
  }

  /**
   * Asks each server who it is.
   *
   * @param replicas ways to the replicas by their names
   * @throws DrillRefusedException if there is no replica, or two ways lead to the same server
   * @throws SQLException if a server cannot be asked
   */
  public static DrillTopology of(ConnectionSource primary, Map<String, ConnectionSource> replicas)
      throws SQLException {
    if (replicas.isEmpty()) {
      throw new DrillRefusedException(
          "drill - no replica is configured, so no read could be stale (expected: at least one)");
    }
    String primaryUuid = uuid(primary);
    Map<String, String> names = new LinkedHashMap<>();
    for (Map.Entry<String, ConnectionSource> replica : replicas.entrySet()) {
      String uuid = uuid(replica.getValue());
      if (uuid.equals(primaryUuid)) {
        throw new DrillRefusedException(
            "drill - "
                + replica.getKey()
                + " and the primary are the same server ("
                + uuid
                + "), so no read could be stale (expected: a connection for each role)");
      }
      String other = names.put(uuid, replica.getKey());
      if (other != null) {
        throw new DrillRefusedException(
            "drill - "
                + other
                + " and "
                + replica.getKey()
                + " are the same server ("
                + uuid
                + ")");
      }
    }
    return new DrillTopology(primaryUuid, names, primary);
  }

  /** As {@link #of(ConnectionSource, Map)} for the servers of a cluster. */
  public static DrillTopology of(MySqlCluster cluster) throws SQLException {
    Map<String, ConnectionSource> replicas = new LinkedHashMap<>();
    for (MySqlServer replica : cluster.replicas()) {
      replicas.put(replica.name(), () -> replica.connect(""));
    }
    MySqlServer primary = cluster.primary();
    return of(() -> primary.connect(""), replicas);
  }

  private static String uuid(ConnectionSource source) throws SQLException {
    try (Connection connection = source.open();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT @@server_uuid")) {
      row.next();
      return row.getString(1);
    }
  }

  boolean isPrimary(String uuid) {
    return uuid.equals(primaryUuid);
  }

  boolean isReplica(String uuid) {
    return namesOfReplicas.containsKey(uuid);
  }

  /** The name of the server with this uuid, or the uuid if it is none of these. */
  String nameOf(String uuid) {
    return isPrimary(uuid) ? "primary" : namesOfReplicas.getOrDefault(uuid, uuid);
  }

  List<String> names() {
    return namesOfReplicas.values().stream().sorted().toList();
  }

  Connection lookAtPrimary() throws SQLException {
    return primary.open();
  }
}
