package dev.leeway.routing.connection;

import dev.leeway.gate.ServerEndpoint;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one look at a server shows before anything is started.
 *
 * @param problem what is wrong, as a clause; null if nothing is
 * @param isMistake whether the problem is one of configuration, which waiting will not cure
 * @param uuid the server's; null if it could not be asked
 * @param isolation the isolation its sessions begin with
 */
public record ServerProbe(
    String name,
    int index,
    @Nullable String problem,
    boolean isMistake,
    @Nullable UUID uuid,
    int isolation,
    @Nullable Throwable failure) {

  private static final int ACCESS_DENIED_TO_SCHEMA = 1044;
  private static final int ACCESS_DENIED = 1045;
  private static final int UNKNOWN_SCHEMA = 1049;

  /** Connects, asks and disconnects. */
  public static ServerProbe of(
      ServerEndpoint endpoint, VerifiedConnections source, boolean isPrimary) {
    try (Connection connection = isPrimary ? source.openWriting() : source.openReading();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT @@global.server_uuid, @@global.gtid_mode")) {
      row.next();
      UUID uuid = UUID.fromString(row.getString(1));
      String gtidMode = row.getString(2).toUpperCase(Locale.ROOT);
      String problem =
          gtidMode.startsWith("ON")
              ? null
              : "server "
                  + endpoint.name()
                  + " has gtid_mode="
                  + gtidMode
                  + " (expected: ON). Without GTIDs a write has no position";
      return new ServerProbe(
          endpoint.name(),
          source.index(),
          problem,
          problem != null,
          uuid,
          connection.getTransactionIsolation(),
          null);
    } catch (SQLException e) {
      return new ServerProbe(
          endpoint.name(),
          source.index(),
          describe(endpoint, e),
          isMistake(e),
          null,
          Connection.TRANSACTION_REPEATABLE_READ,
          e);
    }
  }

  private static boolean isMistake(SQLException failure) {
    return switch (failure.getErrorCode()) {
      case ACCESS_DENIED, ACCESS_DENIED_TO_SCHEMA, UNKNOWN_SCHEMA -> true;
      default -> false;
    };
  }

  private static String describe(ServerEndpoint endpoint, SQLException failure) {
    String message = firstLine(failure);
    return switch (failure.getErrorCode()) {
      case ACCESS_DENIED, ACCESS_DENIED_TO_SCHEMA ->
          "server "
              + endpoint
              + " does not let the account in: "
              + message
              + " (expected: the right user, password and grants)";
      case UNKNOWN_SCHEMA ->
          "server " + endpoint + ": " + message + " (expected: an existing schema)";
      default ->
          Failures.isConnectionFailure(failure)
              ? "server " + endpoint + " cannot be reached or used: " + message + cause(failure)
              : "server " + endpoint + ": " + message;
    };
  }

  /** What lies behind it: the driver says "communications link failure" of everything. */
  private static String cause(Throwable failure) {
    Throwable root = failure;
    for (int depth = 0; root.getCause() != null && depth < Failures.MAX_DEPTH; depth++) {
      root = root.getCause();
    }
    return root == failure ? "" : " (" + firstLine(root) + ")";
  }

  private static String firstLine(Throwable failure) {
    return String.valueOf(failure.getMessage()).strip().lines().findFirst().orElse("").strip();
  }
}
