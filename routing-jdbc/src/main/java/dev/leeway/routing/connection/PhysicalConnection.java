package dev.leeway.routing.connection;

import com.mysql.cj.MysqlConnection;
import com.mysql.cj.protocol.ServerSession;
import dev.leeway.gate.GtidSet;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A connection of the writing pool, together with what its server says beside the rows.
 *
 * <p>Sits between the pool and the driver, because it must live exactly as long as the driver's
 * connection.
 */
final class PhysicalConnection extends DelegatingConnection implements WriteSession {
  private static final int STATUS_IN_TRANSACTION = 1;
  private static final int STATUS_AUTOCOMMIT = 2;

  private final ServerSession session;
  private final SessionTrail trail = new SessionTrail();

  /** Begins to listen. */
  PhysicalConnection(Connection connection) throws SQLException {
    super(connection);
    MysqlConnection driver = connection.unwrap(MysqlConnection.class);
    session = driver.getSession().getServerSession();
    driver.getServerSessionStateController().addSessionStateChangesListener(trail);
  }

  @Override
  public @Nullable GtidSet takeGtids() {
    return trail.take();
  }

  @Override
  public @Nullable String changedSchema() {
    return trail.schema();
  }

  @Override
  public boolean inTransaction() {
    return (session.getStatusFlags() & STATUS_IN_TRANSACTION) != 0;
  }

  @Override
  public boolean autocommitOff() {
    return (session.getStatusFlags() & STATUS_AUTOCOMMIT) == 0;
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return type.isInstance(this) ? type.cast(this) : connection.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return type.isInstance(this) || connection.isWrapperFor(type);
  }
}
