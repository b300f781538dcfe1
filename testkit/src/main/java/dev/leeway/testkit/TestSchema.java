package dev.leeway.testkit;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** A schema of one test's own, on all servers of a cluster. Closing it drops it. */
public final class TestSchema implements AutoCloseable {
  private static final Duration REPLICATION_BOUND = Duration.ofSeconds(20);

  private final MySqlCluster cluster;
  private final String name;
  private boolean dropped;

  TestSchema(MySqlCluster cluster, String name) {
    this.cluster = cluster;
    this.name = name;
  }

  void create() {
    cluster.primary().order("CREATE SCHEMA " + name);
  }

  /** The schema's name; needs no quoting. */
  public String name() {
    return name;
  }

  public MySqlCluster cluster() {
    return cluster;
  }

  /**
   * Runs statements in this schema on the primary, as administrator.
   *
   * @return this schema
   */
  public TestSchema execute(String... sql) throws SQLException {
    try (Connection connection = cluster.primary().connect(name)) {
      Jdbc.execute(connection, sql);
    }
    return this;
  }

  /**
   * Returns when all replicas have what the primary has now.
   *
   * @throws ClusterException if that takes longer than 20 seconds
   */
  public TestSchema awaitReplicated() {
    cluster.awaitCaughtUp(REPLICATION_BOUND);
    return this;
  }

  /** Drops the schema on the primary; replicas follow. Harmless a second time. */
  @Override
  public synchronized void close() {
    if (!dropped) {
      dropped = true;
      cluster.primary().order("DROP SCHEMA IF EXISTS " + name);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
