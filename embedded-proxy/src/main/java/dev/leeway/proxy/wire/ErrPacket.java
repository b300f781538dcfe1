package dev.leeway.proxy.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An error as it travels.
 *
 * @param code MySQL's number, 1 to 65535
 * @param sqlState five characters
 * @param message one line
 */
public record ErrPacket(int code, String sqlState, String message) {
  /** The first byte of an ERR packet. */
  public static final int HEADER = 0xFF;

  private static final int MAX_MESSAGE_BYTES = 512;

  /**
   * Reads a payload that begins with {@link #HEADER}.
   *
   * @throws MalformedPacketException if it is none
   */
  public static ErrPacket read(ByteBuf payload) {
    PacketCursor cursor = new PacketCursor(payload);
    if (cursor.readByte() != HEADER) {
      throw new MalformedPacketException("no error packet (expected: first byte 0xFF)");
    }
    int code = cursor.readShort();
    String sqlState = "HY000";
    // Before the client has told its capabilities, a server leaves the state out.
    if (cursor.peek() == '#') {
      cursor.skip(1);
      sqlState = new String(cursor.readBytes(5), StandardCharsets.US_ASCII);
    }
    return new ErrPacket(code, sqlState, cursor.readRestAsText());
  }

  /** Appends this as a packet, with the state if the peer knows protocol 4.1. */
  public void write(ByteBuf out, int sequence) {
    byte[] text = message.getBytes(StandardCharsets.UTF_8);
    PacketWriter.begin(out, sequence)
        .writeByte(HEADER)
        .writeShort(code)
        .writeByte('#')
        .writeText(sqlState)
        .writeBytes(
            text.length <= MAX_MESSAGE_BYTES ? text : Arrays.copyOf(text, MAX_MESSAGE_BYTES))
        .end();
  }
}
