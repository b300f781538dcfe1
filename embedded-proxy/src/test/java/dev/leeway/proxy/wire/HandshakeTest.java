package dev.leeway.proxy.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.proxy.NoLeaks;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
class HandshakeTest {
  private static final int ALL = Capabilities.OF_SESSION | Capabilities.OF_LOGIN;

  private static byte[] written(Consumer<ByteBuf> writer) {
    ByteBuf out = PooledByteBufAllocator.DEFAULT.buffer();
    writer.accept(out);
    byte[] packet = ByteBufUtil.getBytes(out);
    out.release();
    assertThat(packet[0] & 0xFF | (packet[1] & 0xFF) << 8 | (packet[2] & 0xFF) << 16)
        .as("length in the header")
        .isEqualTo(packet.length - 4);
    return packet;
  }

  private static ByteBuf payload(byte[] packet) {
    return Unpooled.wrappedBuffer(packet, 4, packet.length - 4);
  }

  private static LoginRequest login(String schema) {
    return new LoginRequest(
        ALL,
        1 << 24,
        255,
        "anna",
        new byte[] {1, 2, 3},
        schema,
        Passwords.CACHING_SHA2,
        "\4name\5value".getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void aGreetingIsReadAsItWasWritten() {
    byte[] nonce = "abcdefghijklmnopqrst".getBytes(StandardCharsets.US_ASCII);
    Greeting greeting =
        new Greeting("9.7.4", 0x4000_0001, nonce, ALL, 255, 2, Passwords.CACHING_SHA2);

    Greeting read = Greeting.read(payload(written(greeting::write)));

    assertThat(read).usingRecursiveComparison().isEqualTo(greeting);
  }

  @Test
  void aLoginIsReadAsItWasWritten() {
    LoginRequest login = login("shop");

    LoginRequest read =
        LoginRequest.read(payload(written(out -> login.write(out, 1))), login.capabilities());

    assertThat(read).usingRecursiveComparison().isEqualTo(login);
  }

  @Test
  void whatWasNotOfferedIsNotTaken() {
    LoginRequest read =
        LoginRequest.read(
            payload(written(out -> login("shop").write(out, 1))),
            ALL & ~Capabilities.SESSION_TRACK);

    assertThat(Capabilities.has(read.capabilities(), Capabilities.SESSION_TRACK)).isFalse();
    assertThat(read.schema()).isEqualTo("shop");
  }

  @Test
  void aRequestForTlsIsTheBeginningOfALogin() {
    LoginRequest login =
        new LoginRequest(ALL | Capabilities.SSL, 0, 45, "anna", new byte[0], "", "x", new byte[0]);

    assertThat(LoginRequest.isSslRequest(payload(written(out -> login.writeSslRequest(out, 1)))))
        .isTrue();
    assertThat(LoginRequest.isSslRequest(payload(written(out -> login.write(out, 1))))).isFalse();
  }

  @Test
  void aChangeOfUserIsReadAsItWasWritten() {
    ChangeUserRequest change =
        new ChangeUserRequest(
            "bert", new byte[] {9}, "shop", 255, Passwords.NATIVE, new byte[] {1, 'a', 1, 'b'});

    assertThat(ChangeUserRequest.read(payload(written(change::write))))
        .usingRecursiveComparison()
        .isEqualTo(change);
  }

  @Test
  void anErrorWithoutAStateIsRead() {
    ByteBuf early = Unpooled.wrappedBuffer(new byte[] {(byte) 0xFF, 0x10, 0x04, 'n', 'o'});

    assertThat(ErrPacket.read(early)).isEqualTo(new ErrPacket(1040, "HY000", "no"));
  }

  @Test
  void aLengthThatIsMoreThanThereIsIsRefused() {
    byte[] packet = written(out -> login("shop").write(out, 1));
    // The proof's length stands behind the fixed part and the name.
    int length = 4 + 32 + "anna".length() + 1;
    assertThat(packet[length]).isEqualTo((byte) 3);
    packet[length] = (byte) 0xFA;

    assertThatThrownBy(() -> LoginRequest.read(payload(packet), ALL))
        .isInstanceOf(MalformedPacketException.class)
        .hasMessageMatching("length 250 \\(expected: at most the \\d+ bytes left\\)");
  }

  @Test
  void aHugeLengthIsRefusedBeforeAnythingIsAllocated() {
    ByteBuf bytes =
        Unpooled.wrappedBuffer(new byte[] {(byte) 0xFE, -1, -1, -1, -1, -1, -1, -1, -1, 1, 2});

    assertThatThrownBy(() -> new PacketCursor(bytes).readLengthEncodedBytes())
        .isInstanceOf(MalformedPacketException.class)
        .hasMessage("length 18446744073709551615 (expected: at most the 2 bytes left)");
  }

  @Test
  void damagedPacketsAreReadOrRefusedAndNothingElse() {
    byte[][] packets = {
      written(new Greeting("9.7.4", 7, new byte[20], ALL, 255, 2, Passwords.CACHING_SHA2)::write),
      written(out -> login("shop").write(out, 1)),
      written(
          new ChangeUserRequest("bert", new byte[20], "shop", 255, Passwords.NATIVE, new byte[9])
              ::write),
      written(out -> new AuthPackets.Switch(Passwords.NATIVE, new byte[20]).write(out, 1)),
      written(out -> new ErrPacket(1045, "28000", "Access denied").write(out, 1)),
      written(out -> OkPacket.write(out, 1, 2)),
    };
    Random random = new Random(11);
    int refused = 0;
    for (int i = 0; i < 60_000; i++) {
      int which = i % packets.length;
      byte[] packet = packets[which].clone();
      for (int j = random.nextInt(4); j >= 0; j--) {
        packet[4 + random.nextInt(packet.length - 4)] = (byte) random.nextInt();
      }
      int length = random.nextInt(3) == 0 ? random.nextInt(packet.length - 4) : packet.length - 4;
      ByteBuf payload = Unpooled.wrappedBuffer(packet, 4, length);
      try {
        read(which, payload);
      } catch (MalformedPacketException e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(1000);
  }

  private static Object read(int which, ByteBuf payload) {
    return switch (which) {
      case 0 -> Greeting.read(payload);
      case 1 -> LoginRequest.read(payload, ALL);
      case 2 -> ChangeUserRequest.read(payload);
      case 3 -> AuthPackets.Switch.read(payload);
      case 4 -> ErrPacket.read(payload);
      default -> OkPacket.status(payload);
    };
  }
}
