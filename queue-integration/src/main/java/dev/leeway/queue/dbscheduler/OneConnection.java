package dev.leeway.queue.dbscheduler;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A data source that gives one connection again and again, and lets nobody close or commit it. */
final class OneConnection implements InvocationHandler {
  private final Connection connection;

  OneConnection(Connection connection) {
    this.connection = connection;
  }

  DataSource asDataSource() {
    ClassLoader loader = OneConnection.class.getClassLoader();
    Connection kept =
        (Connection) Proxy.newProxyInstance(loader, new Class<?>[] {Connection.class}, this);
    return (DataSource)
        Proxy.newProxyInstance(
            loader,
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getConnection")) {
                return kept;
              }
              throw new UnsupportedOperationException("one connection - " + method.getName());
            });
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    return switch (method.getName()) {
      case "close", "commit", "rollback", "setAutoCommit" -> null;
      default -> {
        try {
          yield method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
          Throwable cause = e.getCause();
          throw cause == null ? e : cause;
        }
      }
    };
  }
}
