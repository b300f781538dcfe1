package dev.leeway.routing.context;

import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.decide.Route;
import dev.leeway.statement.AnalyzedStatement;
import org.jspecify.annotations.Nullable;

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
   * @param statement what the statement does; null if there is no text to tell from
   */
  default void decided(
      CallContext context,
      ReadIntent intent,
      Route route,
      long stalenessNanos,
      @Nullable AnalyzedStatement statement) {
    decided(context, intent, route, stalenessNanos);
  }

  /** As above, where the text is not at hand. */
  default void decided(CallContext context, ReadIntent intent, Route route, long stalenessNanos) {}

  /** Whether {@link #finished} is wanted; asked once. Measuring costs two readings of the clock. */
  default boolean timesStatements() {
    return false;
  }

  /** A statement has answered or failed; only called if {@link #timesStatements} says so. */
  default void finished(ReadIntent intent, Route route, long nanos, boolean failed) {}

  /** A read whose connection failed before its first row is repeated elsewhere. */
  default void retried(Route from, Route to) {}

  /** A write outside any scope was acknowledged. */
  default void unscopedWrite(ReadIntent intent) {}

  /**
   * A connection was closed because its server must not be used so.
   *
   * @param why one of a few constant words, for it becomes a tag
   */
  default void connectionRefused(String server, String why) {}

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
