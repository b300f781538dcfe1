package dev.leeway.gate;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Collects bytes; numbers are big-endian, or varints of seven bits a byte, lowest first. */
final class ByteWriter {
  private byte[] bytes;
  private int length;

  ByteWriter(int expectedLength) {
    bytes = new byte[expectedLength];
  }

  void writeByte(int value) {
    if (length == bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(16, length * 2));
    }
    bytes[length++] = (byte) value;
  }

  void writeLong(long value) {
    for (int shift = 56; shift >= 0; shift -= 8) {
      writeByte((int) (value >>> shift));
    }
  }

  /** Zero or more. */
  void writeVarint(long value) {
    long rest = value;
    while (rest > 0x7f) {
      writeByte((int) (rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    writeByte((int) rest);
  }

  /** ASCII of at most 255 characters, with its length in front. */
  void writeShortText(String text) {
    byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
    writeByte(ascii.length);
    for (byte character : ascii) {
      writeByte(character);
    }
  }

  byte[] toByteArray() {
    return Arrays.copyOf(bytes, length);
  }
}
