package dev.leeway.cli.drill;

import dev.leeway.routing.Leeway;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.Reason;
import dev.leeway.routing.RequestScope;
import dev.leeway.routing.RouteDecision;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** How requests reach the servers. */
interface Reading {
  /** Work with a connection. */
  @FunctionalInterface
  interface Work<T> {
    T with(Connection connection) throws SQLException;
  }

  /** What a request gave, and what the next one of the same user must know. */
  record Answer<T>(T value, @Nullable String token) {}

  <T> Answer<T> write(Work<T> work) throws SQLException;

  <T> T read(@Nullable String token, Work<T> work) throws SQLException;

  /** Why the last read went where it went; empty where nobody says. */
  String reason();

  /** By position: what a user has written is read from where it is. */
  static Reading with(Leeway leeway) {
    return new Reading() {
      @Override
      public <T> Answer<T> write(Work<T> work) throws SQLException {
        try (RequestScope scope = leeway.openScope()) {
          T value = leeway.write(() -> run(leeway.dataSource(), work));
          return new Answer<>(value, scope.toToken());
        }
      }

      @Override
      public <T> T read(@Nullable String token, Work<T> work) throws SQLException {
        try (RequestScope scope = leeway.openScope(token)) {
          Objects.requireNonNull(scope);
          return leeway.read(ReadIntent.replica(), () -> run(leeway.dataSource(), work));
        }
      }

      @Override
      public String reason() {
        return reasonOf(leeway);
      }
    };
  }

  /** By whatever the data source does with the text. */
  static Reading with(DataSource splitter) {
    return new Reading() {
      @Override
      public <T> Answer<T> write(Work<T> work) throws SQLException {
        return new Answer<>(run(splitter, work), null);
      }

      @Override
      public <T> T read(@Nullable String token, Work<T> work) throws SQLException {
        return run(splitter, work);
      }

      @Override
      public String reason() {
        return "";
      }
    };
  }

  /** The reason of this thread's last decision, by name. */
  static String reasonOf(Leeway leeway) {
    return leeway.lastDecision().map(RouteDecision::reason).map(Reason::name).orElse("");
  }

  private static <T> T run(DataSource dataSource, Work<T> work) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      return work.with(connection);
    }
  }
}
