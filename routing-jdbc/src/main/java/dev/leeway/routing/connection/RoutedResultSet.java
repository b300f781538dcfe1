package dev.leeway.routing.connection;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Rows that know the routed statement they came from, not the physical one. */
final class RoutedResultSet extends DelegatingResultSet {
  private final RoutedStatement statement;

  RoutedResultSet(ResultSet rows, RoutedStatement statement) {
    super(rows);
    this.statement = statement;
  }

  /*
   * Rows that are fetched piece by piece come from the server while they are read. If that fails, the
   * connection is of no use any more, though no statement has failed on it.
   */

  @Override
  public boolean next() throws SQLException {
    try {
      return rows.next();
    } catch (SQLException | RuntimeException | Error e) {
      if (!isKnownToBeClosed()) {
        statement.readingFailed(e);
      }
      throw e;
    }
  }

  private boolean isKnownToBeClosed() {
    try {
      return rows.isClosed();
    } catch (SQLException e) {
      return false;
    }
  }

  @Override
  public void close() throws SQLException {
    try {
      rows.close();
    } catch (SQLException | RuntimeException | Error e) {
      statement.readingFailed(e);
      throw e;
    }
  }

  // Changing rows writes without the text of a statement.

  @Override
  public void updateRow() throws SQLException {
    statement.changesRow(rows::updateRow);
  }

  @Override
  public void insertRow() throws SQLException {
    statement.changesRow(rows::insertRow);
  }

  @Override
  public void deleteRow() throws SQLException {
    statement.changesRow(rows::deleteRow);
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
