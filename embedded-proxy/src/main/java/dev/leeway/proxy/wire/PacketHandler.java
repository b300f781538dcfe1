package dev.leeway.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;

/**
 * Hands out whole packets, one by one, where they are small and every one matters: during logins.
 *
 * <pre>
 *   0          3     4                  4 + length
 *   +----------+-----+------------------+
 *   | length   | seq | payload          |
 *   | 3 bytes, | 1   | length bytes     |
 *   | LE       |     |                  |
 *   +----------+-----+------------------+
 * </pre>
 *
 * <p>Until a login succeeds a stranger decides how much is buffered, so there is a limit; a packet
 * above it, or out of order, is a {@link MalformedPacketException}. Bytes that follow the login are
 * passed on when the handler is removed.
 */
public abstract class PacketHandler extends ByteToMessageDecoder {
  private final int limitBytes;
  private int nextSequence;
  private boolean held;

  /**
   * @param limitBytes the largest payload
   */
  protected PacketHandler(int limitBytes) {
    this.limitBytes = limitBytes;
  }

  /**
   * A packet has arrived.
   *
   * @param payload valid during the call only
   */
  protected abstract void packet(ChannelHandlerContext context, ByteBuf payload);

  @Override
  protected final void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (held || in.readableBytes() < PacketWriter.HEADER_BYTES) {
      return;
    }
    int start = in.readerIndex();
    int length = in.getUnsignedMediumLE(start);
    if (length > limitBytes) {
      in.skipBytes(in.readableBytes());
      throw new MalformedPacketException(
          "packet of %d bytes (expected: at most %d during a login)".formatted(length, limitBytes));
    }
    int sequence = in.getUnsignedByte(start + 3);
    if (sequence != (nextSequence & 0xFF)) {
      in.skipBytes(in.readableBytes());
      throw new MalformedPacketException(
          "packet number %d (expected: %d)".formatted(sequence, nextSequence & 0xFF));
    }
    if (in.readableBytes() < PacketWriter.HEADER_BYTES + length) {
      return;
    }
    nextSequence++;
    in.skipBytes(PacketWriter.HEADER_BYTES);
    packet(context, in.readSlice(length));
  }

  /** The number for the packet that is sent next; both sides count together. */
  protected final int takeSequence() {
    return nextSequence++ & 0xFF;
  }

  /** Leaves what follows where it is; the next handler gets it. */
  protected final void holdRest() {
    held = true;
  }

  /** What has arrived behind the packet that is being handled; the caller releases it. */
  protected final ByteBuf takeRest() {
    ByteBuf rest = internalBuffer();
    return rest.readBytes(rest.readableBytes());
  }
}
