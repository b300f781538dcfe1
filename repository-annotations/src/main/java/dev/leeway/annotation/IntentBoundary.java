package dev.leeway.annotation;

/**
 * Where a call enters a repository: routing learns here what the call means.
 *
 * <p>Implemented by whoever routes, called by the subclasses the compiler writes for {@link
 * RoutedRepository} classes and by proxies of repository interfaces. Implementations are safe for
 * any number of threads.
 */
public interface IntentBoundary {
  /**
   * Makes {@code method}'s intent the current one of the calling thread.
   *
   * @return what ends the intent; closed by the same thread, exactly once, innermost first, whether
   *     the call returned or threw
   */
  Scope enter(RoutedMethod method);

  /** One call inside its intent. */
  interface Scope extends AutoCloseable {
    /** Ends the intent and makes the surrounding one current again. Never throws. */
    @Override
    void close();
  }
}
