package dev.leeway.testkit;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The statements by which a server is made to follow another, and the questions how it does. */
final class Replication {
  /** A schema of the testkit's own, which tests leave alone. */
  static final String SCHEMA = "leeway_testkit";

  /** A table into which the testkit writes to give replicas something to apply. */
  static final String PROBE = SCHEMA + ".probe";

  private static final int NET_RESERVE_SECONDS = 5;

  private Replication() {}

  /** What a replica says of its replication. */
  record Status(
      String sourceHost,
      int sourcePort,
      String receiver,
      String applier,
      String receiverError,
      String applierError,
      Duration delay) {

    boolean bothRun() {
      return receiver.equals("Yes") && applier.equals("Yes");
    }

    boolean follows(ServerProcess.Address source) {
      return sourceHost.equals(source.host()) && sourcePort == source.port();
    }

    @Override
    public String toString() {
      return "source "
          + sourceHost
          + ":"
          + sourcePort
          + ", receiver "
          + receiver
          + (receiverError.isEmpty() ? "" : " (" + receiverError + ")")
          + ", applier "
          + applier
          + (applierError.isEmpty() ? "" : " (" + applierError + ")");
    }
  }

  /** Makes a server follow a source from wherever it is, and starts both threads. */
  static void attach(MySqlServer replica, MySqlServer source, Duration delay) {
    ServerProcess.Address address = source.process().addressForServers();
    replica.order(
        "STOP REPLICA",
        "CHANGE REPLICATION SOURCE TO SOURCE_HOST='"
            + address.host()
            + "', SOURCE_PORT="
            + address.port()
            + ", SOURCE_USER='"
            + Accounts.REPLICATION.user()
            + "', SOURCE_PASSWORD='"
            + Accounts.REPLICATION.password()
            + "', SOURCE_AUTO_POSITION=1, GET_SOURCE_PUBLIC_KEY=1, SOURCE_CONNECT_RETRY=1,"
            // The default gives up after ten tries; a test may keep a primary away for longer.
            + " SOURCE_RETRY_COUNT=86400, SOURCE_DELAY="
            + delay.toSeconds(),
        "START REPLICA");
  }

  /** Empty if the server follows nobody. */
  static Optional<Status> status(MySqlServer replica) {
    try (Connection connection = replica.shortConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW REPLICA STATUS")) {
      if (!row.next()) {
        return Optional.empty();
      }
      return Optional.of(
          new Status(
              text(row.getString("Source_Host")),
              row.getInt("Source_Port"),
              text(row.getString("Replica_IO_Running")),
              text(row.getString("Replica_SQL_Running")),
              text(row.getString("Last_IO_Error")),
              text(row.getString("Last_SQL_Error")),
              Duration.ofSeconds(row.getLong("SQL_Delay"))));
    } catch (SQLException e) {
      throw new ClusterException(
          replica.name() + " - does not tell its replication status: " + e.getMessage(), e);
    }
  }

  /** Returns when the replica follows the source and both its threads run. */
  static void awaitHealthy(MySqlServer replica, MySqlServer source, Duration bound) {
    Await.until(
        replica.name() + " follows " + source.name() + " with both threads running",
        bound,
        () ->
            status(replica)
                .filter(Status::bothRun)
                .filter(status -> status.follows(source.process().addressForServers()))
                .isPresent(),
        () -> describe(replica));
  }

  /** Returns when the replica has executed a set; waits at the replica, so it returns at once. */
  static void awaitExecuted(MySqlServer replica, String gtids, Duration bound) {
    String wait =
        String.format(
            Locale.ROOT,
            "SELECT WAIT_FOR_EXECUTED_GTID_SET('%s', %.3f)",
            gtids,
            Math.max(0.001, bound.toNanos() / 1e9));
    String answer;
    try (Connection connection =
        Jdbc.connect(
            replica.process().address(),
            "",
            Accounts.ADMIN,
            bound.plusSeconds(NET_RESERVE_SECONDS))) {
      answer = Jdbc.queryString(connection, wait);
    } catch (SQLException e) {
      throw new ClusterException(
          replica.name()
              + " - cannot be asked whether it has executed "
              + gtids
              + ": "
              + e.getMessage(),
          e);
    }
    if (!"0".equals(answer)) {
      throw new ClusterException(
          replica.name()
              + " - did not execute "
              + gtids
              + " within "
              + bound.toMillis()
              + " ms; it has executed "
              + replica.executedGtids()
              + "; "
              + describe(replica));
    }
  }

  /** What the server has executed and the source has not; empty if nothing. */
  static String errant(MySqlServer server, MySqlServer source) {
    // The follower first: what arrives meanwhile must not look errant.
    String executed = server.executedGtids();
    return source
        .ask("SELECT GTID_SUBTRACT('" + executed + "', '" + source.executedGtids() + "')")
        .replace("\n", "");
  }

  /** The replication status in words, whatever state the server is in. */
  static String describe(MySqlServer replica) {
    try {
      return status(replica).map(Status::toString).orElse("follows nobody");
    } catch (ClusterException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** MySQL delays a replica by whole seconds only. */
  static void requireWholeSeconds(Duration delay) {
    if (delay.isNegative() || !delay.truncatedTo(ChronoUnit.SECONDS).equals(delay)) {
      throw new IllegalArgumentException(
          "testkit - delay: " + delay + " (expected: whole seconds, zero or more)");
    }
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }
}
