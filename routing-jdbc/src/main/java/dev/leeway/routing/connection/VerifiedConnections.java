package dev.leeway.routing.connection;

import com.mysql.cj.MysqlConnection;
import com.mysql.cj.jdbc.Driver;
import dev.leeway.gate.ServerEndpoint;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.Properties;
import java.util.UUID;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens connections with Connector/J and asks each new one who it is.
 *
 * <p>A name can lead to another machine than it did a minute ago, and a server that answers pings
 * can have been demoted. So a connection enters a pool only if it reached the server that the
 * monitor measures, and enters the writing pool only if that server takes writes.
 */
public final class VerifiedConnections implements ConnectionSource {
  private static final Logger log = LoggerFactory.getLogger(VerifiedConnections.class);

  /** To connect and to be known. Afterwards the URL's own socketTimeout is in force, if any. */
  private static final int OPENING_TIMEOUT_MILLIS = 5_000;

  private static final String WHO_ARE_YOU =
      "SELECT @@global.server_uuid, @@global.read_only, @@global.super_read_only";

  private final String leeway;
  private final int index;
  private final ServerEndpoint endpoint;
  private final MySqlUrl url;
  private final IntFunction<@Nullable UUID> measuredUuid;
  private final IntConsumer pollNow;
  private final Driver driver;
  private volatile boolean trackingWarned;

  /**
   * Opens nothing yet.
   *
   * @param measuredUuid the uuid of the server that the monitor measures at an index; null if it
   *     has not answered yet
   * @param pollNow asks the monitor to look again
   */
  public VerifiedConnections(
      String leeway,
      int index,
      ServerEndpoint endpoint,
      IntFunction<@Nullable UUID> measuredUuid,
      IntConsumer pollNow)
      throws SQLException {
    this.leeway = leeway;
    this.index = index;
    this.endpoint = endpoint;
    this.url = MySqlUrl.parse(endpoint.jdbcUrl());
    this.measuredUuid = measuredUuid;
    this.pollNow = pollNow;
    this.driver = new Driver();
  }

  int index() {
    return index;
  }

  @Override
  public Connection openReading() throws SQLException {
    return checked(connect(url.forReading(OPENING_TIMEOUT_MILLIS)), false);
  }

  @Override
  public Connection openWriting() throws SQLException {
    Connection connection = checked(connect(url.forWriting(OPENING_TIMEOUT_MILLIS)), true);
    try {
      track(connection);
      return new PhysicalConnection(connection);
    } catch (SQLException | RuntimeException e) {
      close(connection, e);
      throw e;
    }
  }

  private Connection connect(String with) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", endpoint.user());
    properties.setProperty("password", endpoint.password());
    // What the URL says wins over these.
    properties.setProperty("connectTimeout", Integer.toString(OPENING_TIMEOUT_MILLIS));
    Connection connection = driver.connect(with, properties);
    if (connection == null) {
      throw new SQLException(
          leeway
              + " - server "
              + endpoint
              + ": the driver does not know its URL (expected: jdbc:mysql://host:port/schema)",
          "08001");
    }
    return connection;
  }

  private Connection checked(Connection connection, boolean forWriting) throws SQLException {
    try {
      check(connection, forWriting);
      connection.setNetworkTimeout(Runnable::run, url.socketTimeoutMillis());
      return connection;
    } catch (SQLException | RuntimeException e) {
      close(connection, e);
      throw e;
    }
  }

  private void check(Connection connection, boolean forWriting) throws SQLException {
    UUID found;
    boolean readOnly;
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(WHO_ARE_YOU)) {
      row.next();
      found = UUID.fromString(row.getString(1));
      readOnly = row.getBoolean(2) || row.getBoolean(3);
    }
    UUID expected = measuredUuid.apply(index);
    if (expected != null && !expected.equals(found)) {
      pollNow.accept(index);
      throw refused(
          connection,
          "has server_uuid " + found + " (expected: " + expected + ", which is monitored)");
    }
    if (forWriting && readOnly) {
      pollNow.accept(index);
      throw refused(connection, "is read-only (expected: the server that takes writes)");
    }
  }

  private SQLException refused(Connection connection, String what) throws SQLException {
    return new SQLTransientConnectionException(
        leeway
            + " - server "
            + endpoint.name()
            + ": a new connection to host "
            + url.host()
            + " reached "
            + connection.unwrap(MysqlConnection.class).getSession().getRemoteSocketAddress()
            + ", which "
            + what
            + ", and was not used. If the name was moved to another server, see how long this JVM"
            + " caches addresses (networkaddress.cache.ttl).",
        "08004");
  }

  /**
   * Where tracking cannot be switched on, no write has a position, and the scope falls back to
   * time: slower, and still right.
   */
  private void track(Connection connection) {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET SESSION session_track_gtids = OWN_GTID");
    } catch (SQLException e) {
      if (!trackingWarned) {
        trackingWarned = true;
        log.warn(
            "{} - server {} does not let a session track its GTIDs, so writes have no position and the"
                + " reads after them stay on the primary for longer: {}",
            leeway,
            endpoint.name(),
            e.toString());
      }
    }
  }

  private static void close(Connection connection, Exception because) {
    try {
      connection.close();
    } catch (SQLException e) {
      because.addSuppressed(e);
    }
  }
}
