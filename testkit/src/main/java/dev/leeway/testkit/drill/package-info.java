/**
 * Drills: the same small story told many times to a real topology, to count how often it ends
 * wrong.
 *
 * <p>Start at {@link dev.leeway.testkit.drill.ReadAfterWriteDrill}. A drill knows nothing of how
 * reads are routed. Whoever wants to compare two ways runs it twice with other functions.
 *
 * <p>Which server answered is taken from that server's own {@code @@server_uuid}, never from what a
 * router meant to do. A drill that could not show anything refuses to run and says why.
 *
 * <p>Threads: a drill runs in the thread that calls it. Results are immutable.
 */
@NullMarked
package dev.leeway.testkit.drill;

import org.jspecify.annotations.NullMarked;
