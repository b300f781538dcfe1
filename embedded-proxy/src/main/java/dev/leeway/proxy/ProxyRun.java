package dev.leeway.proxy;

import dev.leeway.proxy.backend.ServerConnector;
import dev.leeway.proxy.backend.ServerPools;
import dev.leeway.proxy.backend.Transport;
import dev.leeway.proxy.frontend.ClientLogin;
import dev.leeway.proxy.frontend.DevelopmentCertificate;
import dev.leeway.proxy.frontend.LoginFailures;
import dev.leeway.proxy.frontend.ProxyContext;
import dev.leeway.proxy.frontend.ProxyContext.Bounds;
import dev.leeway.proxy.frontend.ProxyContext.Face;
import dev.leeway.proxy.frontend.ProxyContext.Sharing;
import dev.leeway.proxy.frontend.SessionRegistry;
import dev.leeway.proxy.frontend.Users;
import dev.leeway.proxy.hostgroup.ServerAddress;
import dev.leeway.proxy.stats.ProxyCounters;
import dev.leeway.proxy.stats.ProxyStats;
import dev.leeway.proxy.wire.Capabilities;
import dev.leeway.proxy.wire.Greeting;
import dev.leeway.proxy.wire.PasswordKey;
import dev.leeway.statement.StatementGuard;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A proxy that runs: its threads and listening channels, which it owns and closes. */
final class ProxyRun implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ProxyRun.class);

  private static final int FAILURES_ALLOWED = 10;
  private static final Duration FAILURES_WINDOW = Duration.ofMinutes(1);
  private static final int STOP_SECONDS = 10;

  private final EventLoopGroup loops;
  private final ExecutorService resolver;
  private final ProxyCounters counters = new ProxyCounters();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final List<Channel> listening = new ArrayList<>();
  private @Nullable SocketAddress tcp;
  private @Nullable Path socket;

  private ProxyRun(EventLoopGroup loops, ExecutorService resolver) {
    this.loops = loops;
    this.resolver = resolver;
  }

  static ProxyRun start(ProxyBuilder settings, ServerAddress primary) {
    Transport transport = Transport.best();
    EventLoopGroup loops =
        new MultiThreadIoEventLoopGroup(
            settings.threads,
            new DefaultThreadFactory("leeway-proxy", true),
            transport.ioHandlers());
    ExecutorService resolver =
        Executors.newSingleThreadExecutor(new DefaultThreadFactory("leeway-proxy-resolver", true));
    ProxyRun run = new ProxyRun(loops, resolver);
    try {
      run.open(settings, primary, transport);
      return run;
    } catch (Exception e) {
      run.close();
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw new ProxyStartException("Leeway proxy - cannot start: " + e.getMessage(), e);
    }
  }

  private void open(ProxyBuilder settings, ServerAddress primary, Transport transport)
      throws Exception {
    ServerConnector connector =
        new ServerConnector(
            transport, resolver, settings.connectTimeout, serverTls(settings.serverTls), counters);
    Greeting greeting = connector.greeting(loops.next(), primary).sync().getNow();
    ProxyContext proxy =
        new ProxyContext(
            new Face(
                greeting.serverVersion(),
                greeting.capabilities() & Capabilities.OF_SESSION,
                greeting.collation()),
            new Users(settings.users, settings.passThroughUsers),
            new LoginFailures(FAILURES_ALLOWED, FAILURES_WINDOW, System::nanoTime),
            clientTls(settings),
            new PasswordKey(),
            connector,
            primary,
            sharing(settings, connector),
            new SessionRegistry(),
            counters,
            new Bounds(
                settings.loginTimeout,
                settings.clientStall,
                settings.serverSilence,
                settings.maxClients));
    Path path = settings.socket;
    if (path != null) {
      listening.add(listen(proxy, transport, true, transport.localSocket(path)));
      socket = path;
    }
    InetSocketAddress address = settings.listen;
    if (address == null && path == null) {
      address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }
    if (address != null) {
      Channel channel = listen(proxy, transport, false, address);
      listening.add(channel);
      tcp = channel.localAddress();
    }
    log.info(
        "Leeway proxy - listens on {} for {}, {}",
        listening.stream().map(channel -> String.valueOf(channel.localAddress())).toList(),
        primary,
        greeting.serverVersion());
  }

  private Channel listen(
      ProxyContext proxy, Transport transport, boolean localSocket, SocketAddress address)
      throws InterruptedException {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loops)
            .channel(transport.acceptor(localSocket))
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new ClientLogin(proxy));
                  }
                });
    if (!localSocket) {
      bootstrap
          .childOption(ChannelOption.TCP_NODELAY, true)
          .childOption(ChannelOption.SO_KEEPALIVE, true);
    }
    return bootstrap.bind(address).sync().channel();
  }

  private @Nullable Sharing sharing(ProxyBuilder settings, ServerConnector connector) {
    int most = settings.sharedConnections;
    if (most == 0) {
      return null;
    }
    return new Sharing(
        new ServerPools(
            connector, Math.max(1, most / settings.threads), settings.connectionWait, counters),
        StatementGuard.create(),
        settings.hold);
  }

  private static @Nullable SslContext clientTls(ProxyBuilder settings) throws SSLException {
    Path chain = settings.certificateChain;
    Path key = settings.privateKey;
    if (chain != null && key != null) {
      return SslContextBuilder.forServer(chain.toFile(), key.toFile()).build();
    }
    return settings.developmentTls ? DevelopmentCertificate.context() : null;
  }

  private static @Nullable SslContext serverTls(ServerTls mode) throws SSLException {
    return switch (mode) {
      case OFF -> null;
      case UNVERIFIED ->
          SslContextBuilder.forClient()
              .trustManager(InsecureTrustManagerFactory.INSTANCE)
              .endpointIdentificationAlgorithm(null)
              .build();
      case VERIFIED -> SslContextBuilder.forClient().build();
    };
  }

  @Nullable SocketAddress tcpAddress() {
    return tcp;
  }

  @Nullable Path socketPath() {
    return socket;
  }

  ProxyStats stats() {
    return counters.snapshot();
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    listening.forEach(Channel::close);
    resolver.shutdownNow();
    // The loops close every channel that is registered with them.
    loops
        .shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
    Path path = socket;
    if (path != null && !path.toFile().delete() && path.toFile().exists()) {
      log.warn("Leeway proxy - the socket {} could not be removed", path);
    }
  }
}
