package dev.leeway.proxy.wire;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Finds the SQL text, and the query attributes before it, in the payload of COM_QUERY. */
public final class CommandText {
  private static final int MOST_ATTRIBUTES = 1000;

  private CommandText() {}

  /** Is told the attributes of a query. */
  @FunctionalInterface
  public interface AttributeVisitor {
    /**
     * @param name as sent
     * @param value of a text type, or null for NULL and for values of other types
     */
    void attribute(byte[] name, byte @Nullable [] value);
  }

  /**
   * The index in the buffer at which the text begins.
   *
   * @param payload of COM_QUERY, its first byte included
   * @param capabilities of the session, which tell whether attributes are there
   * @param visitor is told each attribute; null if nobody asks
   * @throws MalformedPacketException if the attributes do not fit their form
   */
  public static int begin(ByteBuf payload, int capabilities, @Nullable AttributeVisitor visitor) {
    if (!Capabilities.has(capabilities, Capabilities.QUERY_ATTRIBUTES)) {
      return payload.readerIndex() + 1;
    }
    int start = payload.readerIndex();
    // By far the most queries have none: two lengths of one byte, 0 and 1.
    if (payload.readableBytes() >= 3
        && payload.getByte(start + 1) == 0
        && payload.getByte(start + 2) == 1) {
      return start + 3;
    }
    PacketCursor cursor = new PacketCursor(payload);
    cursor.skip(1);
    long count = cursor.readLengthEncodedInteger();
    cursor.readLengthEncodedInteger();
    if (count < 0 || count > MOST_ATTRIBUTES) {
      throw new MalformedPacketException(
          "%s query attributes (expected: at most %d)"
              .formatted(Long.toUnsignedString(count), MOST_ATTRIBUTES));
    }
    if (count > 0) {
      readAttributes(cursor, (int) count, visitor);
    }
    return payload.writerIndex() - cursor.remaining();
  }

  private static void readAttributes(
      PacketCursor cursor, int count, @Nullable AttributeVisitor visitor) {
    byte[] nulls = cursor.readBytes((count + 7) / 8);
    if (cursor.readByte() != 1) {
      throw new MalformedPacketException(
          "query attributes without their types (expected: flag 1 before them)");
    }
    int[] types = new int[count];
    byte[][] names = new byte[count][];
    for (int i = 0; i < count; i++) {
      types[i] = cursor.readShort() & 0xFF;
      names[i] = cursor.readLengthEncodedBytes();
    }
    for (int i = 0; i < count; i++) {
      boolean isNull = (nulls[i / 8] >> (i % 8) & 1) != 0;
      byte[] value = isNull ? null : readValue(cursor, types[i]);
      if (visitor != null) {
        visitor.attribute(names[i], value);
      }
    }
  }

  /** Reads a value in the binary form; gives it back if it is of a text type. */
  private static byte @Nullable [] readValue(PacketCursor cursor, int type) {
    switch (type) {
      case 0x06:
        return null;
      case 0x01:
        cursor.skip(1);
        return null;
      case 0x02, 0x0D:
        cursor.skip(2);
        return null;
      case 0x03, 0x04, 0x09:
        cursor.skip(4);
        return null;
      case 0x05, 0x08:
        cursor.skip(8);
        return null;
      case 0x07, 0x0A, 0x0B, 0x0C:
        cursor.skip(cursor.readByte());
        return null;
      default:
        return cursor.readLengthEncodedBytes();
    }
  }
}
