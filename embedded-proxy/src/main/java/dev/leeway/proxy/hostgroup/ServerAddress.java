package dev.leeway.proxy.hostgroup;

import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A server's name and where it listens: a host and port, or a Unix socket.
 *
 * @param name what messages and metrics call it: 1 to 64 letters, digits, dots, dashes and
 *     underscores
 * @param host a name or an address; empty with a socket
 * @param port 1 to 65535; 0 with a socket
 * @param socket a Unix socket on this machine, or null
 */
public record ServerAddress(String name, String host, int port, @Nullable Path socket) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  /**
   * Checks the form; nothing is connected to.
   *
   * @throws IllegalArgumentException if a part is not of the form told above
   */
  public ServerAddress {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(host, "host");
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "Server name of "
              + name.length()
              + " characters (expected: 1 to 64 letters, digits, dots, dashes or underscores)");
    }
    if (socket == null && (host.isBlank() || port < 1 || port > 65535)) {
      throw new IllegalArgumentException(
          "Server '%s' - address '%s' port %d (expected: a host, and a port from 1 to 65535)"
              .formatted(name, host, port));
    }
  }

  /** A server on the network. */
  public static ServerAddress of(String name, String host, int port) {
    return new ServerAddress(name, host, port, null);
  }

  /** A server on this machine, by its socket. */
  public static ServerAddress of(String name, Path socket) {
    return new ServerAddress(name, "", 0, Objects.requireNonNull(socket, "socket"));
  }

  @Override
  public String toString() {
    return name + " at " + (socket != null ? socket : host + ":" + port);
  }
}
