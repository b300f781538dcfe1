package dev.leeway.proxy.wire;

import io.netty.buffer.ByteBuf;

/**
 * What a server says first (handshake version 10).
 *
 * @param serverVersion as {@code VERSION()} prints it
 * @param connectionId of this connection; read as unsigned
 * @param nonce 20 bytes that a password is proved against
 * @param capabilities what the server is able to do
 * @param collation the server's default, its low byte
 * @param status see {@link ServerStatus}
 * @param authPlugin the method that the server tries first
 */
public record Greeting(
    String serverVersion,
    int connectionId,
    byte[] nonce,
    int capabilities,
    int collation,
    int status,
    String authPlugin) {

  public static final int NONCE_BYTES = 20;
  private static final int PROTOCOL = 10;
  private static final int NONCE_FIRST_PART = 8;

  /**
   * Reads the first payload of a server.
   *
   * @throws MalformedPacketException if it is no handshake of version 10 with a nonce of 20 bytes
   */
  public static Greeting read(ByteBuf payload) {
    PacketCursor cursor = new PacketCursor(payload);
    int protocol = cursor.readByte();
    if (protocol != PROTOCOL) {
      throw new MalformedPacketException(
          "handshake version " + protocol + " (expected: " + PROTOCOL + ")");
    }
    String version = cursor.readTerminatedText();
    int connectionId = cursor.readInt();
    byte[] nonce = new byte[NONCE_BYTES];
    System.arraycopy(cursor.readBytes(NONCE_FIRST_PART), 0, nonce, 0, NONCE_FIRST_PART);
    cursor.skip(1);
    int capabilities = cursor.readShort();
    int collation = cursor.readByte();
    int status = cursor.readShort();
    capabilities |= cursor.readShort() << 16;
    cursor.skip(1 + 10);
    int rest = NONCE_BYTES - NONCE_FIRST_PART;
    System.arraycopy(cursor.readBytes(rest), 0, nonce, NONCE_FIRST_PART, rest);
    cursor.skip(1);
    String plugin =
        Capabilities.has(capabilities, Capabilities.PLUGIN_AUTH)
            ? cursor.readTerminatedText()
            : Passwords.NATIVE;
    return new Greeting(version, connectionId, nonce, capabilities, collation, status, plugin);
  }

  /** Appends this as a packet. */
  public void write(ByteBuf out) {
    PacketWriter packet = PacketWriter.begin(out, 0);
    packet.writeByte(PROTOCOL).writeTerminatedText(serverVersion).writeInt(connectionId);
    for (int i = 0; i < NONCE_FIRST_PART; i++) {
      packet.writeByte(nonce[i]);
    }
    packet
        .writeByte(0)
        .writeShort(capabilities & 0xFFFF)
        .writeByte(collation)
        .writeShort(status)
        .writeShort(capabilities >>> 16)
        .writeByte(NONCE_BYTES + 1)
        .writeZeros(10);
    for (int i = NONCE_FIRST_PART; i < NONCE_BYTES; i++) {
      packet.writeByte(nonce[i]);
    }
    packet.writeByte(0).writeTerminatedText(authPlugin).end();
  }
}
