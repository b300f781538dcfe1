package dev.leeway.gate;

import java.nio.charset.StandardCharsets;

/**
 * Reads what {@link ByteWriter} wrote, from bytes that may come from anybody: every error is an
 * {@link IllegalArgumentException}, and no count is believed before the bytes that are left could
 * hold it.
 */
final class ByteReader {
  private static final int MAX_VARINT_BYTES = 9;

  private final String subject;
  private final byte[] bytes;
  private int at;

  ByteReader(String subject, byte[] bytes) {
    this.subject = subject;
    this.bytes = bytes;
  }

  int readByte() {
    if (at == bytes.length) {
      throw malformed("the end of the bytes", "more of them");
    }
    return bytes[at++] & 0xff;
  }

  long readLong() {
    long value = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      value = value << 8 | readByte();
    }
    return value;
  }

  /** A number from 0 to {@link Long#MAX_VALUE}, in the shortest encoding only. */
  long readVarint() {
    long value = 0;
    for (int i = 0; i < MAX_VARINT_BYTES; i++) {
      int next = readByte();
      value |= (long) (next & 0x7f) << (7 * i);
      if (next < 0x80) {
        if (next == 0 && i > 0) {
          throw malformed("a number with needless bytes", "its shortest form");
        }
        return value;
      }
    }
    throw malformed("a number of more than 9 bytes", "63 bits at most");
  }

  /** A number of things that take at least {@code bytesEach} each. */
  int readCount(String what, int bytesEach) {
    long count = readVarint();
    int left = bytes.length - at;
    if (count > left / bytesEach) {
      throw malformed(count + " " + what, "no more than fit into the " + left + " bytes left");
    }
    return (int) count;
  }

  String readShortText(int maxLength) {
    int length = readByte();
    if (length > maxLength || length > bytes.length - at) {
      throw malformed(
          "a text of " + length + " bytes",
          "at most " + Math.min(maxLength, bytes.length - at) + " here");
    }
    String text = new String(bytes, at, length, StandardCharsets.US_ASCII);
    at += length;
    return text;
  }

  void expectEnd() {
    if (at < bytes.length) {
      throw malformed((bytes.length - at) + " bytes too many", "the end");
    }
  }

  IllegalArgumentException malformed(String found, String expected) {
    return new IllegalArgumentException(
        subject + " - " + found + " at byte " + at + " (expected: " + expected + ")");
  }
}
