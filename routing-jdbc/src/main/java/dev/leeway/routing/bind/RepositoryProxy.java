package dev.leeway.routing.bind;

import dev.leeway.annotation.IntentBoundary;
import dev.leeway.annotation.RoutedMethod;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Stands in front of a repository and runs each of its methods inside the intent it declares.
 *
 * <p>Everything reflection can tell is found out when the repository is bound; a call costs one map
 * look-up, the change of intent and the reflective call itself. Safe for any number of threads if
 * the repository is.
 *
 * <p>A default method that the implementation does not override runs on the proxy, so that the
 * methods it calls have their own intents. What the implementation calls on itself never leaves the
 * object: it runs inside the intent of the method that was entered.
 */
public final class RepositoryProxy implements InvocationHandler {
  private final IntentBoundary boundary;
  private final Class<?> type;
  private final Object implementation;
  private final Map<Method, BoundMethod> methods;

  private RepositoryProxy(
      IntentBoundary boundary,
      Class<?> type,
      Object implementation,
      Map<Method, BoundMethod> methods) {
    this.boundary = boundary;
    this.type = type;
    this.implementation = implementation;
    this.methods = methods;
  }

  /**
   * Binds a repository.
   *
   * @throws IllegalArgumentException if this cannot work, or if something was annotated that would
   *     never be reached; the message names every mistake found
   */
  public static <T> T bind(IntentBoundary boundary, Class<T> type, T implementation) {
    Objects.requireNonNull(boundary, "boundary");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(implementation, "implementation");
    refuse(type, problemsOfType(type, implementation));

    List<String> problems =
        new ArrayList<>(Declarations.unreachableThroughInterfaces(implementation.getClass()));
    problems.replaceAll(problem -> problem + ", so no call through the interface enters it");
    Map<Method, BoundMethod> methods = methodsOf(type, implementation, problems);
    if (problems.isEmpty()
        && methods.values().stream().noneMatch(m -> Declarations.saysSomething(m.routed()))) {
      problems.add(
          "no method declares an intent (expected: @ReadReplica, @ReadPrimary or @Write on its"
              + " methods or on the type)");
    }
    refuse(type, problems);

    RepositoryProxy handler = new RepositoryProxy(boundary, type, implementation, methods);
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static void refuse(Class<?> type, List<String> problems) {
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          "Leeway - cannot bind " + type.getName() + ": " + String.join("; ", problems));
    }
  }

  private static List<String> problemsOfType(Class<?> type, Object implementation) {
    if (!type.isInterface() || type.isAnnotation()) {
      return List.of(
          "it is not an interface (expected: the repository's interface). For a class, use the"
              + " subclass that @RoutedRepository generates, or the interceptor of your container");
    }
    if (type.isSealed() || type.isHidden()) {
      return List.of("it is sealed or hidden, so no proxy can implement it");
    }
    if (!type.isInstance(implementation)) {
      return List.of(
          implementation.getClass().getName() + " does not implement it (expected: one that does)");
    }
    if (Proxy.isProxyClass(implementation.getClass())
        && Proxy.getInvocationHandler(implementation) instanceof RepositoryProxy) {
      return List.of("the object is already bound (expected: the repository itself)");
    }
    return List.of();
  }

  private static Map<Method, BoundMethod> methodsOf(
      Class<?> type, Object implementation, List<String> problems) {
    Map<Method, BoundMethod> methods = new HashMap<>();
    for (Method method : type.getMethods()) {
      if (Modifier.isStatic(method.getModifiers())) {
        continue;
      }
      if (!method.trySetAccessible() && !method.canAccess(implementation)) {
        problems.add(
            Declarations.nameOf(method)
                + " cannot be called (expected: a public interface, or its package open to"
                + " dev.leeway.routing)");
        continue;
      }
      try {
        RoutedMethod routed = Declarations.resolve(implementation.getClass(), method, type);
        boolean inherited = method.isDefault() && !isOverridden(method, implementation.getClass());
        methods.put(
            method, new BoundMethod(method, routed, inherited ? defaultBody(method) : null));
      } catch (IllegalAccessException e) {
        problems.add(
            Declarations.nameOf(method)
                + " is a default method that cannot be called (expected: its package open to"
                + " dev.leeway.routing)");
      } catch (IllegalArgumentException e) {
        problems.add(String.valueOf(e.getMessage()));
      }
    }
    return methods;
  }

  /**
   * The method's own code, to be run on the proxy. {@link InvocationHandler#invokeDefault} would
   * refuse interfaces that are not public.
   */
  private static MethodHandle defaultBody(Method method) throws IllegalAccessException {
    Class<?> declaring = method.getDeclaringClass();
    return MethodHandles.privateLookupIn(declaring, MethodHandles.lookup())
        .unreflectSpecial(method, declaring)
        .asFixedArity()
        .asSpreader(Object[].class, method.getParameterCount())
        .asType(MethodType.methodType(Object.class, Object.class, Object[].class));
  }

  private static boolean isOverridden(Method defaultMethod, Class<?> implementation) {
    return Arrays.stream(implementation.getMethods())
        .anyMatch(
            method ->
                method.getName().equals(defaultMethod.getName())
                    && Arrays.equals(method.getParameterTypes(), defaultMethod.getParameterTypes())
                    && method.getReturnType() == defaultMethod.getReturnType()
                    && method.getDeclaringClass() != defaultMethod.getDeclaringClass());
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args)
      throws Throwable {
    BoundMethod bound = methods.get(method);
    if (bound == null) {
      return ofObject(proxy, method.getName(), args);
    }
    IntentBoundary.Scope intent = boundary.enter(bound.routed());
    try {
      MethodHandle defaultBody = bound.defaultBody();
      if (defaultBody != null) {
        return defaultBody.invokeExact(proxy, args);
      }
      return bound.method().invoke(implementation, args);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    } finally {
      intent.close();
    }
  }

  /** Of {@link Object}'s methods a proxy passes on these three. */
  private Object ofObject(Object proxy, String name, @Nullable Object @Nullable [] args) {
    return switch (name) {
      case "hashCode" -> implementation.hashCode();
      case "equals" -> args != null && (args[0] == proxy || bindsTheSame(args[0]));
      default -> type.getSimpleName() + " bound to " + implementation;
    };
  }

  /** Two proxies of one repository are equal; a proxy and the repository itself are not. */
  private boolean bindsTheSame(@Nullable Object other) {
    return other != null
        && Proxy.isProxyClass(other.getClass())
        && Proxy.getInvocationHandler(other) instanceof RepositoryProxy that
        && type == that.type
        && boundary == that.boundary
        && implementation.equals(that.implementation);
  }

  private record BoundMethod(
      Method method, RoutedMethod routed, @Nullable MethodHandle defaultBody) {}
}
