package dev.leeway.cli.drill;

import dev.leeway.testkit.drill.Seen;
import java.sql.SQLException;

/**
 * What is drilled: a way to write an order, and a way to read it in a later request of the same
 * user.
 *
 * @param <T> what the user takes from the one to the other
 */
interface DrillSubject<T> {
  T write(int iteration) throws SQLException;

  Seen read(T written) throws SQLException;

  /** Why the last read went where it went; empty where nobody says. */
  String reason();
}
