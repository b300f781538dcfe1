package dev.leeway.benchmarks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Borrow, prepare, set, execute, read one int, close: what a repository method does. */
final class PointRead {
  static final String SQL = "SELECT quantity FROM stock WHERE id = ?";

  private PointRead() {}

  static long repeat(DataSource source, int operations) throws SQLException {
    long sum = 0;
    for (int i = 0; i < operations; i++) {
      sum += once(source, i);
    }
    return sum;
  }

  static int once(DataSource source, int id) throws SQLException {
    try (Connection connection = source.getConnection();
        PreparedStatement statement = connection.prepareStatement(SQL)) {
      statement.setInt(1, id);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? rows.getInt(1) : 0;
      }
    }
  }
}
