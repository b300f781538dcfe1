package dev.leeway.proxy.backend;

import dev.leeway.proxy.wire.AuthPackets;
import dev.leeway.proxy.wire.Capabilities;
import dev.leeway.proxy.wire.ChangeUserRequest;
import dev.leeway.proxy.wire.ErrPacket;
import dev.leeway.proxy.wire.Greeting;
import dev.leeway.proxy.wire.LoginRequest;
import dev.leeway.proxy.wire.MalformedPacketException;
import dev.leeway.proxy.wire.OkPacket;
import dev.leeway.proxy.wire.PacketHandler;
import dev.leeway.proxy.wire.PasswordKey;
import dev.leeway.proxy.wire.Passwords;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.Promise;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of a login, or of a change of user on a connection that is logged in already.
 *
 * <p>One for each attempt; completes its promise and leaves the pipeline, or fails the promise and
 * closes the channel.
 */
final class ServerLogin extends PacketHandler {
  private static final int LIMIT_BYTES = 64 * 1024;

  private enum Step {
    GREETING,
    TLS,
    ANSWER,
    PUBLIC_KEY,
    OVER
  }

  /** What a login found out. */
  record Result(
      Channel channel, Greeting greeting, int capabilities, byte[] okPayload, int status) {}

  private final String server;
  private final ServerSession wanted;
  private final @Nullable SslContext tls;
  private final boolean passwordMayTravelOpenly;
  private final Promise<Result> result;

  private Step step;
  private @Nullable Greeting greeting;
  private int capabilities;
  private String plugin = Passwords.CACHING_SHA2;
  private byte[] nonce = new byte[0];
  private boolean encrypted;

  private ServerLogin(
      String server,
      ServerSession wanted,
      @Nullable SslContext tls,
      boolean passwordMayTravelOpenly,
      Promise<Result> result,
      Step step) {
    super(LIMIT_BYTES);
    this.server = server;
    this.wanted = wanted;
    this.tls = tls;
    this.passwordMayTravelOpenly = passwordMayTravelOpenly;
    this.result = result;
    this.step = step;
  }

  /**
   * Waits for the greeting and logs in.
   *
   * @param tls to be begun if the server offers it, or null
   * @param localSocket whether nobody can listen, so that the password may travel as it is
   */
  static ServerLogin fresh(
      String server,
      ServerSession wanted,
      @Nullable SslContext tls,
      boolean localSocket,
      Promise<Result> result) {
    return new ServerLogin(server, wanted, tls, localSocket, result, Step.GREETING);
  }

  /** Follows a COM_CHANGE_USER that this handler sends when it is added. */
  static ServerLogin changeOfUser(
      String server,
      ServerSession wanted,
      Greeting greeting,
      int capabilities,
      boolean passwordMayTravelOpenly,
      Promise<Result> result) {
    ServerLogin login =
        new ServerLogin(server, wanted, null, passwordMayTravelOpenly, result, Step.ANSWER);
    login.greeting = greeting;
    login.capabilities = capabilities;
    login.nonce = greeting.nonce();
    return login;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    if (step == Step.ANSWER) {
      ByteBuf out = context.alloc().buffer();
      new ChangeUserRequest(
              wanted.account().user(),
              Passwords.prove(plugin, wanted.account().password(), nonce),
              wanted.schema(),
              wanted.collation(),
              plugin,
              wanted.attributes())
          .write(out);
      takeSequence();
      context.writeAndFlush(out);
    }
  }

  @Override
  protected void packet(ChannelHandlerContext context, ByteBuf payload) {
    switch (step) {
      case GREETING -> greeting(context, payload);
      case ANSWER -> answer(context, payload);
      case PUBLIC_KEY -> publicKey(context, payload);
      case TLS -> throw new MalformedPacketException("packet before TLS began (expected: TLS)");
      case OVER -> throw new MalformedPacketException("packet after the login (expected: none)");
    }
  }

  private void greeting(ChannelHandlerContext context, ByteBuf payload) {
    if (payload.isReadable()
        && payload.getUnsignedByte(payload.readerIndex()) == ErrPacket.HEADER) {
      fail(context, ServerException.refused(ErrPacket.read(payload)));
      return;
    }
    Greeting read = Greeting.read(payload);
    greeting = read;
    nonce = read.nonce();
    if (Passwords.isKnown(read.authPlugin())) {
      plugin = read.authPlugin();
    }
    int lacking = wanted.capabilities() & ~read.capabilities();
    if (lacking != 0) {
      fail(
          context,
          ServerException.unreachable(
              server, "it lacks capabilities 0x%X that the client was offered".formatted(lacking)));
      return;
    }
    capabilities =
        wanted.capabilities()
            | (wanted.schema().isEmpty()
                ? Capabilities.OF_LOGIN & ~Capabilities.CONNECT_WITH_DB
                : Capabilities.OF_LOGIN);
    if (tls != null) {
      if (!Capabilities.has(read.capabilities(), Capabilities.SSL)) {
        fail(context, ServerException.unreachable(server, "it offers no TLS"));
        return;
      }
      capabilities |= Capabilities.SSL;
      ByteBuf out = context.alloc().buffer();
      request(new byte[0]).writeSslRequest(out, takeSequence());
      context.writeAndFlush(out);
      step = Step.TLS;
      context.pipeline().addFirst(tls.newHandler(context.alloc()));
    } else {
      sendRequest(context);
    }
  }

  private LoginRequest request(byte[] proof) {
    return new LoginRequest(
        capabilities,
        wanted.maxPacketBytes(),
        wanted.collation(),
        wanted.account().user(),
        proof,
        wanted.schema(),
        plugin,
        wanted.attributes());
  }

  private void sendRequest(ChannelHandlerContext context) {
    step = Step.ANSWER;
    ByteBuf out = context.alloc().buffer();
    request(Passwords.prove(plugin, wanted.account().password(), nonce)).write(out, takeSequence());
    context.writeAndFlush(out);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshake && step == Step.TLS) {
      if (handshake.isSuccess()) {
        encrypted = true;
        sendRequest(context);
      } else {
        fail(
            context,
            ServerException.unreachable(server, "TLS did not begin: " + handshake.cause()));
      }
    }
    context.fireUserEventTriggered(event);
  }

  private void answer(ChannelHandlerContext context, ByteBuf payload) {
    int first = payload.isReadable() ? payload.getUnsignedByte(payload.readerIndex()) : -1;
    switch (first) {
      case OkPacket.HEADER -> succeed(context, payload);
      case ErrPacket.HEADER -> fail(context, ServerException.refused(ErrPacket.read(payload)));
      case AuthPackets.SWITCH -> switchMethod(context, AuthPackets.Switch.read(payload));
      case AuthPackets.MORE_DATA -> moreData(context, payload);
      default ->
          throw new MalformedPacketException(
              "login answered with %d (expected: OK, ERR, another method or its data)"
                  .formatted(first));
    }
  }

  private void switchMethod(ChannelHandlerContext context, AuthPackets.Switch other) {
    if (!Passwords.isKnown(other.plugin())) {
      fail(
          context,
          ServerException.unreachable(
              server,
              "account '%s' logs in by '%s' (expected: %s or %s)"
                  .formatted(
                      wanted.account().user(),
                      other.plugin(),
                      Passwords.CACHING_SHA2,
                      Passwords.NATIVE)));
      return;
    }
    plugin = other.plugin();
    nonce = other.nonce();
    send(context, Passwords.prove(plugin, wanted.account().password(), nonce));
  }

  private void moreData(ChannelHandlerContext context, ByteBuf payload) {
    int what =
        payload.readableBytes() == 2 ? payload.getUnsignedByte(payload.readerIndex() + 1) : -1;
    if (what == AuthPackets.FAST_SUCCESS) {
      return;
    }
    if (what != AuthPackets.FULL_AUTHENTICATION || !plugin.equals(Passwords.CACHING_SHA2)) {
      throw new MalformedPacketException(
          "data of %d bytes for '%s' (expected: that the proof was right, or a request for more)"
              .formatted(payload.readableBytes(), plugin));
    }
    if (encrypted || passwordMayTravelOpenly) {
      send(context, Passwords.terminated(wanted.account().password()));
    } else {
      step = Step.PUBLIC_KEY;
      send(context, new byte[] {AuthPackets.REQUEST_PUBLIC_KEY});
    }
  }

  private void publicKey(ChannelHandlerContext context, ByteBuf payload) {
    int first = payload.isReadable() ? payload.getUnsignedByte(payload.readerIndex()) : -1;
    if (first == ErrPacket.HEADER) {
      fail(context, ServerException.refused(ErrPacket.read(payload)));
      return;
    }
    if (first != AuthPackets.MORE_DATA) {
      throw new MalformedPacketException(
          "answer %d to the question for a public key (expected: the key)".formatted(first));
    }
    byte[] pem =
        ByteBufUtil.getBytes(payload, payload.readerIndex() + 1, payload.readableBytes() - 1);
    step = Step.ANSWER;
    send(context, PasswordKey.encrypt(pem, wanted.account().password(), nonce));
  }

  private void send(ChannelHandlerContext context, byte[] data) {
    ByteBuf out = context.alloc().buffer();
    AuthPackets.writeBytes(out, takeSequence(), data);
    context.writeAndFlush(out);
  }

  private void succeed(ChannelHandlerContext context, ByteBuf payload) {
    step = Step.OVER;
    Greeting known = greeting;
    if (known == null) {
      throw new MalformedPacketException("OK before any greeting (expected: a greeting)");
    }
    result.trySuccess(
        new Result(
            context.channel(),
            known,
            capabilities,
            ByteBufUtil.getBytes(payload),
            OkPacket.status(payload)));
    context.pipeline().remove(this);
  }

  private void fail(ChannelHandlerContext context, ServerException problem) {
    step = Step.OVER;
    result.tryFailure(problem);
    context.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) throws Exception {
    super.channelInactive(context);
    result.tryFailure(
        ServerException.unreachable(server, "it closed the connection during the login"));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Throwable root =
        cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
    fail(context, ServerException.unreachable(server, String.valueOf(root.getMessage())));
  }
}
