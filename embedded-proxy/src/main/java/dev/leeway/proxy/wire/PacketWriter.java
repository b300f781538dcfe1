package dev.leeway.proxy.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Writes one packet with its header into a buffer. The packets that the proxy makes itself are
 * small; one of 16 MiB and more cannot be written here.
 *
 * <p>Mutable, for one thread.
 */
public final class PacketWriter {
  /** Length and sequence number in front of every packet. */
  public static final int HEADER_BYTES = 4;

  /** A payload of this size is continued by the next packet. */
  public static final int MAX_PAYLOAD_BYTES = 0xFF_FFFF;

  private final ByteBuf buffer;
  private final int start;

  private PacketWriter(ByteBuf buffer, int sequence) {
    this.buffer = buffer;
    this.start = buffer.writerIndex();
    buffer.writeMediumLE(0).writeByte(sequence);
  }

  /** Begins a packet at the end of the buffer; {@link #end} completes it. */
  public static PacketWriter begin(ByteBuf buffer, int sequence) {
    return new PacketWriter(buffer, sequence);
  }

  public PacketWriter writeByte(int value) {
    buffer.writeByte(value);
    return this;
  }

  public PacketWriter writeShort(int value) {
    buffer.writeShortLE(value);
    return this;
  }

  public PacketWriter writeInt(int value) {
    buffer.writeIntLE(value);
    return this;
  }

  public PacketWriter writeZeros(int count) {
    buffer.writeZero(count);
    return this;
  }

  public PacketWriter writeBytes(byte[] bytes) {
    buffer.writeBytes(bytes);
    return this;
  }

  public PacketWriter writeText(String text) {
    buffer.writeCharSequence(text, StandardCharsets.UTF_8);
    return this;
  }

  public PacketWriter writeTerminatedText(String text) {
    return writeText(text).writeByte(0);
  }

  public PacketWriter writeLengthEncodedInteger(long value) {
    if (value >= 0 && value < 0xFB) {
      buffer.writeByte((int) value);
    } else if (value >= 0 && value <= 0xFFFF) {
      buffer.writeByte(0xFC).writeShortLE((int) value);
    } else if (value >= 0 && value <= 0xFF_FFFF) {
      buffer.writeByte(0xFD).writeMediumLE((int) value);
    } else {
      buffer.writeByte(0xFE).writeLongLE(value);
    }
    return this;
  }

  public PacketWriter writeLengthEncodedBytes(byte[] bytes) {
    return writeLengthEncodedInteger(bytes.length).writeBytes(bytes);
  }

  /** Puts the length into the header and gives the buffer back. */
  public ByteBuf end() {
    int payload = buffer.writerIndex() - start - HEADER_BYTES;
    if (payload >= MAX_PAYLOAD_BYTES) {
      throw new IllegalStateException(
          "packet of " + payload + " bytes (expected: less than " + MAX_PAYLOAD_BYTES + ")");
    }
    buffer.setMediumLE(start, payload);
    return buffer;
  }
}
