package dev.leeway.routing.connection;

import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The statements that live on one replica's connection: null for none, the statement itself for
 * one, and a list for several, because nearly every borrow has one and a list for it would cost
 * more than the rest of its bookkeeping.
 */
final class OpenStatements {
  private OpenStatements() {}

  private static final class Several extends ArrayList<RoutedStatement> {
    private static final long serialVersionUID = 1;
  }

  static Object with(@Nullable Object known, RoutedStatement statement) {
    if (known == null) {
      return statement;
    }
    if (known instanceof Several several) {
      several.add(statement);
      return several;
    }
    Several several = new Several();
    several.add((RoutedStatement) known);
    several.add(statement);
    return several;
  }

  static @Nullable Object without(@Nullable Object known, RoutedStatement statement) {
    if (known == statement) {
      return null;
    }
    if (known instanceof Several several) {
      several.remove(statement);
      return several.isEmpty() ? null : several;
    }
    return known;
  }

  static boolean has(@Nullable Object known, RoutedStatement statement) {
    return known == statement || (known instanceof Several several && several.contains(statement));
  }

  static void close(@Nullable Object known) {
    if (known instanceof Several several) {
      several.forEach(RoutedStatement::closeLost);
    } else if (known != null) {
      ((RoutedStatement) known).closeLost();
    }
  }
}
