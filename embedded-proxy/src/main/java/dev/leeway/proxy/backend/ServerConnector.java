package dev.leeway.proxy.backend;

import dev.leeway.proxy.hostgroup.ServerAddress;
import dev.leeway.proxy.stats.ProxyCounters;
import dev.leeway.proxy.wire.Greeting;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Opens connections to servers, each within a bound. Safe for any number of threads. */
public final class ServerConnector {
  private final Transport transport;
  private final Executor resolver;
  private final Duration bound;
  private final @Nullable SslContext tls;
  private final ProxyCounters counters;

  /**
   * @param resolver looks up host names, which may take long
   * @param bound for one attempt, from the look-up to the end of the login
   * @param tls for servers on the network, or null for none
   */
  public ServerConnector(
      Transport transport,
      Executor resolver,
      Duration bound,
      @Nullable SslContext tls,
      ProxyCounters counters) {
    this.transport = transport;
    this.resolver = resolver;
    this.bound = bound;
    this.tls = tls;
    this.counters = counters;
  }

  /**
   * Opens a connection and logs in.
   *
   * @return a future on the event loop; fails with a {@link ServerException} within the bound
   */
  public Future<ServerConnection> connect(
      EventLoop loop, ServerAddress server, ServerSession wanted) {
    Promise<ServerLogin.Result> login = loop.newPromise();
    Promise<ServerConnection> opened = loop.newPromise();
    boolean localSocket = server.socket() != null;
    SslContext used = localSocket ? null : tls;
    login.addListener(
        (Future<ServerLogin.Result> future) -> {
          if (!future.isSuccess()) {
            opened.tryFailure(future.cause());
            return;
          }
          Channel channel = future.getNow().channel();
          ServerConnection connection =
              new ServerConnection(server, future.getNow(), localSocket || used != null);
          counters.serverConnected();
          channel.closeFuture().addListener(closed -> counters.serverGone());
          channel.pipeline().addLast(connection);
          opened.trySuccess(connection);
        });
    dial(
        loop,
        server,
        ServerLogin.fresh(server.toString(), wanted, used, localSocket, login),
        login);
    return opened;
  }

  /**
   * Asks a server who it is, without logging in.
   *
   * @return a future on the event loop; fails with a {@link ServerException} within the bound
   */
  public Future<Greeting> greeting(EventLoop loop, ServerAddress server) {
    Promise<Greeting> greeting = loop.newPromise();
    dial(loop, server, new GreetingReader(server.toString(), greeting), greeting);
    return greeting;
  }

  private void dial(EventLoop loop, ServerAddress server, ChannelHandler handler, Promise<?> end) {
    Future<?> timer =
        loop.schedule(
            () ->
                end.tryFailure(
                    ServerException.unreachable(
                        server.toString(), "it did not answer within " + bound.toMillis() + " ms")),
            bound.toMillis(),
            TimeUnit.MILLISECONDS);
    end.addListener(done -> timer.cancel(false));
    String literal = server.host();
    Path socket = server.socket();
    if (socket != null) {
      open(loop, server, transport.localSocket(socket), handler, end);
    } else if (NetUtil.createByteArrayFromIpAddressString(literal) != null) {
      open(loop, server, new InetSocketAddress(literal, server.port()), handler, end);
    } else {
      resolver.execute(
          () -> {
            // A name that moves is looked up for every connection; Java remembers it as configured.
            try {
              InetAddress found = InetAddress.getByName(literal);
              SocketAddress address = new InetSocketAddress(found, server.port());
              loop.execute(() -> open(loop, server, address, handler, end));
            } catch (UnknownHostException e) {
              end.tryFailure(
                  ServerException.unreachable(server.toString(), "its host name is not known"));
            }
          });
    }
  }

  private void open(
      EventLoop loop,
      ServerAddress server,
      SocketAddress address,
      ChannelHandler handler,
      Promise<?> end) {
    if (end.isDone()) {
      return;
    }
    boolean localSocket = server.socket() != null;
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop)
            .channel(transport.connector(localSocket))
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) bound.toMillis())
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(handler);
                  }
                });
    if (!localSocket) {
      bootstrap.option(ChannelOption.TCP_NODELAY, true).option(ChannelOption.SO_KEEPALIVE, true);
    }
    ChannelFuture connecting = bootstrap.connect(address);
    connecting.addListener(
        connected -> {
          if (!connected.isSuccess()) {
            end.tryFailure(
                ServerException.unreachable(
                    server.toString(), String.valueOf(connected.cause().getMessage())));
          }
        });
    end.addListener(
        done -> {
          if (!done.isSuccess()) {
            connecting.channel().close();
          }
        });
  }
}
