package dev.leeway.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Builds a server's bytes by hand, and cuts them as a network may. */
final class ServerBytes {
  private final ByteBuf bytes = PooledByteBufAllocator.DEFAULT.buffer();
  private int sequence = 1;

  ServerBytes ok(int status) {
    OkPacket.write(bytes, sequence++, status);
    return this;
  }

  /** OK in the clothes of EOF, with an insert id of two bytes more and a text. */
  ServerBytes okAtEnd(int status, String text) {
    PacketWriter.begin(bytes, sequence++)
        .writeByte(0xFE)
        .writeLengthEncodedInteger(300)
        .writeLengthEncodedInteger(70_000)
        .writeShort(status)
        .writeShort(3)
        .writeText(text)
        .end();
    return this;
  }

  ServerBytes eof(int status) {
    PacketWriter.begin(bytes, sequence++).writeByte(0xFE).writeShort(1).writeShort(status).end();
    return this;
  }

  ServerBytes error(int code) {
    new ErrPacket(code, "42000", "no").write(bytes, sequence++);
    return this;
  }

  ServerBytes payload(int... values) {
    PacketWriter packet = PacketWriter.begin(bytes, sequence++);
    for (int value : values) {
      packet.writeByte(value);
    }
    packet.end();
    return this;
  }

  ServerBytes definition() {
    PacketWriter.begin(bytes, sequence++)
        .writeLengthEncodedBytes("def".getBytes(StandardCharsets.US_ASCII))
        .writeZeros(20)
        .end();
    return this;
  }

  ServerBytes row(String value) {
    PacketWriter.begin(bytes, sequence++)
        .writeLengthEncodedBytes(value.getBytes(StandardCharsets.US_ASCII))
        .end();
    return this;
  }

  /** One payload of more than 16 MiB, in the packets that it takes. */
  ServerBytes largeRow(int first, int payloadBytes) {
    int left = payloadBytes;
    boolean begins = true;
    while (true) {
      int take = Math.min(left, PacketWriter.MAX_PAYLOAD_BYTES);
      bytes.writeMediumLE(take).writeByte(sequence++);
      if (begins && take > 0) {
        bytes.writeByte(first).writeZero(take - 1);
      } else {
        bytes.writeZero(take);
      }
      begins = false;
      left -= take;
      if (take < PacketWriter.MAX_PAYLOAD_BYTES) {
        return this;
      }
    }
  }

  ServerBytes skipSequence(int packets) {
    sequence += packets;
    return this;
  }

  byte[] bytes() {
    byte[] copy = ByteBufUtil.getBytes(bytes);
    bytes.release();
    return copy;
  }

  /** Gives the bytes to the tracker in pieces; returns how many it took. */
  static int scan(ResponseTracker tracker, byte[] bytes, Random random) {
    int taken = 0;
    while (taken < bytes.length && !tracker.isDone()) {
      int piece = 1 + random.nextInt(random.nextBoolean() ? 7 : bytes.length - taken);
      piece = Math.min(piece, bytes.length - taken);
      ByteBuf buffer = ByteBufAllocator.DEFAULT.buffer(piece).writeBytes(bytes, taken, piece);
      int end;
      try {
        end = tracker.scan(buffer, 0, piece);
      } finally {
        buffer.release();
      }
      taken += end;
      if (end < piece && !tracker.isDone()) {
        throw new AssertionError("stopped at " + taken + " without being done");
      }
    }
    return taken;
  }
}
