package dev.leeway.routing;

import dev.leeway.annotation.IntentBoundary;
import dev.leeway.routing.bind.InterceptedMethods;
import jakarta.inject.Inject;
import java.lang.reflect.Method;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs the methods of repositories that a container makes inside the intents they declare.
 *
 * <p>A plain object that knows no container: make it or have it injected, ask {@link #intercepts}
 * which classes concern it, and call {@link #around} from the container's own kind of interceptor.
 * Where the container makes subclasses, what an object calls on itself is intercepted too; where it
 * makes proxies, it is not, and runs inside the intent of the method that was entered.
 *
 * <p>Safe for any number of threads.
 */
public final class RoutingInterceptor {
  /** The intercepted call itself. */
  @FunctionalInterface
  public interface Call {
    /**
     * Goes on with the call.
     *
     * @throws Throwable whatever the called method throws
     */
    @Nullable Object proceed() throws Throwable;
  }

  private final InterceptedMethods methods = new InterceptedMethods();
  private final IntentBoundary boundary;

  /**
   * An interceptor that puts intents in force through {@code boundary}: what {@code
   * Leeway.intentBoundary()} gives.
   */
  @Inject
  public RoutingInterceptor(IntentBoundary boundary) {
    this.boundary = Objects.requireNonNull(boundary, "boundary");
  }

  /**
   * Whether the type declares any intent, so that the container should intercept its methods: all
   * of them, for one that declares nothing reads the primary.
   *
   * @throws IllegalArgumentException if an intent is declared where no subclass can intercept it:
   *     on a private, static or final method, or anywhere in a final class; the message names each
   */
  public boolean intercepts(Class<?> type) {
    return methods.concern(type);
  }

  /**
   * Runs one call inside the intent its method declares, and restores the outer intent after it,
   * also when it throws.
   *
   * @param method the method that was called, as declared by a class or an interface of the target
   * @param target the object it was called on, or the container's subclass or proxy of it
   * @return what the call returned
   * @throws Throwable what the call threw, as it was
   */
  public @Nullable Object around(Method method, Object target, Call call) throws Throwable {
    IntentBoundary.Scope intent = boundary.enter(methods.of(target.getClass(), method));
    try {
      return call.proceed();
    } finally {
      intent.close();
    }
  }
}
