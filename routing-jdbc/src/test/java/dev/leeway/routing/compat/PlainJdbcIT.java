package dev.leeway.routing.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.routing.Leeway;
import dev.leeway.routing.ReadIntent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Nothing but {@code java.sql}. */
class PlainJdbcIT extends FrameworkContract {
  @Override
  Store store(DataSource dataSource) {
    return new JdbcStore(dataSource);
  }

  /** One connection per call, or the transaction's. */
  static final class JdbcStore implements Store {
    private final DataSource dataSource;
    private @Nullable Connection open;

    JdbcStore(DataSource dataSource) {
      this.dataSource = dataSource;
    }

    private interface Use<T> {
      T with(Connection connection) throws SQLException;
    }

    private <T> T use(Use<T> use) throws SQLException {
      Connection transaction = open;
      if (transaction != null) {
        return use.with(transaction);
      }
      try (Connection connection = dataSource.getConnection()) {
        return use.with(connection);
      }
    }

    @Override
    public String server() throws SQLException {
      return use(connection -> one(connection, "SELECT name FROM whoami"));
    }

    @Override
    public String status(long id) throws SQLException {
      return use(connection -> one(connection, "SELECT status FROM orders WHERE id = " + id));
    }

    private static String one(Connection connection, String sql) throws SQLException {
      try (PreparedStatement select = connection.prepareStatement(sql);
          ResultSet row = select.executeQuery()) {
        assertThat(row.next()).isTrue();
        return row.getString(1);
      }
    }

    @Override
    public void setStatus(long id, String status) throws SQLException {
      use(
          connection -> {
            try (PreparedStatement update =
                connection.prepareStatement("UPDATE orders SET status = ? WHERE id = ?")) {
              update.setString(1, status);
              update.setLong(2, id);
              return update.executeUpdate();
            }
          });
    }

    @Override
    public long insert(String status) throws SQLException {
      return use(
          connection -> {
            try (PreparedStatement insert =
                connection.prepareStatement(
                    "INSERT INTO orders (status) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
              insert.setString(1, status);
              insert.executeUpdate();
              try (ResultSet keys = insert.getGeneratedKeys()) {
                assertThat(keys.next()).isTrue();
                return keys.getLong(1);
              }
            }
          });
    }

    @Override
    public <T> T inTransaction(Code<T> code) throws Exception {
      return transaction(code, false);
    }

    @Override
    public <T> T inReadOnlyTransaction(Code<T> code) throws Exception {
      return transaction(code, true);
    }

    private <T> T transaction(Code<T> code, boolean readOnly) throws Exception {
      try (Connection connection = dataSource.getConnection()) {
        connection.setReadOnly(readOnly);
        connection.setAutoCommit(false);
        open = connection;
        try {
          T result = code.run();
          connection.commit();
          return result;
        } catch (Exception e) {
          connection.rollback();
          throw e;
        } finally {
          open = null;
        }
      }
    }
  }

  @Test
  void theFunctionalFormIsAllThatPlainCodeNeeds() throws Exception {
    Leeway leeway = leeway();
    // tag::plain-jdbc[]
    ReadIntent listing = ReadIntent.replica().named("orders.listing");

    String status =
        leeway.read(
            listing,
            () -> {
              try (Connection connection = leeway.dataSource().getConnection();
                  PreparedStatement select =
                      connection.prepareStatement("SELECT status FROM orders WHERE id = ?")) {
                select.setLong(1, 1);
                try (ResultSet row = select.executeQuery()) {
                  return row.next() ? row.getString(1) : "none";
                }
              }
            });
    // end::plain-jdbc[]

    assertThat(status).isEqualTo("new");
  }

  @Test
  void questionsAboutTheConnectionChooseNoServer() throws Exception {
    String server =
        readInNewScope(
            () -> {
              try (Connection connection = leeway().dataSource().getConnection()) {
                assertThat(connection.getMetaData().getDatabaseProductName()).isEqualTo("MySQL");
                assertThat(connection.isValid(1)).isTrue();
                assertThat((Throwable) connection.getWarnings()).isNull();
                assertThat(connection.getAutoCommit()).isTrue();
                connection.setReadOnly(true);
                connection.setReadOnly(false);
                connection.createBlob();
                connection.getTransactionIsolation();
                try (Statement select = connection.createStatement();
                    ResultSet row = select.executeQuery("SELECT name FROM whoami")) {
                  assertThat(row.next()).isTrue();
                  return row.getString(1);
                }
              }
            });

    assertThat(server).startsWith("replica-");
    assertThat(leeway().lastDecision().orElseThrow().server()).isEqualTo(server);
  }

  @Test
  void aTextThatRepeatsWhatTheConnectionWasToldIsAnsweredWithoutAServer() throws Exception {
    String server =
        readInNewScope(
            () -> {
              try (Connection connection = leeway().dataSource().getConnection();
                  Statement text = connection.createStatement();
                  PreparedStatement prepared =
                      connection.prepareStatement("set transaction  read only;")) {
                connection.setReadOnly(true);
                connection.setAutoCommit(false);
                assertThat(text.execute("SET TRANSACTION READ ONLY")).isFalse();
                assertThat(text.executeUpdate("SET TRANSACTION READ ONLY")).isZero();
                assertThat(prepared.executeUpdate()).isZero();
                try (ResultSet row = text.executeQuery("SELECT name FROM whoami")) {
                  assertThat(row.next()).isTrue();
                  String name = row.getString(1);
                  connection.commit();
                  return name;
                }
              }
            });

    assertThat(server).startsWith("replica-");
  }
}
