/**
 * A MySQL proxy inside the application's own process.
 *
 * <p>Start at {@link dev.leeway.proxy.EmbeddedProxy}. It listens on loopback or on a Unix socket,
 * checks clients, and relays what they and the servers say. The rooms below are not for import:
 * {@code wire} knows the protocol, {@code frontend} the clients, {@code backend} the servers'
 * connections, {@code hostgroup} which server is chosen, {@code stats} the numbers.
 */
@NullMarked
package dev.leeway.proxy;

import org.jspecify.annotations.NullMarked;
