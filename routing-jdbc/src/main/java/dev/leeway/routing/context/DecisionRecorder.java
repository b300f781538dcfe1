package dev.leeway.routing.context;

import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.decide.Route;

/**
 * Told of every decision, and of what can go wrong with a scope.
 *
 * <p>Called on the thread that runs the statement, on the fast path: implementations must not
 * block, allocate or throw.
 */
public interface DecisionRecorder {
  /** A recorder that forgets. */
  DecisionRecorder NONE = new DecisionRecorder() {};

  /**
   * A statement is about to go where the route says.
   *
   * @param context the calling thread's; {@link CallContext#recorderSlot} is the recorder's own
   * @param stalenessNanos what the data may lack at most; zero on the primary, {@link
   *     Long#MAX_VALUE} if unknown
   */
  default void decided(CallContext context, ReadIntent intent, Route route, long stalenessNanos) {}

  /** In shadow mode: what would have been done, before the primary is read instead. */
  default void shadowed(ReadIntent intent, Route route) {}

  /** A read waited for a replica to reach the caller's position. */
  default void waited(long nanos, boolean reached) {}

  /** A read was refused because the budget for the primary was used up. */
  default void budgetExhausted(ReadIntent intent) {}

  /** A scope was found that nobody had closed. */
  default void scopeLeaked(String openedAt) {}

  /** A token was not accepted; the scope starts as one that has seen everything up to now. */
  default void tokenRefused(String verdict) {}
}
