package dev.leeway.samples.shop.naive;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A connection that is two: one to the primary, one to a replica, each taken when first needed. */
final class SplitConnection implements InvocationHandler {
  private static final Pattern LOCKING =
      Pattern.compile("\\bFOR\\s+(UPDATE|SHARE)\\b|\\bLOCK\\s+IN\\s+SHARE\\s+MODE\\b");

  private final DataSource primary;
  private final Supplier<DataSource> someReplica;
  private @Nullable Connection onPrimary;
  private @Nullable Connection onReplica;
  private boolean inTransaction;
  private boolean closed;

  private SplitConnection(DataSource primary, Supplier<DataSource> someReplica) {
    this.primary = primary;
    this.someReplica = someReplica;
  }

  static Connection over(DataSource primary, Supplier<DataSource> someReplica) {
    return (Connection)
        Proxy.newProxyInstance(
            SplitConnection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new SplitConnection(primary, someReplica));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    return switch (method.getName()) {
      case "close" -> {
        close();
        yield null;
      }
      case "isClosed" -> closed;
      case "equals" -> arguments != null && proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      case "toString" -> "split connection";
      default -> delegate(method, arguments);
    };
  }

  private @Nullable Object delegate(Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(connectionFor(method, arguments), arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private Connection connectionFor(Method method, Object @Nullable [] arguments)
      throws SQLException {
    if (closed) {
      throw new SQLException("split connection - it was closed");
    }
    if (method.getName().equals("setAutoCommit") && arguments != null) {
      inTransaction = !(Boolean) arguments[0];
    }
    boolean reads =
        method.getName().equals("prepareStatement") && arguments != null && reads(arguments[0]);
    return reads && !inTransaction ? replica() : primary();
  }

  private static boolean reads(Object sql) {
    String text = String.valueOf(sql).strip().toUpperCase(Locale.ROOT);
    return text.startsWith("SELECT") && !LOCKING.matcher(text).find();
  }

  private Connection primary() throws SQLException {
    Connection connection = onPrimary;
    if (connection == null) {
      connection = primary.getConnection();
      onPrimary = connection;
    }
    return connection;
  }

  private Connection replica() throws SQLException {
    Connection connection = onReplica;
    if (connection == null) {
      connection = someReplica.get().getConnection();
      onReplica = connection;
    }
    return connection;
  }

  private void close() throws SQLException {
    closed = true;
    Connection first = onPrimary;
    Connection second = onReplica;
    onPrimary = null;
    onReplica = null;
    try {
      if (first != null) {
        first.close();
      }
    } finally {
      if (second != null) {
        second.close();
      }
    }
  }
}
