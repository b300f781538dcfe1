package dev.leeway.routing.jdbi;

import dev.leeway.annotation.IntentAnnotations;
import dev.leeway.annotation.IntentBoundary;
import dev.leeway.annotation.IntentKind;
import dev.leeway.annotation.RoutedMethod;
import dev.leeway.routing.bind.Declarations;
import java.lang.reflect.Method;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jdbi.v3.core.extension.AttachedExtensionHandler;
import org.jdbi.v3.core.extension.ExtensionHandler;
import org.jdbi.v3.core.extension.ExtensionHandlerCustomizer;
import org.jdbi.v3.core.extension.HandleSupplier;
import org.jdbi.v3.core.result.ResultIterable;
import org.jspecify.annotations.Nullable;

/**
 * Wraps the handler of each SqlObject method so that it runs inside the method's intent.
 *
 * <p>Jdbi asks once for each method of a type and keeps the answer, so what a method declares is
 * found out once. It does not matter that the handle may be open already: its connection chooses a
 * server at each statement.
 */
final class IntentCustomizer implements ExtensionHandlerCustomizer {
  private final IntentBoundary boundary;

  IntentCustomizer(IntentBoundary boundary) {
    this.boundary = boundary;
  }

  @Override
  public ExtensionHandler customize(ExtensionHandler handler, Class<?> type, Method method) {
    // getHandle, inTransaction and their like only carry other calls; those have their own intents.
    // And a type that declares nothing keeps the intent of the code around it.
    if (isJdbisOwn(method.getDeclaringClass()) || !Declarations.declareAnything(type)) {
      return handler;
    }
    RoutedMethod routed = IntentAnnotations.resolve(type, method);
    if (routed.kind() != IntentKind.UNDECLARED
        && ResultIterable.class.isAssignableFrom(method.getReturnType())) {
      throw new IllegalArgumentException(
          "Leeway - "
              + type.getName()
              + '#'
              + routed.signature()
              + " returns a ResultIterable, which runs its query after the method has returned and"
              + " so outside its intent (expected: List, Stream, Iterator or a Consumer parameter)");
    }
    return (config, target) -> new InsideIntent(handler.attachTo(config, target), boundary, routed);
  }

  private static boolean isJdbisOwn(Class<?> declaring) {
    return declaring == Object.class || declaring.getName().startsWith("org.jdbi.v3.");
  }

  private record InsideIntent(
      AttachedExtensionHandler handler, IntentBoundary boundary, RoutedMethod routed)
      implements AttachedExtensionHandler {
    @Override
    public @Nullable Object invoke(HandleSupplier handles, @Nullable Object... args)
        throws Exception {
      IntentBoundary.Scope intent = boundary.enter(routed);
      try {
        return handler.invoke(handles, args);
      } finally {
        intent.close();
      }
    }

    @Override
    public void warm(ConfigRegistry config) {
      handler.warm(config);
    }
  }
}
