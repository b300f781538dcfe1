/**
 * What is in force where a statement runs: the intent on this thread, and what this request has
 * written and seen.
 *
 * <p>{@link dev.leeway.routing.context.CallContext} belongs to one thread, {@link
 * dev.leeway.routing.context.ScopeState} to one request and any number of threads. Knows positions,
 * and nothing of connections.
 */
@NullMarked
package dev.leeway.routing.context;

import org.jspecify.annotations.NullMarked;
