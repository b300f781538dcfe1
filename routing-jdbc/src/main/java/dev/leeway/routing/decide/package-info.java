/**
 * The decision itself: pure functions and values, no connection, no thread, no clock of its own.
 *
 * <p>{@link dev.leeway.routing.decide.Router} turns intent, demand and the state of the cluster
 * into a {@link dev.leeway.routing.decide.Route}. Nothing here allocates while deciding.
 */
@NullMarked
package dev.leeway.routing.decide;

import org.jspecify.annotations.NullMarked;
