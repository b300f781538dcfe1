package dev.leeway.proxy.frontend;

import dev.leeway.proxy.backend.ServerConnector;
import dev.leeway.proxy.backend.ServerPools;
import dev.leeway.proxy.hostgroup.ServerAddress;
import dev.leeway.proxy.stats.ProxyCounters;
import dev.leeway.proxy.wire.PasswordKey;
import dev.leeway.statement.StatementGuard;
import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What all sessions of a proxy share.
 *
 * @param face what clients are greeted with
 * @param tls for clients, or null if none is offered
 * @param sharing how sessions share server connections; null if each has its own
 * @param passwordKey for passwords that travel in full without TLS
 */
public record ProxyContext(
    Face face,
    Users users,
    LoginFailures failures,
    @Nullable SslContext tls,
    PasswordKey passwordKey,
    ServerConnector connector,
    ServerAddress primary,
    @Nullable Sharing sharing,
    SessionRegistry sessions,
    ProxyCounters counters,
    Bounds bounds) {

  /**
   * How the proxy looks to a client.
   *
   * @param serverVersion the primary's
   * @param capabilities that the servers have and the proxy can relay
   * @param collation the primary's default
   */
  public record Face(String serverVersion, int capabilities, int collation) {}

  /**
   * How sessions share server connections.
   *
   * @param hold how long a session keeps its connection for the sake of what its last statement
   *     left, such as warnings
   */
  public record Sharing(ServerPools pools, StatementGuard guard, Duration hold) {}

  /**
   * How long the proxy waits for what.
   *
   * @param login from the connection to the end of the login
   * @param clientStall for the next bytes of a client that has begun to send or does not read
   * @param serverSilence for the next bytes of a server that is running a statement
   * @param clients how many may be connected at once
   */
  public record Bounds(Duration login, Duration clientStall, Duration serverSilence, int clients) {}
}
