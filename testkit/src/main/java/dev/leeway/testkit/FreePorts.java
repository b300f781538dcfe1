package dev.leeway.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.concurrent.ThreadLocalRandom;

/** Finds loopback ports that nobody listens on. */
final class FreePorts {
  /*
   * Ports are taken below 32768, where no common system takes the local ports of outgoing connections
   * from. A server that is killed and started again must get its port back, and between the two any
   * connection of any program might otherwise take it.
   */
  private static final int LOWEST = 20_000;
  private static final int HIGHEST = 32_000;
  private static final int TRIES = 200;

  /** Where everything here listens; not {@code ::1}, whatever this JVM prefers. */
  static final InetAddress LOOPBACK = loopback();

  private FreePorts() {}

  private static InetAddress loopback() {
    try {
      return InetAddress.getByAddress("127.0.0.1", new byte[] {127, 0, 0, 1});
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four bytes are an address", e);
    }
  }

  static int next() {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      try (ServerSocket probe = new ServerSocket()) {
        probe.bind(new InetSocketAddress(LOOPBACK, port));
        return port;
      } catch (IOException e) {
        // Taken; try another.
      }
    }
    throw new ClusterException(
        "testkit - no free port found on loopback in "
            + TRIES
            + " tries between "
            + LOWEST
            + " and "
            + HIGHEST);
  }
}
