/**
 * Clients: how they are accepted and checked, and how each one's commands and responses travel.
 *
 * <p>Start at {@link dev.leeway.proxy.frontend.ClientLogin}; after it a {@link
 * dev.leeway.proxy.frontend.ClientSession} serves the client to its end. A session and the server
 * connection that it holds live on one event loop, so neither takes a lock.
 *
 * <p>Knows the wire, servers' connections and where they lead; makes no choice among servers.
 */
@NullMarked
package dev.leeway.proxy.frontend;

import org.jspecify.annotations.NullMarked;
