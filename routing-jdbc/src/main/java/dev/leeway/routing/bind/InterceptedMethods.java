package dev.leeway.routing.bind;

import dev.leeway.annotation.RoutedMethod;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What intercepted methods declare, found out once for each class and method. As many entries as
 * the program has methods that containers intercept; they go when their classes go.
 */
public final class InterceptedMethods {
  private final ClassValue<Map<Method, RoutedMethod>> known =
      new ClassValue<>() {
        @Override
        protected Map<Method, RoutedMethod> computeValue(Class<?> type) {
          return new ConcurrentHashMap<>();
        }
      };

  /**
   * Whether the type declares any intent.
   *
   * @throws IllegalArgumentException if it declares one where no subclass can intercept it
   */
  public boolean concern(Class<?> type) {
    if (!Declarations.declareAnything(type)) {
      return false;
    }
    List<String> problems =
        type.isInterface() ? List.of() : Declarations.unreachableForSubclasses(type);
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          "Leeway - cannot intercept "
              + type.getName()
              + ": "
              + String.join("; ", problems)
              + " (expected: methods that a subclass can override)");
    }
    return true;
  }

  /** What {@code method} declares when it is called on an object of {@code type}. */
  public RoutedMethod of(Class<?> type, Method method) {
    Map<Method, RoutedMethod> methods = known.get(type);
    RoutedMethod routed = methods.get(method);
    if (routed == null) {
      routed = Declarations.resolve(type, method, writtenByPeople(type));
      methods.put(method, routed);
    }
    return routed;
  }

  /** Containers call their subclasses {@code Orders$$Something}; people wrote {@code Orders}. */
  private static Class<?> writtenByPeople(Class<?> type) {
    Class<?> written = type;
    while ((written.isSynthetic() || written.getName().contains("$$"))
        && written.getSuperclass() != null
        && written.getSuperclass() != Object.class) {
      written = written.getSuperclass();
    }
    return written;
  }
}
