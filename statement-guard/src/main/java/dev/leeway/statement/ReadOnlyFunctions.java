package dev.leeway.statement;

import java.util.Set;

/** The stored and loadable functions that the user says only read. Immutable. */
final class ReadOnlyFunctions {
  static final ReadOnlyFunctions NONE = new ReadOnlyFunctions(new String[0]);

  private final String[] names;

  private ReadOnlyFunctions(String[] names) {
    this.names = names;
  }

  /**
   * @throws IllegalArgumentException if one is not a function's name, alone or after a schema's
   */
  static ReadOnlyFunctions of(Set<String> names) {
    return new ReadOnlyFunctions(
        names.stream().map(ReadOnlyFunctions::checked).toArray(String[]::new));
  }

  private static String checked(String name) {
    String[] parts = name.strip().split("\\.", -1);
    boolean good = parts.length <= 2;
    for (String part : parts) {
      good &= !part.isBlank() && part.indexOf('`') < 0 && part.indexOf('(') < 0;
    }
    if (!good) {
      throw new IllegalArgumentException(
          "Statement guard - read-only function '"
              + name
              + "' (expected: name or schema.name, without quotes and parentheses)");
    }
    return name.strip();
  }

  /** Whether the function of this name in a text is one of them. */
  boolean contains(String text, DottedName name) {
    for (String declared : names) {
      if (isDeclared(text, name, declared)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isDeclared(String text, DottedName name, String declared) {
    int dot = declared.indexOf('.');
    if (name.parts > 2
        || !Names.same(text, name.start, name.end, declared, dot + 1, declared.length())) {
      return false;
    }
    return dot < 0
        || (name.parts == 2
            && Names.same(text, name.qualifierStart, name.qualifierEnd, declared, 0, dot));
  }
}
