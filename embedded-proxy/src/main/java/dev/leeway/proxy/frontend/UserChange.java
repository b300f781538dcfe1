package dev.leeway.proxy.frontend;

import dev.leeway.proxy.backend.Account;
import dev.leeway.proxy.backend.ServerException;
import dev.leeway.proxy.backend.ServerSession;
import dev.leeway.proxy.wire.ChangeUserRequest;
import dev.leeway.proxy.wire.ErrPacket;
import dev.leeway.proxy.wire.MalformedPacketException;
import dev.leeway.proxy.wire.PacketWriter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import org.jspecify.annotations.Nullable;

/** A COM_CHANGE_USER under way: the client proves the new user's password to the proxy. */
final class UserChange {
  static final int LONGEST_ANSWER = 4096;

  private final Channel client;
  private final ChangeUserRequest request;
  private final ServerSession before;
  private final PasswordProof proof;
  private int nextSequence = 1;
  private boolean wantsAnswer;

  UserChange(ProxyContext proxy, ServerSession before, Channel client, ByteBuf payload) {
    this.client = client;
    this.before = before;
    this.request = ChangeUserRequest.read(payload);
    this.proof = new PasswordProof(proxy.users(), proxy.passwordKey());
    // The greeting's nonce has been used; a proof against it could be one that was overheard.
    proof.beginWithSwitch(request.user());
  }

  /** Whether the client has to send something. */
  boolean wantsAnswer() {
    return wantsAnswer;
  }

  /**
   * Takes the client's packet.
   *
   * @throws MalformedPacketException if it is out of order or makes no sense
   */
  void answer(ByteBuf packet) {
    int sequence = packet.getUnsignedByte(packet.readerIndex() + 3);
    if (sequence != nextSequence) {
      throw new MalformedPacketException(
          "packet number %d (expected: %d)".formatted(sequence, nextSequence));
    }
    nextSequence++;
    packet.skipBytes(PacketWriter.HEADER_BYTES);
    proof.answer(packet, isPrivate());
  }

  private boolean isPrivate() {
    return client.pipeline().get(SslHandler.class) != null || ClientAddress.isLocalSocket(client);
  }

  /** Sends what the client is to be told next; returns whether it has to answer. */
  boolean writeNext() {
    ByteBuf out = client.alloc().buffer();
    wantsAnswer = proof.writeNext(out, this::takeSequence);
    if (out.isReadable()) {
      client.writeAndFlush(out, client.voidPromise());
    } else {
      out.release();
    }
    return wantsAnswer;
  }

  int takeSequence() {
    return nextSequence++;
  }

  /** What the server is to be asked for, or null if the password was wrong. */
  @Nullable ServerSession accepted() {
    Account account = proof.account();
    return account == null
        ? null
        : new ServerSession(
            account,
            before.capabilities(),
            request.collation() == 0 ? before.collation() : request.collation(),
            before.maxPacketBytes(),
            request.schema(),
            request.attributes());
  }

  ErrPacket denied() {
    return LoginErrors.denied(request.user(), ClientAddress.host(client), proof.usedPassword());
  }

  ErrPacket errorFor(@Nullable Throwable cause) {
    return cause instanceof ServerException problem
        ? problem.error()
        : LoginErrors.internal(String.valueOf(cause));
  }

  void writeOk(byte[] payload) {
    ByteBuf out = client.alloc().buffer();
    PacketWriter.begin(out, takeSequence()).writeBytes(payload).end();
    client.writeAndFlush(out, client.voidPromise());
  }
}
