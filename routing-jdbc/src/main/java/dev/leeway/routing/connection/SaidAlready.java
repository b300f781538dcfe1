package dev.leeway.routing.connection;

import dev.leeway.statement.AnalyzedStatement;
import dev.leeway.statement.StatementKind;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A text that only repeats what the connection was told by other means, and so is not sent.
 *
 * <p>There is one: {@code SET TRANSACTION READ ONLY} between {@code setAutoCommit(false)} and the
 * first statement of a transaction that {@code setReadOnly(true)} has made read-only. Spring sends
 * it where a transaction manager is to enforce read-only transactions. We begin such a transaction
 * as {@code START TRANSACTION READ ONLY}, and the server refuses the text inside a transaction.
 */
final class SaidAlready {
  private static final Pattern READ_ONLY =
      Pattern.compile("\\s*SET\\s+TRANSACTION\\s+READ\\s+ONLY\\s*;?\\s*", Pattern.CASE_INSENSITIVE);

  /** Answers every execution with "nothing changed". */
  static final CallableStatement ANSWER =
      (CallableStatement)
          Proxy.newProxyInstance(
              SaidAlready.class.getClassLoader(),
              new Class<?>[] {CallableStatement.class},
              (proxy, method, arguments) -> nothing(method.getReturnType()));

  private SaidAlready() {}

  static boolean by(RoutedConnection connection, AnalyzedStatement statement) {
    return statement.kind() == StatementKind.SESSION_SETTING
        && connection.readOnly()
        && !connection.autoCommit()
        && isNotBegun(connection.transaction())
        && READ_ONLY.matcher(statement.sql()).matches();
  }

  private static boolean isNotBegun(@Nullable Transaction transaction) {
    return transaction == null || transaction.kind() == Transaction.Kind.ANNOUNCED;
  }

  private static @Nullable Object nothing(Class<?> type) {
    if (type == int.class) {
      return 0;
    }
    if (type == long.class) {
      return 0L;
    }
    return type == boolean.class ? false : null;
  }
}
