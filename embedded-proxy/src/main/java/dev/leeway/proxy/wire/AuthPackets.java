package dev.leeway.proxy.wire;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/** The packets between the login and its OK. */
public final class AuthPackets {
  /** First byte of a request to use another method. */
  public static final int SWITCH = 0xFE;

  /** First byte of a method's own data. */
  public static final int MORE_DATA = 0x01;

  /** In {@link #MORE_DATA} of caching_sha2_password: the proof was right, OK follows. */
  public static final int FAST_SUCCESS = 0x03;

  /** In {@link #MORE_DATA} of caching_sha2_password: send the password itself. */
  public static final int FULL_AUTHENTICATION = 0x04;

  /** A client's question for the server's public key. */
  public static final int REQUEST_PUBLIC_KEY = 0x02;

  private AuthPackets() {}

  /** The other method that a server asks for, with its nonce. */
  public record Switch(String plugin, byte[] nonce) {

    /**
     * Reads a payload that begins with {@link #SWITCH}.
     *
     * @throws MalformedPacketException if the nonce has not 20 bytes
     */
    public static Switch read(ByteBuf payload) {
      PacketCursor cursor = new PacketCursor(payload);
      cursor.skip(1);
      String plugin = cursor.readTerminatedText();
      byte[] data = cursor.readRest();
      // A zero byte closes the nonce.
      if (data.length == Greeting.NONCE_BYTES + 1 && data[Greeting.NONCE_BYTES] == 0) {
        data = Arrays.copyOf(data, Greeting.NONCE_BYTES);
      }
      if (data.length != Greeting.NONCE_BYTES) {
        throw new MalformedPacketException(
            "nonce of %d bytes for '%s' (expected: %d)"
                .formatted(data.length, plugin, Greeting.NONCE_BYTES));
      }
      return new Switch(plugin, data);
    }

    /** Appends this as a packet. */
    public void write(ByteBuf out, int sequence) {
      PacketWriter.begin(out, sequence)
          .writeByte(SWITCH)
          .writeTerminatedText(plugin)
          .writeBytes(nonce)
          .writeByte(0)
          .end();
    }
  }

  /** Appends a method's own data as a packet. */
  public static void writeMoreData(ByteBuf out, int sequence, byte[] data) {
    PacketWriter.begin(out, sequence).writeByte(MORE_DATA).writeBytes(data).end();
  }

  /** Appends a packet of bare bytes, as a client's proofs are. */
  public static void writeBytes(ByteBuf out, int sequence, byte[] data) {
    PacketWriter.begin(out, sequence).writeBytes(data).end();
  }
}
