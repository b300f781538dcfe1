package dev.leeway.proxy;

import dev.leeway.proxy.backend.Account;
import dev.leeway.proxy.hostgroup.ServerAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collects what a proxy needs. Not safe for several threads. */
public final class ProxyBuilder {
  private static final int MOST_THREADS = 64;

  @Nullable ServerAddress primary;
  final Map<String, Account> users = new LinkedHashMap<>();
  boolean passThroughUsers;
  @Nullable InetSocketAddress listen;
  @Nullable Path socket;
  ServerTls serverTls = ServerTls.OFF;
  boolean developmentTls = true;
  @Nullable Path certificateChain;
  @Nullable Path privateKey;
  int threads = Math.min(2, Runtime.getRuntime().availableProcessors());
  int maxClients = 10_000;
  Duration loginTimeout = Duration.ofSeconds(10);
  Duration connectTimeout = Duration.ofSeconds(5);
  Duration clientStall = Duration.ofSeconds(60);
  Duration serverSilence = Duration.ofHours(1);
  int sharedConnections;
  Duration connectionWait = Duration.ofSeconds(10);
  Duration hold = Duration.ofSeconds(1);

  ProxyBuilder() {}

  /**
   * The server that takes writes.
   *
   * @param name what messages and metrics call it
   */
  public ProxyBuilder primary(String name, String host, int port) {
    return primary(ServerAddress.of(name, host, port));
  }

  /** The server that takes writes, by its Unix socket. */
  public ProxyBuilder primary(String name, Path unixSocket) {
    return primary(ServerAddress.of(name, unixSocket));
  }

  private ProxyBuilder primary(ServerAddress address) {
    if (primary != null) {
      throw new IllegalStateException("Leeway proxy - primary was already set to " + primary);
    }
    primary = address;
    return this;
  }

  /**
   * Somebody who may log in. The proxy checks the password, and logs in to the servers as the same
   * user.
   */
  public ProxyBuilder user(String name, String password) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(password, "password");
    if (users.containsKey(name)) {
      throw new IllegalStateException("Leeway proxy - user '" + name + "' was already given");
    }
    users.put(name, new Account(name, password.getBytes(StandardCharsets.UTF_8)));
    return this;
  }

  /**
   * Lets in whomever the primary lets in: who is not configured gives his password in full, over
   * TLS, a Unix socket or by the proxy's public key, and the primary decides. Default: off.
   */
  public ProxyBuilder passThroughUsers() {
    passThroughUsers = true;
    return this;
  }

  /**
   * The port on loopback. Default: a free one, unless {@link #listenOn(Path)} is given.
   *
   * @param port 1 to 65535, or 0 for a free one
   */
  public ProxyBuilder listen(int port) {
    return listenOn(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /** The address to listen on, where it is not loopback: others can connect then. */
  public ProxyBuilder listenOn(InetSocketAddress address) {
    if (listen != null) {
      throw new IllegalStateException("Leeway proxy - it was already told to listen on " + listen);
    }
    listen = Objects.requireNonNull(address, "address");
    return this;
  }

  /**
   * A Unix socket to listen on. The file is made at the start and removed at the end; one that is
   * there already is an error.
   */
  public ProxyBuilder listenOn(Path unixSocket) {
    socket = Objects.requireNonNull(unixSocket, "unixSocket");
    return this;
  }

  /**
   * The certificate shown to clients that want TLS, and its key, both in PEM. Default: one that is
   * made anew at each start, good enough to develop with.
   */
  public ProxyBuilder certificate(Path chain, Path key) {
    certificateChain = Objects.requireNonNull(chain, "chain");
    privateKey = Objects.requireNonNull(key, "key");
    return this;
  }

  /** Offers clients no TLS at all. */
  public ProxyBuilder withoutClientTls() {
    developmentTls = false;
    return this;
  }

  /** How to talk to the servers. Default: {@link ServerTls#OFF}. */
  public ProxyBuilder serverTls(ServerTls mode) {
    serverTls = Objects.requireNonNull(mode, "mode");
    return this;
  }

  /** Event loops, 1 to 64. Default: 2, or 1 on a machine with one processor. */
  public ProxyBuilder threads(int count) {
    threads = count;
    return this;
  }

  /** How many clients may be connected at once; more get an error. Default: 10,000. */
  public ProxyBuilder maxClients(int count) {
    maxClients = count;
    return this;
  }

  /** How long a login may take. Default: 10 seconds. */
  public ProxyBuilder loginTimeout(Duration timeout) {
    loginTimeout = timeout;
    return this;
  }

  /** How long opening a server connection may take. Default: 5 seconds. */
  public ProxyBuilder connectTimeout(Duration timeout) {
    connectTimeout = timeout;
    return this;
  }

  /**
   * How long a client may send nothing in the middle of a command, or take nothing of a result.
   * Default: 60 seconds.
   */
  public ProxyBuilder clientStall(Duration timeout) {
    clientStall = timeout;
    return this;
  }

  /**
   * How long a server may send nothing while it runs a statement; the session ends with an error
   * then. Default: 1 hour.
   */
  public ProxyBuilder serverSilence(Duration timeout) {
    serverSilence = timeout;
    return this;
  }

  /**
   * Lets sessions share server connections: one that has nothing on its connection that it needs
   * gives it to the next. Default: each session has its own connection.
   *
   * @param most connections to the server at once, at least one for each of {@link #threads}
   */
  public ProxyBuilder shareConnections(int most) {
    if (most < 1) {
      throw new IllegalArgumentException(
          "Leeway proxy - shareConnections: " + most + " (expected: 1 or more)");
    }
    sharedConnections = most;
    return this;
  }

  /** How long a session waits for a shared connection. Default: 10 seconds. */
  public ProxyBuilder connectionWait(Duration timeout) {
    connectionWait = timeout;
    return this;
  }

  /**
   * How long a session keeps a shared connection after a statement whose outcome the next one may
   * ask about: warnings, an error, changed rows. Default: 1 second.
   */
  public ProxyBuilder hold(Duration time) {
    hold = time;
    return this;
  }

  /**
   * Starts the proxy: asks the primary who it is, and listens.
   *
   * @throws IllegalStateException if something is missing or contradictory; names all of it
   * @throws ProxyStartException if the primary does not answer or the address cannot be had;
   *     nothing is left running then
   */
  public EmbeddedProxy start() {
    List<String> problems = new ArrayList<>();
    ServerAddress server = primary;
    if (server == null) {
      problems.add("primary is missing; give the server that takes writes");
    }
    if (users.isEmpty() && !passThroughUsers) {
      problems.add("nobody may log in; give a user, or passThroughUsers()");
    }
    if (threads < 1 || threads > MOST_THREADS) {
      problems.add("threads: " + threads + " (expected: 1 to " + MOST_THREADS + ")");
    }
    if (maxClients < 1) {
      problems.add("maxClients: " + maxClients + " (expected: 1 or more)");
    }
    positive("loginTimeout", loginTimeout, problems);
    positive("connectTimeout", connectTimeout, problems);
    positive("clientStall", clientStall, problems);
    positive("serverSilence", serverSilence, problems);
    positive("connectionWait", connectionWait, problems);
    positive("hold", hold, problems);
    if (sharedConnections > 0 && sharedConnections < threads) {
      problems.add(
          "shareConnections: %d (expected: at least one for each of %d threads)"
              .formatted(sharedConnections, threads));
    }
    if (server == null || !problems.isEmpty()) {
      throw new IllegalStateException(
          "Leeway proxy - cannot start: " + String.join("; ", problems));
    }
    return new EmbeddedProxy(ProxyRun.start(this, server));
  }

  private static void positive(String name, Duration value, List<String> problems) {
    if (value.toMillis() < 1) {
      problems.add(name + ": " + value + " (expected: 1 ms or more)");
    }
  }
}
