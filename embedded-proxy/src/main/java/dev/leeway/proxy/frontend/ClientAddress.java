package dev.leeway.proxy.frontend;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;

/** Where a client is, for messages and for the rules that go by it. */
final class ClientAddress {
  private static final String HERE = "localhost";

  private ClientAddress() {}

  /** The client's address, or {@code localhost} by a Unix socket, as a server would say it. */
  static String host(Channel channel) {
    if (channel.remoteAddress() instanceof InetSocketAddress address) {
      return address.getAddress().getHostAddress();
    }
    return HERE;
  }

  /** Whether the client came by a Unix socket. */
  static boolean isLocalSocket(Channel channel) {
    return !(channel.localAddress() instanceof InetSocketAddress);
  }
}
