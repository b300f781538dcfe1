package dev.leeway.cli.drill;

import dev.leeway.testkit.drill.Seen;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** An order in a table that was made for the drill. */
final class TableSubject implements DrillSubject<TableSubject.Placed> {
  private final Reading reading;
  private final String table;

  /** An order, and the token of the request that placed it. */
  record Placed(long order, @Nullable String token) {}

  TableSubject(Reading reading, String table) {
    this.reading = reading;
    this.table = table;
  }

  @Override
  public Placed write(int iteration) throws SQLException {
    Reading.Answer<Long> placed =
        reading.write(
            connection -> {
              try (PreparedStatement insert =
                  connection.prepareStatement(
                      "INSERT INTO " + table + " (iteration) VALUES (?)",
                      Statement.RETURN_GENERATED_KEYS)) {
                insert.setInt(1, iteration);
                insert.executeUpdate();
                try (ResultSet keys = insert.getGeneratedKeys()) {
                  keys.next();
                  return keys.getLong(1);
                }
              }
            });
    return new Placed(placed.value(), placed.token());
  }

  @Override
  public Seen read(Placed written) throws SQLException {
    return reading.read(
        written.token(),
        connection ->
            Seen.ifExists(connection, "SELECT 1 FROM " + table + " WHERE id = ?", written.order()));
  }

  @Override
  public String reason() {
    return reading.reason();
  }
}
