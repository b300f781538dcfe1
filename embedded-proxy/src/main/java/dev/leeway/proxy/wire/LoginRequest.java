package dev.leeway.proxy.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * What a client answers to the {@link Greeting}: who it is and how it wants to talk.
 *
 * @param capabilities what the client chose
 * @param maxPacketBytes the largest packet it says it will take
 * @param collation one byte
 * @param user the account's name
 * @param authResponse the proof for {@code authPlugin}
 * @param schema empty for none
 * @param authPlugin the method that {@code authResponse} is for; empty if the client names none
 * @param attributes the connection attributes as they travel, without their total length
 */
public record LoginRequest(
    int capabilities,
    int maxPacketBytes,
    int collation,
    String user,
    byte[] authResponse,
    String schema,
    String authPlugin,
    byte[] attributes) {

  /** The part that a client sends before TLS begins. */
  public static final int SSL_REQUEST_BYTES = 32;

  private static final int FILLER_BYTES = 23;

  /** Whether the payload only asks for TLS to begin. */
  public static boolean isSslRequest(ByteBuf payload) {
    return payload.readableBytes() == SSL_REQUEST_BYTES
        && Capabilities.has(payload.getIntLE(payload.readerIndex()), Capabilities.SSL);
  }

  /**
   * Reads a client's answer.
   *
   * @param offered the capabilities of the greeting; what was not offered is taken off
   * @throws MalformedPacketException if it is not in the form of protocol 4.1
   */
  public static LoginRequest read(ByteBuf payload, int offered) {
    PacketCursor cursor = new PacketCursor(payload);
    int capabilities = cursor.readInt();
    if (!Capabilities.has(capabilities, Capabilities.PROTOCOL_41)) {
      throw new MalformedPacketException(
          "login in a form older than protocol 4.1 (expected: flag PROTOCOL_41)");
    }
    int maxPacketBytes = cursor.readInt();
    int collation = cursor.readByte();
    cursor.skip(FILLER_BYTES);
    String user = new String(cursor.readTerminatedBytes(), StandardCharsets.UTF_8);
    byte[] authResponse;
    if (Capabilities.has(capabilities, Capabilities.PLUGIN_AUTH_LENENC_CLIENT_DATA)) {
      authResponse = cursor.readLengthEncodedBytes();
    } else if (Capabilities.has(capabilities, Capabilities.SECURE_CONNECTION)) {
      authResponse = cursor.readBytes(cursor.readByte());
    } else {
      authResponse = cursor.readTerminatedBytes();
    }
    String schema =
        Capabilities.has(capabilities, Capabilities.CONNECT_WITH_DB)
            ? cursor.readTerminatedText()
            : "";
    String plugin =
        Capabilities.has(capabilities, Capabilities.PLUGIN_AUTH) ? cursor.readTerminatedText() : "";
    byte[] attributes =
        Capabilities.has(capabilities, Capabilities.CONNECT_ATTRS) && cursor.remaining() > 0
            ? cursor.readLengthEncodedBytes()
            : new byte[0];
    return new LoginRequest(
        capabilities & offered,
        maxPacketBytes,
        collation,
        user,
        authResponse,
        schema,
        plugin,
        attributes);
  }

  /** Appends this as a packet; the form follows {@link #capabilities}. */
  public void write(ByteBuf out, int sequence) {
    PacketWriter packet = PacketWriter.begin(out, sequence);
    writeFixedPart(packet);
    packet.writeTerminatedText(user).writeLengthEncodedBytes(authResponse);
    if (Capabilities.has(capabilities, Capabilities.CONNECT_WITH_DB)) {
      packet.writeTerminatedText(schema);
    }
    packet.writeTerminatedText(authPlugin);
    if (Capabilities.has(capabilities, Capabilities.CONNECT_ATTRS)) {
      packet.writeLengthEncodedBytes(attributes);
    }
    packet.end();
  }

  /** Appends the packet that asks for TLS to begin. */
  public void writeSslRequest(ByteBuf out, int sequence) {
    PacketWriter packet = PacketWriter.begin(out, sequence);
    writeFixedPart(packet);
    packet.end();
  }

  private void writeFixedPart(PacketWriter packet) {
    packet
        .writeInt(capabilities)
        .writeInt(maxPacketBytes)
        .writeByte(collation)
        .writeZeros(FILLER_BYTES);
  }

  /** Without the proof and the attributes, which may tell more than a log should. */
  @Override
  public String toString() {
    return "login of '%s' to schema '%s' by %s".formatted(user, schema, authPlugin);
  }
}
