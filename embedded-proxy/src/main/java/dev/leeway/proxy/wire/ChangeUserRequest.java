package dev.leeway.proxy.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * COM_CHANGE_USER.
 *
 * @param user the new account's name
 * @param authResponse the proof, against the nonce of the greeting
 * @param schema empty for none
 * @param collation two bytes; 0 if the client leaves it out
 * @param authPlugin the method of the proof; empty if the client names none
 * @param attributes the connection attributes as they travel, without their total length
 */
public record ChangeUserRequest(
    String user,
    byte[] authResponse,
    String schema,
    int collation,
    String authPlugin,
    byte[] attributes) {

  /**
   * Reads the payload of the command, its first byte included.
   *
   * @throws MalformedPacketException if it is cut short
   */
  public static ChangeUserRequest read(ByteBuf payload) {
    PacketCursor cursor = new PacketCursor(payload);
    cursor.skip(1);
    String user = new String(cursor.readTerminatedBytes(), StandardCharsets.UTF_8);
    byte[] authResponse = cursor.readBytes(cursor.readByte());
    String schema = new String(cursor.readTerminatedBytes(), StandardCharsets.UTF_8);
    int collation = cursor.remaining() >= 2 ? cursor.readShort() : 0;
    String plugin = cursor.remaining() > 0 ? cursor.readTerminatedText() : "";
    byte[] attributes = cursor.remaining() > 0 ? cursor.readLengthEncodedBytes() : new byte[0];
    return new ChangeUserRequest(user, authResponse, schema, collation, plugin, attributes);
  }

  /** Appends this as a packet, for a server that was told PLUGIN_AUTH and CONNECT_ATTRS. */
  public void write(ByteBuf out) {
    PacketWriter.begin(out, 0)
        .writeByte(Command.CHANGE_USER)
        .writeTerminatedText(user)
        .writeByte(authResponse.length)
        .writeBytes(authResponse)
        .writeTerminatedText(schema)
        .writeShort(collation)
        .writeTerminatedText(authPlugin)
        .writeLengthEncodedBytes(attributes)
        .end();
  }

  @Override
  public String toString() {
    return "change of user to '%s', schema '%s'".formatted(user, schema);
  }
}
