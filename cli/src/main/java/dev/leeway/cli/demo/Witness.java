package dev.leeway.cli.demo;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Wraps a data source so that each query also tells which server answered it.
 *
 * <p>The text of a query becomes
 *
 * <pre>
 *   SELECT answer.*, witness.server_uuid
 *   FROM (SELECT @@server_uuid AS server_uuid) AS witness
 *   LEFT JOIN (SELECT query.*, TRUE AS row_found FROM (…the query…) AS query) AS answer ON TRUE
 * </pre>
 *
 * so the answer names its server even where it has no row, and it is the server that says so, in
 * the same statement: neither the router nor a second statement, which may go elsewhere, is
 * believed. The row without an answer is hidden again. To the code above and the router below it is
 * an ordinary query.
 */
public final class Witness {
  private static final String BEFORE =
      "SELECT answer.*, witness.server_uuid FROM (SELECT @@server_uuid AS server_uuid) AS witness"
          + " LEFT JOIN (SELECT query.*, TRUE AS row_found FROM (";
  private static final String AFTER = ") AS query) AS answer ON TRUE";

  private Witness() {}

  /** Who is told of each query, on the thread that ran it, when its first row is asked for. */
  @FunctionalInterface
  public interface Listener {
    /**
     * A query was answered.
     *
     * @param serverUuid who answered
     * @param nanos from the preparation of the statement to its first row
     */
    void served(String serverUuid, long nanos);
  }

  /** The same data source, with its queries reported to the listener. */
  public static DataSource of(DataSource dataSource, Listener listener) {
    return proxy(
        DataSource.class,
        (proxy, method, arguments) -> {
          Object result = invoke(dataSource, method, arguments);
          return result instanceof Connection connection
              ? connection(connection, listener)
              : result;
        });
  }

  private static Connection connection(Connection connection, Listener listener) {
    return proxy(
        Connection.class,
        (proxy, method, arguments) -> {
          if (!method.getName().equals("prepareStatement")
              || arguments == null
              || !isQuery(arguments[0])) {
            return invoke(connection, method, arguments);
          }
          Object[] changed = arguments.clone();
          changed[0] = BEFORE + arguments[0] + AFTER;
          long start = System.nanoTime();
          return invoke(connection, method, changed) instanceof PreparedStatement statement
              ? statement(statement, listener, start)
              : null;
        });
  }

  private static boolean isQuery(Object sql) {
    String text = String.valueOf(sql).strip().toUpperCase(Locale.ROOT);
    return text.startsWith("SELECT") && !text.endsWith("FOR UPDATE");
  }

  private static PreparedStatement statement(
      PreparedStatement statement, Listener listener, long start) {
    return proxy(
        PreparedStatement.class,
        (proxy, method, arguments) -> {
          Object result = invoke(statement, method, arguments);
          return result instanceof ResultSet rows ? rows(rows, listener, start) : result;
        });
  }

  private static ResultSet rows(ResultSet rows, Listener listener, long start) {
    return proxy(ResultSet.class, new FirstRow(rows, listener, start));
  }

  /** Lets the first call of {@code next} take the witness's word before the caller sees the row. */
  private static final class FirstRow implements InvocationHandler {
    private final ResultSet rows;
    private final Listener listener;
    private final long start;
    private boolean heard;

    FirstRow(ResultSet rows, Listener listener, long start) {
      this.rows = rows;
      this.listener = listener;
      this.start = start;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
        throws Throwable {
      if (!method.getName().equals("next")) {
        return Witness.invoke(rows, method, arguments);
      }
      boolean row = rows.next();
      if (heard) {
        return row;
      }
      heard = true;
      if (!row) {
        throw new SQLException("witness - no row (expected: one even for an empty answer)");
      }
      listener.served(rows.getString("server_uuid"), System.nanoTime() - start);
      rows.getBoolean("row_found");
      return !rows.wasNull();
    }
  }

  private static @Nullable Object invoke(
      Object target, Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(Witness.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
