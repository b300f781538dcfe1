package dev.leeway.proxy.wire;

import io.netty.buffer.ByteBuf;

/** The OK packet as far as the proxy makes or reads it outside the relay. */
public final class OkPacket {
  public static final int HEADER = 0x00;

  private OkPacket() {}

  /** Appends an OK without rows, ids, warnings or text. */
  public static void write(ByteBuf out, int sequence, int status) {
    PacketWriter.begin(out, sequence)
        .writeByte(HEADER)
        .writeLengthEncodedInteger(0)
        .writeLengthEncodedInteger(0)
        .writeShort(status)
        .writeShort(0)
        .end();
  }

  /**
   * The status flags of an OK payload.
   *
   * @throws MalformedPacketException if it is none
   */
  public static int status(ByteBuf payload) {
    PacketCursor cursor = new PacketCursor(payload);
    int header = cursor.readByte();
    if (header != HEADER) {
      throw new MalformedPacketException("packet begins with " + header + " (expected: OK)");
    }
    cursor.readLengthEncodedInteger();
    cursor.readLengthEncodedInteger();
    return cursor.readShort();
  }
}
