package dev.leeway.proxy;

import dev.leeway.proxy.stats.ProxyStats;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A MySQL proxy in this process: any MySQL client, in any language, connects to it as to a server.
 *
 * <p>Safe for any number of threads. {@link #close} ends it with all its connections.
 */
public final class EmbeddedProxy implements AutoCloseable {
  private final ProxyRun run;

  EmbeddedProxy(ProxyRun run) {
    this.run = run;
  }

  /** Begins a proxy. */
  public static ProxyBuilder builder() {
    return new ProxyBuilder();
  }

  /**
   * The JDBC URL of this proxy, without account, for a client in this process.
   *
   * @param schema the schema to start in; empty for none
   * @throws IllegalStateException if the proxy listens on a Unix socket only
   */
  public String jdbcUrl(String schema) {
    InetSocketAddress address = address();
    // Within one machine nobody can listen, and TLS would cost every connection a handshake.
    return "jdbc:mysql://%s:%d/%s?sslMode=DISABLED"
        .formatted(address.getAddress().getHostAddress(), address.getPort(), schema);
  }

  /**
   * Where the proxy listens for TCP.
   *
   * @throws IllegalStateException if it listens on a Unix socket only
   */
  public InetSocketAddress address() {
    SocketAddress address = run.tcpAddress();
    if (address instanceof InetSocketAddress tcp) {
      return tcp;
    }
    throw new IllegalStateException(
        "Leeway proxy - it listens on a Unix socket only (expected: listen(port) too)");
  }

  /** The Unix socket on which the proxy listens, or null. */
  public @Nullable Path socket() {
    return run.socketPath();
  }

  /** What the proxy has done so far. */
  public ProxyStats stats() {
    return run.stats();
  }

  /** Closes all connections and stops listening; the second call does nothing. */
  @Override
  public void close() {
    run.close();
  }
}
