package dev.leeway.routing.compat;

import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Jdbi's fluent API. */
class JdbiIT extends FrameworkContract {
  @Override
  Store store(DataSource dataSource) {
    return new JdbiStore(Jdbi.create(dataSource));
  }

  private static final class JdbiStore implements Store {
    private final Jdbi jdbi;
    private @Nullable Handle open;

    JdbiStore(Jdbi jdbi) {
      this.jdbi = jdbi;
    }

    private <T> T use(HandleCallback<T, RuntimeException> callback) {
      Handle transaction = open;
      return transaction == null ? jdbi.withHandle(callback) : callback.withHandle(transaction);
    }

    @Override
    public String server() {
      return use(handle -> handle.createQuery("SELECT name FROM whoami").mapTo(String.class).one());
    }

    @Override
    public String status(long id) {
      return use(
          handle ->
              handle
                  .createQuery("SELECT status FROM orders WHERE id = :id")
                  .bind("id", id)
                  .mapTo(String.class)
                  .one());
    }

    @Override
    public void setStatus(long id, String status) {
      use(handle -> handle.execute("UPDATE orders SET status = ? WHERE id = ?", status, id));
    }

    @Override
    public long insert(String status) {
      return use(
          handle ->
              handle
                  .createUpdate("INSERT INTO orders (status) VALUES (:status)")
                  .bind("status", status)
                  .executeAndReturnGeneratedKeys("id")
                  .mapTo(Long.class)
                  .one());
    }

    @Override
    public <T> T inTransaction(Code<T> code) throws Exception {
      return jdbi.inTransaction(handle -> inside(handle, code));
    }

    @Override
    public <T> T inReadOnlyTransaction(Code<T> code) throws Exception {
      return jdbi.withHandle(
          handle -> {
            handle.setReadOnly(true);
            return handle.inTransaction(transaction -> inside(transaction, code));
          });
    }

    private <T> T inside(Handle handle, Code<T> code) throws Exception {
      open = handle;
      try {
        return code.run();
      } finally {
        open = null;
      }
    }
  }
}
