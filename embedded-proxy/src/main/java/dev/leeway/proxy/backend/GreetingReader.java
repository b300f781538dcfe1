package dev.leeway.proxy.backend;

import dev.leeway.proxy.wire.ErrPacket;
import dev.leeway.proxy.wire.Greeting;
import dev.leeway.proxy.wire.PacketHandler;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.Promise;

/** Reads a server's greeting and goes away again. */
final class GreetingReader extends PacketHandler {
  private static final int LIMIT_BYTES = 4096;

  private final String server;
  private final Promise<Greeting> greeting;

  GreetingReader(String server, Promise<Greeting> greeting) {
    super(LIMIT_BYTES);
    this.server = server;
    this.greeting = greeting;
  }

  @Override
  protected void packet(ChannelHandlerContext context, ByteBuf payload) {
    if (payload.isReadable()
        && payload.getUnsignedByte(payload.readerIndex()) == ErrPacket.HEADER) {
      greeting.tryFailure(ServerException.refused(ErrPacket.read(payload)));
    } else {
      greeting.trySuccess(Greeting.read(payload));
    }
    context.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) throws Exception {
    super.channelInactive(context);
    greeting.tryFailure(ServerException.unreachable(server, "it closed the connection"));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    greeting.tryFailure(ServerException.unreachable(server, String.valueOf(cause.getMessage())));
    context.close();
  }
}
