package dev.leeway.proxy.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Reads the values of one packet's payload, in order. Every read is checked against what is left
 * before anything is made of it.
 *
 * <p>Looks at the buffer and never moves or releases it. Mutable, for one thread.
 */
public final class PacketCursor {
  private final ByteBuf buffer;
  private final int end;
  private int at;

  /** Reads what is readable in the buffer. */
  public PacketCursor(ByteBuf payload) {
    buffer = payload;
    at = payload.readerIndex();
    end = payload.writerIndex();
  }

  public int remaining() {
    return end - at;
  }

  /** The next byte, which stays unread, or -1 at the end. */
  public int peek() {
    return at < end ? buffer.getUnsignedByte(at) : -1;
  }

  public int readByte() {
    need(1);
    return buffer.getUnsignedByte(at++);
  }

  public int readShort() {
    need(2);
    int value = buffer.getUnsignedShortLE(at);
    at += 2;
    return value;
  }

  /** Four bytes; what the protocol calls unsigned may come out negative. */
  public int readInt() {
    need(4);
    int value = buffer.getIntLE(at);
    at += 4;
    return value;
  }

  /** A length-encoded integer; more than 2^63 comes out negative. */
  public long readLengthEncodedInteger() {
    int first = readByte();
    if (first < 0xFB) {
      return first;
    }
    switch (first) {
      case 0xFC:
        return readShort();
      case 0xFD:
        need(3);
        int three = buffer.getUnsignedMediumLE(at);
        at += 3;
        return three;
      case 0xFE:
        need(8);
        long eight = buffer.getLongLE(at);
        at += 8;
        return eight;
      default:
        throw new MalformedPacketException(
            "length begins with byte 0x%02X (expected: at most 0xFA, or 0xFC to 0xFE)"
                .formatted(first));
    }
  }

  public void skip(int bytes) {
    need(bytes);
    at += bytes;
  }

  public byte[] readBytes(int count) {
    need(count);
    byte[] bytes = new byte[count];
    buffer.getBytes(at, bytes);
    at += count;
    return bytes;
  }

  public byte[] readRest() {
    return readBytes(remaining());
  }

  public byte[] readLengthEncodedBytes() {
    return readBytes(length(readLengthEncodedInteger()));
  }

  /** Bytes up to a zero byte, which is read too. */
  public byte[] readTerminatedBytes() {
    int zero = buffer.indexOf(at, end, (byte) 0);
    if (zero < 0) {
      throw new MalformedPacketException(
          "text of " + remaining() + " bytes without an end (expected: a zero byte after it)");
    }
    byte[] bytes = readBytes(zero - at);
    at++;
    return bytes;
  }

  /** Text up to a zero byte, or up to the end where a sender leaves the zero byte out. */
  public String readTerminatedText() {
    byte[] bytes =
        buffer.indexOf(at, end, (byte) 0) < 0 ? readBytes(remaining()) : readTerminatedBytes();
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** The rest as text. */
  public String readRestAsText() {
    return new String(readRest(), StandardCharsets.UTF_8);
  }

  private int length(long claimed) {
    if (claimed < 0 || claimed > remaining()) {
      throw new MalformedPacketException(
          "length "
              + Long.toUnsignedString(claimed)
              + " (expected: at most the "
              + remaining()
              + " bytes left)");
    }
    return (int) claimed;
  }

  private void need(int bytes) {
    if (bytes < 0 || bytes > remaining()) {
      throw new MalformedPacketException(
          "packet ends " + remaining() + " bytes on (expected: " + bytes + " more)");
    }
  }
}
