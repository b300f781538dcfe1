package dev.leeway.routing.connection;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Metadata that costs a connection only when a server must be asked.
 *
 * <p>Tracing and metrics libraries ask each connection for its URL and product. Such facts are the
 * same for the whole life of a Leeway and are kept after the first answer; what lists tables and
 * columns is asked of the primary, without that choosing a server for any statement. Off the fast
 * path, hence a proxy.
 */
final class SharedMetaData {
  private final RoutingCore core;
  private final Map<Method, Object> facts = new ConcurrentHashMap<>();

  SharedMetaData(RoutingCore core) {
    this.core = core;
  }

  DatabaseMetaData of(RoutedConnection connection) {
    return (DatabaseMetaData)
        Proxy.newProxyInstance(
            SharedMetaData.class.getClassLoader(),
            new Class<?>[] {DatabaseMetaData.class},
            new Asking(connection));
  }

  private final class Asking implements InvocationHandler {
    private final RoutedConnection connection;

    Asking(RoutedConnection connection) {
      this.connection = connection;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
        throws Throwable {
      return switch (method.getName()) {
        case "getConnection" -> connection;
        case "equals" -> arguments != null && proxy == arguments[0];
        case "hashCode" -> System.identityHashCode(proxy);
        case "toString" -> "metadata of " + connection;
        case "isReadOnly" -> connection.isReadOnly();
        default -> isFact(method) ? fact(method) : asked(method, arguments);
      };
    }

    private @Nullable Object fact(Method method) throws Throwable {
      Object known = facts.get(method);
      if (known != null) {
        return known;
      }
      try (Connection shortLived = core.anyConnection()) {
        Object answer = call(method, shortLived.getMetaData(), null);
        if (answer != null) {
          facts.put(method, answer);
        }
        return answer;
      }
    }

    private @Nullable Object asked(Method method, Object @Nullable [] arguments) throws Throwable {
      return call(method, connection.connectionForMetaData().getMetaData(), arguments);
    }
  }

  /**
   * Takes nothing and answers with a text, a number or a truth: nothing that depends on the
   * session.
   */
  private static boolean isFact(Method method) {
    return method.getParameterCount() == 0
        && !ResultSet.class.isAssignableFrom(method.getReturnType())
        && (method.getReturnType().isPrimitive() || method.getReturnType() == String.class);
  }

  private static @Nullable Object call(
      Method method, DatabaseMetaData metaData, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(metaData, arguments);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      throw cause == null ? e : cause;
    }
  }
}
