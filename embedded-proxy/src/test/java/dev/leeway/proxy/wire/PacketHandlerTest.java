package dev.leeway.proxy.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.proxy.NoLeaks;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
class PacketHandlerTest {
  /** Two packets and the beginning of what belongs to the next handler. */
  private static final byte[] STREAM = {2, 0, 0, 0, 'a', 'b', 1, 0, 0, 1, 'c', 9, 9, 9};

  private static final class Reader extends PacketHandler {
    final List<String> packets = new ArrayList<>();

    Reader() {
      super(1024);
    }

    @Override
    protected void packet(ChannelHandlerContext context, ByteBuf payload) {
      packets.add(ByteBufUtil.hexDump(payload));
      if (packets.size() == 2) {
        context.pipeline().remove(this);
      }
    }
  }

  private static ByteBuf bytes(byte[] stream, int from, int to) {
    return PooledByteBufAllocator.DEFAULT.buffer().writeBytes(stream, from, to - from);
  }

  @Test
  void packetsAreTheSameHoweverTheNetworkCutsThemAndTheRestIsPassedOn() {
    for (int cut = 0; cut <= STREAM.length; cut++) {
      Reader reader = new Reader();
      EmbeddedChannel channel = new EmbeddedChannel(reader);
      channel.writeInbound(bytes(STREAM, 0, cut));
      channel.writeInbound(bytes(STREAM, cut, STREAM.length));

      assertThat(reader.packets).as("cut after byte %d", cut).containsExactly("6162", "63");
      StringBuilder rest = new StringBuilder();
      for (ByteBuf part = channel.readInbound(); part != null; part = channel.readInbound()) {
        rest.append(ByteBufUtil.hexDump(part));
        part.release();
      }
      assertThat(rest).as("cut after byte %d", cut).hasToString("090909");
      channel.finishAndReleaseAll();
    }
  }

  @Test
  void aStrangerCannotMakeUsBufferMoreThanTheLimit() {
    EmbeddedChannel channel = new EmbeddedChannel(new Reader());

    assertThatThrownBy(() -> channel.writeInbound(bytes(new byte[] {1, 4, 0, 0}, 0, 4)))
        .isInstanceOf(DecoderException.class)
        .rootCause()
        .isInstanceOf(MalformedPacketException.class)
        .hasMessage("packet of 1025 bytes (expected: at most 1024 during a login)");
    channel.finishAndReleaseAll();
  }

  @Test
  void aPacketOutOfOrderIsRefused() {
    EmbeddedChannel channel = new EmbeddedChannel(new Reader());

    assertThatThrownBy(() -> channel.writeInbound(bytes(new byte[] {1, 0, 0, 5}, 0, 4)))
        .rootCause()
        .hasMessage("packet number 5 (expected: 0)");
    channel.finishAndReleaseAll();
  }
}
