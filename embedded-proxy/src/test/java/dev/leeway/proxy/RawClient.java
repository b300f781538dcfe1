package dev.leeway.proxy;

import dev.leeway.proxy.wire.AuthPackets;
import dev.leeway.proxy.wire.Capabilities;
import dev.leeway.proxy.wire.Command;
import dev.leeway.proxy.wire.Dialogues;
import dev.leeway.proxy.wire.ErrPacket;
import dev.leeway.proxy.wire.Greeting;
import dev.leeway.proxy.wire.LoginRequest;
import dev.leeway.proxy.wire.PacketWriter;
import dev.leeway.proxy.wire.PasswordKey;
import dev.leeway.proxy.wire.Passwords;
import dev.leeway.proxy.wire.ResponseTracker;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A client that sends what it is told and shows each byte of the answer. */
final class RawClient implements AutoCloseable {
  private static final int LIVENESS_MILLIS = 20_000;

  final Greeting greeting;
  final int capabilities;
  final byte[] loginOk;
  private final Socket socket;
  private final DataInputStream in;
  private final byte[] buffer = new byte[64 * 1024];
  private int readAhead;
  private int readTo;
  private int sequence;

  private RawClient(
      String host, int port, String user, String password, String schema, int wanted, boolean full)
      throws IOException {
    socket = new Socket(host, port);
    socket.setSoTimeout(LIVENESS_MILLIS);
    socket.setTcpNoDelay(true);
    in = new DataInputStream(socket.getInputStream());
    greeting = Greeting.read(Unpooled.wrappedBuffer(readPayload()));
    capabilities = wanted | Capabilities.OF_LOGIN;
    byte[] secret = password.getBytes(StandardCharsets.UTF_8);
    byte[] proof =
        full ? new byte[32] : Passwords.prove(Passwords.CACHING_SHA2, secret, greeting.nonce());
    ByteBuf out = Unpooled.buffer();
    new LoginRequest(
            capabilities, 1 << 30, 255, user, proof, schema, Passwords.CACHING_SHA2, new byte[0])
        .write(out, sequence++);
    write(out);
    loginOk = finishLogin(secret);
  }

  static RawClient connect(
      String host, int port, String user, String password, String schema, int capabilities)
      throws IOException {
    return new RawClient(host, port, user, password, schema, capabilities, false);
  }

  /** Logs in with a proof that is wrong, so that the password has to travel in full. */
  static RawClient connectInFull(
      String host, int port, String user, String password, String schema, int capabilities)
      throws IOException {
    return new RawClient(host, port, user, password, schema, capabilities, true);
  }

  private byte[] finishLogin(byte[] password) throws IOException {
    byte[] nonce = greeting.nonce();
    while (true) {
      byte[] payload = readPayload();
      int first = payload[0] & 0xFF;
      if (first == 0) {
        return payload;
      } else if (first == ErrPacket.HEADER) {
        ErrPacket error = ErrPacket.read(Unpooled.wrappedBuffer(payload));
        throw new IOException(error.code() + " " + error.message());
      } else if (first == AuthPackets.SWITCH) {
        AuthPackets.Switch other = AuthPackets.Switch.read(Unpooled.wrappedBuffer(payload));
        nonce = other.nonce();
        writePacket(Passwords.prove(other.plugin(), password, nonce));
      } else if (payload.length == 2 && payload[1] == AuthPackets.FULL_AUTHENTICATION) {
        writePacket(new byte[] {AuthPackets.REQUEST_PUBLIC_KEY});
        byte[] pem = readPayload();
        writePacket(PasswordKey.encrypt(Arrays.copyOfRange(pem, 1, pem.length), password, nonce));
      }
    }
  }

  /** The payload of a COM_QUERY in the form that the capabilities ask for. */
  byte[] query(String sql) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(Command.QUERY);
    if (Capabilities.has(capabilities, Capabilities.QUERY_ATTRIBUTES)) {
      out.write(0);
      out.write(1);
    }
    out.writeBytes(sql.getBytes(StandardCharsets.UTF_8));
    return out.toByteArray();
  }

  /** Sends a command and reads what belongs to it. */
  byte[] ask(byte[] payload) throws IOException {
    send(payload);
    return answer(payload);
  }

  /** Sends a command without waiting. */
  void send(byte[] payload) throws IOException {
    sequence = 0;
    writePacket(payload);
  }

  /** Reads the answer to a command that was sent. */
  byte[] answer(byte[] payload) throws IOException {
    ResponseTracker tracker = new ResponseTracker();
    boolean cursor = payload[0] == Command.STMT_EXECUTE && payload[5] != 0;
    ResponseTracker.Expect expect = Dialogues.expected(payload[0] & 0xFF);
    if (expect == null) {
      return new byte[0];
    }
    tracker.begin(expect, capabilities, cursor);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    while (!tracker.isDone()) {
      if (readAhead == readTo) {
        readAhead = 0;
        readTo = in.read(buffer);
        if (readTo < 0) {
          throw new IOException("closed inside an answer, after " + all.size() + " bytes");
        }
      }
      int end = tracker.scan(Unpooled.wrappedBuffer(buffer), readAhead, readTo);
      all.write(buffer, readAhead, end - readAhead);
      readAhead = end;
      if (tracker.takeFileRequest()) {
        sequence = tracker.nextSequence();
        break;
      }
    }
    return all.toByteArray();
  }

  /** Bytes as they are, for what no client should send. */
  void writeRaw(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  void writePacket(byte[] payload) throws IOException {
    int at = 0;
    while (true) {
      int take = Math.min(PacketWriter.MAX_PAYLOAD_BYTES, payload.length - at);
      byte[] header = {(byte) take, (byte) (take >> 8), (byte) (take >> 16), (byte) sequence++};
      socket.getOutputStream().write(header);
      socket.getOutputStream().write(payload, at, take);
      at += take;
      if (take < PacketWriter.MAX_PAYLOAD_BYTES) {
        break;
      }
    }
    socket.getOutputStream().flush();
  }

  private void write(ByteBuf out) throws IOException {
    writeRaw(ByteBufUtil.getBytes(out));
  }

  byte[] readPayload() throws IOException {
    int length = in.readUnsignedByte() | in.readUnsignedByte() << 8 | in.readUnsignedByte() << 16;
    sequence = in.readUnsignedByte() + 1;
    return in.readNBytes(length);
  }

  /** Whether the other side has closed, within the bound. */
  boolean isClosed() throws IOException {
    return in.read() < 0;
  }

  Socket socket() {
    return socket;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
