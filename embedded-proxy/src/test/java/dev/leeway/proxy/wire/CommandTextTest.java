package dev.leeway.proxy.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CommandTextTest {
  private static final int ATTRIBUTES = Capabilities.QUERY_ATTRIBUTES;

  private static String text(ByteBuf payload, int capabilities, List<String> attributes) {
    int begin =
        CommandText.begin(
            payload,
            capabilities,
            (name, value) ->
                attributes.add(
                    new String(name, StandardCharsets.UTF_8)
                        + "="
                        + (value == null ? null : new String(value, StandardCharsets.UTF_8))));
    return payload.toString(begin, payload.writerIndex() - begin, StandardCharsets.UTF_8);
  }

  private static ByteBuf withAttributes() {
    return Unpooled.buffer(64)
        .writeBytes(new byte[] {3, 4, 1, 0b1000, 1})
        .writeBytes(new byte[] {(byte) 0xFE, 0, 2, 'i', 'd'})
        .writeBytes(new byte[] {8, 0, 1, 'n'})
        .writeBytes(new byte[] {12, 0, 1, 't'})
        .writeBytes(new byte[] {6, 0, 1, 'z'})
        .writeBytes(new byte[] {3, 'a', 'b', 'c'})
        .writeBytes(new byte[] {1, 2, 3, 4, 5, 6, 7, 8})
        .writeBytes(new byte[] {4, 1, 1, 1, 1})
        .writeBytes("SELECT 1".getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void withoutTheCapabilityTheTextFollowsTheCommand() {
    ByteBuf payload = Unpooled.wrappedBuffer("\3SELECT 1".getBytes(StandardCharsets.US_ASCII));

    assertThat(text(payload, 0, new ArrayList<>())).isEqualTo("SELECT 1");
  }

  @Test
  void withoutAttributesTheTextFollowsTheirCounts() {
    ByteBuf payload = Unpooled.wrappedBuffer("\3\0\1SELECT 1".getBytes(StandardCharsets.US_ASCII));

    assertThat(text(payload, ATTRIBUTES, new ArrayList<>())).isEqualTo("SELECT 1");
  }

  @Test
  void attributesOfAllTypesAreSteppedOverAndTextsAreTold() {
    List<String> attributes = new ArrayList<>();

    assertThat(text(withAttributes(), ATTRIBUTES, attributes)).isEqualTo("SELECT 1");
    assertThat(attributes).containsExactly("id=abc", "n=null", "t=null", "z=null");
  }

  @Test
  void damagedAttributesAreRefused() {
    Random random = new Random(3);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      ByteBuf payload = withAttributes();
      payload.setByte(1 + random.nextInt(payload.readableBytes() - 1), random.nextInt());
      payload.writerIndex(1 + random.nextInt(payload.writerIndex()));
      try {
        assertThat(CommandText.begin(payload, ATTRIBUTES, null))
            .isLessThanOrEqualTo(payload.writerIndex());
      } catch (MalformedPacketException e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(1000);
  }

  @Test
  void anAbsurdNumberOfAttributesIsRefused() {
    ByteBuf payload = Unpooled.wrappedBuffer(new byte[] {3, (byte) 0xFD, -1, -1, -1, 1, 0, 0});

    assertThatThrownBy(() -> CommandText.begin(payload, ATTRIBUTES, null))
        .hasMessage("16777215 query attributes (expected: at most 1000)");
  }
}
