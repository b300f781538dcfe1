/**
 * Puts what a repository method declares in force while the method runs.
 *
 * <p>Three ways in, one way through: a proxy of a repository interface ({@link
 * dev.leeway.routing.bind.RepositoryProxy}), {@link dev.leeway.routing.RoutingInterceptor} for
 * containers, and the subclasses the compiler writes, all call the same {@link
 * dev.leeway.routing.bind.ContextBoundary}. An annotation that no call could ever reach is refused
 * when its type is bound, with every mistake named at once.
 *
 * <p>Knows the annotations and the thread's context; nothing of servers, connections or decisions.
 */
@NullMarked
package dev.leeway.routing.bind;

import org.jspecify.annotations.NullMarked;
