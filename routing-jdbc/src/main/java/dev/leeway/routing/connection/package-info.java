/**
 * JDBC: the pools, and the connections that find their server when a statement runs.
 *
 * <p>{@code RoutedConnection} holds at most one physical connection to the primary and one to a
 * replica. Everything that decides is in {@code StatementRouting}; the {@code Delegating...}
 * classes only pass calls on.
 *
 * <p>The only package here that speaks to servers and that knows Connector/J and HikariCP.
 */
@NullMarked
package dev.leeway.routing.connection;

import org.jspecify.annotations.NullMarked;
