package dev.leeway.proxy.frontend;

import dev.leeway.proxy.backend.Account;
import dev.leeway.proxy.backend.ServerConnection;
import dev.leeway.proxy.backend.ServerException;
import dev.leeway.proxy.backend.ServerPool;
import dev.leeway.proxy.backend.ServerSession;
import dev.leeway.proxy.backend.Setting;
import dev.leeway.proxy.frontend.ProxyContext.Sharing;
import dev.leeway.proxy.wire.Capabilities;
import dev.leeway.proxy.wire.ErrPacket;
import dev.leeway.proxy.wire.Greeting;
import dev.leeway.proxy.wire.LoginRequest;
import dev.leeway.proxy.wire.MalformedPacketException;
import dev.leeway.proxy.wire.PacketHandler;
import dev.leeway.proxy.wire.PacketWriter;
import dev.leeway.proxy.wire.ServerStatus;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.Future;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's side of a client's login, from the greeting to the OK.
 *
 * <p>The client is checked first, and only then is a server connection opened for it; the OK that
 * it gets is the server's own. Ends within a bound, whatever the client does.
 */
public final class ClientLogin extends PacketHandler {
  private static final Logger log = LoggerFactory.getLogger(ClientLogin.class);

  /** Connection attributes alone may take 64 KiB. */
  private static final int LIMIT_BYTES = 68 * 1024;

  private enum Step {
    REQUEST,
    PROOF,
    SERVER,
    OVER
  }

  private final ProxyContext proxy;
  private final int id;
  private final PasswordProof proof;

  private Step step = Step.REQUEST;
  private boolean encrypted;
  private boolean counted;
  private @Nullable LoginRequest request;
  private @Nullable Future<?> timer;

  public ClientLogin(ProxyContext proxy) {
    super(LIMIT_BYTES);
    this.proxy = proxy;
    this.id = proxy.sessions().nextId();
    this.proof = new PasswordProof(proxy.users(), proxy.passwordKey());
  }

  @Override
  public void channelActive(ChannelHandlerContext context) throws Exception {
    counted = true;
    proxy.counters().clientConnected();
    timer =
        context
            .executor()
            .schedule(
                () -> refuse(context, LoginErrors.TOO_SLOW),
                proxy.bounds().login().toMillis(),
                TimeUnit.MILLISECONDS);
    if (proxy.counters().clients() > proxy.bounds().clients()) {
      refuse(context, LoginErrors.TOO_MANY);
      return;
    }
    ByteBuf out = context.alloc().buffer();
    new Greeting(
            proxy.face().serverVersion(),
            id,
            proof.nonce(),
            offered(),
            proxy.face().collation(),
            ServerStatus.AUTOCOMMIT,
            proof.plugin())
        .write(out);
    takeSequence();
    context.writeAndFlush(out);
    super.channelActive(context);
  }

  private int offered() {
    int offered = proxy.face().capabilities() | Capabilities.OF_LOGIN;
    return proxy.tls() != null ? offered | Capabilities.SSL : offered;
  }

  @Override
  protected void packet(ChannelHandlerContext context, ByteBuf payload) {
    switch (step) {
      case REQUEST -> request(context, payload);
      case PROOF -> {
        proof.answer(payload, isPrivate(context));
        next(context);
      }
      case SERVER, OVER ->
          throw new MalformedPacketException("packet during the login (expected: none)");
    }
  }

  private void request(ChannelHandlerContext context, ByteBuf payload) {
    SslContext tls = proxy.tls();
    if (!encrypted && tls != null && LoginRequest.isSslRequest(payload)) {
      encrypted = true;
      // What came behind the request is the beginning of TLS, and is never read as plain packets.
      ByteBuf rest = takeRest();
      context.pipeline().addFirst(tls.newHandler(context.alloc()));
      if (rest.isReadable()) {
        context.pipeline().fireChannelRead(rest);
      } else {
        rest.release();
      }
      return;
    }
    LoginRequest read = LoginRequest.read(payload, offered());
    request = read;
    if (proxy.failures().isBlocked(address(context), read.user())) {
      refuse(context, LoginErrors.blocked(read.user()));
      return;
    }
    proof.begin(read.user(), read.authPlugin(), read.authResponse());
    next(context);
  }

  /** Whether nobody can listen between the client and here. */
  private boolean isPrivate(ChannelHandlerContext context) {
    return encrypted || ClientAddress.isLocalSocket(context.channel());
  }

  private void next(ChannelHandlerContext context) {
    LoginRequest known = request;
    if (known == null) {
      throw new IllegalStateException("a proof without a request");
    }
    ByteBuf out = context.alloc().buffer();
    boolean more = proof.writeNext(out, this::takeSequence);
    if (out.isReadable()) {
      context.writeAndFlush(out);
    } else {
      out.release();
    }
    if (more) {
      step = Step.PROOF;
      return;
    }
    Account account = proof.account();
    if (account == null) {
      proxy.failures().failed(address(context), known.user());
      refuse(
          context,
          LoginErrors.denied(
              known.user(), ClientAddress.host(context.channel()), proof.usedPassword()));
      return;
    }
    step = Step.SERVER;
    holdRest();
    context.channel().config().setAutoRead(false);
    openServer(context, known, account);
  }

  private void openServer(ChannelHandlerContext context, LoginRequest known, Account account) {
    ServerSession wanted =
        new ServerSession(
            account,
            known.capabilities() & Capabilities.OF_SESSION,
            known.collation(),
            known.maxPacketBytes(),
            known.schema(),
            known.attributes());
    Sharing sharing = proxy.sharing();
    if (sharing != null) {
      // Attributes are shown per connection and would be another client's.
      ServerSession shared = wanted.withoutAttributes();
      sharing
          .pools()
          .of(context.channel().eventLoop(), proxy.primary())
          .acquire(new LoginTaker(context, known, shared));
      return;
    }
    proxy
        .connector()
        .connect(context.channel().eventLoop(), proxy.primary(), wanted)
        .addListener(
            (Future<ServerConnection> opened) -> {
              if (opened.isSuccess()) {
                welcome(context, wanted, opened.getNow());
              } else {
                refuseFor(context, known, opened.cause());
              }
            });
  }

  /** Waits for a shared connection, on which the server itself accepts the login. */
  private final class LoginTaker implements ServerPool.Taker {
    private final ChannelHandlerContext context;
    private final LoginRequest known;
    private final ServerSession wanted;

    LoginTaker(ChannelHandlerContext context, LoginRequest known, ServerSession wanted) {
      this.context = context;
      this.known = known;
      this.wanted = wanted;
    }

    @Override
    public ServerSession identity() {
      return wanted;
    }

    @Override
    public List<Setting> settings() {
      return List.of();
    }

    @Override
    public void taken(ServerConnection connection, boolean untouched) {
      welcome(context, wanted, connection);
    }

    @Override
    public void failed(ServerException problem) {
      refuseFor(context, known, problem);
    }
  }

  private void refuseFor(
      ChannelHandlerContext context, LoginRequest known, @Nullable Throwable cause) {
    proxy.users().forget(known.user());
    if (cause instanceof ServerException problem) {
      if (problem.isRefusal()) {
        proxy.failures().failed(address(context), known.user());
      }
      refuse(context, problem.error());
    } else {
      refuse(context, LoginErrors.internal(String.valueOf(cause)));
    }
  }

  private void welcome(
      ChannelHandlerContext context, ServerSession wanted, ServerConnection server) {
    if (step != Step.SERVER || !context.channel().isActive()) {
      server.quit();
      return;
    }
    proxy.users().learn(wanted.account());
    proxy.failures().succeeded(address(context), wanted.account().user());
    step = Step.OVER;
    stopTimer();
    ByteBuf out = context.alloc().buffer();
    PacketWriter.begin(out, takeSequence()).writeBytes(server.loginOk()).end();
    context.writeAndFlush(out);
    counted = false;
    ClientSession session = new ClientSession(proxy, id, wanted, server, context.channel());
    context.pipeline().addLast(session);
    context.pipeline().remove(this);
    context.channel().config().setAutoRead(true);
  }

  private void refuse(ChannelHandlerContext context, ErrPacket error) {
    if (step == Step.OVER) {
      return;
    }
    step = Step.OVER;
    holdRest();
    stopTimer();
    proxy.counters().loginRefused();
    LoginRequest known = request;
    log.info(
        "Leeway proxy - refused {} from {}: {} {}",
        known == null ? "a connection" : known,
        ClientAddress.host(context.channel()),
        error.code(),
        error.message());
    ByteBuf out = context.alloc().buffer();
    error.write(out, takeSequence());
    context.writeAndFlush(out).addListener(ChannelFutureListener.CLOSE);
  }

  private static String address(ChannelHandlerContext context) {
    return ClientAddress.host(context.channel());
  }

  private void stopTimer() {
    Future<?> running = timer;
    if (running != null) {
      running.cancel(false);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) throws Exception {
    super.channelInactive(context);
    step = Step.OVER;
    stopTimer();
    if (counted) {
      counted = false;
      proxy.counters().clientGone();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Throwable root =
        cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
    if (root instanceof MalformedPacketException) {
      refuse(context, LoginErrors.malformed(root));
    } else {
      log.info(
          "Leeway proxy - a login from {} ended: {}",
          ClientAddress.host(context.channel()),
          root.toString());
      step = Step.OVER;
      context.close();
    }
  }
}
