package dev.leeway.routing.connection;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens new physical connections to one server, and lets only the right ones through. */
public interface ConnectionSource {
  /** Opens a session in which the server refuses to write. */
  Connection openReading() throws SQLException;

  /** Opens a session that can write; it unwraps to a {@link WriteSession}. */
  Connection openWriting() throws SQLException;
}
