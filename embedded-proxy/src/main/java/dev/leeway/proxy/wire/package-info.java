/**
 * MySQL's client/server protocol as bytes: packets, capabilities, the two sides of the handshake,
 * passwords, and where a response ends.
 *
 * <p>Start at {@link dev.leeway.proxy.wire.ResponseTracker}, which follows a server's bytes without
 * keeping them, and at {@link dev.leeway.proxy.wire.PacketCursor}, through which every other packet
 * is read. What comes from a peer is never trusted: a length is compared with what is there before
 * it is used, and everything that does not fit the protocol is a {@link
 * dev.leeway.proxy.wire.MalformedPacketException}.
 *
 * <p>Knows Netty, and nothing of sessions, servers or routing.
 */
@NullMarked
package dev.leeway.proxy.wire;

import org.jspecify.annotations.NullMarked;
