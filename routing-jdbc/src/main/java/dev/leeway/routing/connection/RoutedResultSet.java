package dev.leeway.routing.connection;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Rows that know the routed statement they came from, not the physical one. */
final class RoutedResultSet extends DelegatingResultSet {
  private final Statement statement;

  RoutedResultSet(ResultSet rows, Statement statement) {
    super(rows);
    this.statement = statement;
  }

  @Override
  public Statement getStatement() throws SQLException {
    if (rows.isClosed()) {
      throw new SQLException("result set - it is closed (expected: an open one)", "HY010");
    }
    return statement;
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return type.isInstance(this) ? type.cast(this) : rows.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return type.isInstance(this) || rows.isWrapperFor(type);
  }
}
