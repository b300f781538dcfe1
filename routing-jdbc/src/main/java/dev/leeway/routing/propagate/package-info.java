/**
 * Carries the scope and the intent of one thread to another, for code that uses Micrometer's
 * context-propagation.
 *
 * <p>The two accessors are found by that library through the service loader; nobody else calls
 * them. A scope is handed over by reference: what the request writes after a task was queued is
 * seen by the task. {@link dev.leeway.routing.propagate.OpenContexts} knows which Leeways there are
 * and is the only class here that works without the library on the class path.
 */
@NullMarked
package dev.leeway.routing.propagate;

import org.jspecify.annotations.NullMarked;
