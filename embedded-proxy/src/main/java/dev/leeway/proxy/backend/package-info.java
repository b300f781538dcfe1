/**
 * Connections to servers: how one is opened and logged in, and how commands and responses travel
 * over it.
 *
 * <p>Start at {@link dev.leeway.proxy.backend.ServerConnector}, which makes a {@link
 * dev.leeway.proxy.backend.ServerConnection}. Whoever holds a connection is its owner and is told
 * what arrives; a connection is used by its event loop only.
 *
 * <p>Knows the wire and where servers are; nothing of clients.
 */
@NullMarked
package dev.leeway.proxy.backend;

import org.jspecify.annotations.NullMarked;
