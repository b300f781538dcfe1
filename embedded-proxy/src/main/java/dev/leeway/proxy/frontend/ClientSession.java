package dev.leeway.proxy.frontend;

import dev.leeway.proxy.backend.ServerConnection;
import dev.leeway.proxy.backend.ServerSession;
import dev.leeway.proxy.wire.Capabilities;
import dev.leeway.proxy.wire.Command;
import dev.leeway.proxy.wire.CommandText;
import dev.leeway.proxy.wire.ErrPacket;
import dev.leeway.proxy.wire.MalformedPacketException;
import dev.leeway.proxy.wire.OkPacket;
import dev.leeway.proxy.wire.PacketWriter;
import dev.leeway.proxy.wire.ResponseTracker;
import dev.leeway.proxy.wire.ResponseTracker.Expect;
import dev.leeway.proxy.wire.ServerStatus;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client after its login, and the server connection that serves it.
 *
 * <p>Commands are taken one at a time: what a client sends before the answer waits. Bytes go
 * through as they come, in both directions, and each side is read only as fast as the other takes.
 * Every state but {@link Phase#IDLE} has a bound, which {@link SessionWatch} keeps.
 *
 * <p>For one event loop; what other threads may call says so.
 */
final class ClientSession extends ChannelInboundHandlerAdapter implements ServerConnection.Owner {
  private static final Logger log = LoggerFactory.getLogger(ClientSession.class);

  /** A command up to this size is looked at as a whole; a larger one goes through unread. */
  static final int LARGEST_WHOLE_COMMAND = 256 * 1024;

  /** What a client may send ahead while it waits for an answer, before it is no longer read. */
  private static final int MOST_SENT_AHEAD = 64 * 1024;

  private static final int LONGEST_GOODBYE_SECONDS = 5;

  /** What a session is doing. */
  enum Phase {
    /** Waits for a command. The only state without a bound: the server has its own. */
    IDLE,
    /** A part of a command is there. */
    RECEIVING,
    /** A large command is on its way through. */
    STREAMING,
    /** The server has the command and has not answered completely. */
    RESPONDING,
    /** The client sends a file that the server asked for. */
    SENDING_FILE,
    /** The user is being changed. */
    CHANGING_USER,
    CLOSED
  }

  private final ProxyContext proxy;
  private final int id;
  private final Channel client;

  private Phase phase = Phase.IDLE;
  private ServerSession identity;
  private @Nullable ServerConnection server;
  private @Nullable ByteBuf input;
  private @Nullable UserChange userChange;

  /** Of a command or a file under way: bytes that are still to be passed on, and what follows. */
  private int streamLeft;

  private boolean streamContinues;
  private boolean responseComplete;

  /** Counted up by everything that moves; the watch compares. */
  private int progress;

  /** The server's number for this session, for other threads. */
  private volatile int serverThread;

  ClientSession(
      ProxyContext proxy, int id, ServerSession identity, ServerConnection server, Channel client) {
    this.proxy = proxy;
    this.id = id;
    this.identity = identity;
    this.server = server;
    this.client = client;
    this.serverThread = server.threadId();
    server.setOwner(this);
  }

  /** The number that the greeting told. Any thread. */
  int id() {
    return id;
  }

  Phase phase() {
    return phase;
  }

  int progress() {
    return progress;
  }

  Channel client() {
    return client;
  }

  /** The server's number for the connection that serves this session. Any thread. */
  int serverThread() {
    return serverThread;
  }

  /** Any thread. */
  String user() {
    return identity.account().user();
  }

  // ---- the client's side

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    proxy.sessions().add(this);
    SessionWatch.of(context.channel().eventLoop(), proxy.bounds()).add(this);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (phase == Phase.CLOSED) {
      bytes.release();
      return;
    }
    progress++;
    ByteBuf waiting = input;
    input =
        waiting == null
            ? bytes
            : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(context.alloc(), waiting, bytes);
    proceed();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    ServerConnection to = server;
    if (to != null) {
      to.flush();
    }
  }

  /** Takes from the input whatever the state allows. */
  private void proceed() {
    try {
      boolean moved = true;
      while (moved && input != null) {
        moved =
            switch (phase) {
              case IDLE, RECEIVING -> takeCommand();
              case STREAMING, SENDING_FILE -> passOn();
              case CHANGING_USER -> takeProof();
              case RESPONDING, CLOSED -> false;
            };
      }
    } catch (MalformedPacketException e) {
      fail(new ErrPacket(1835, "HY000", "Leeway proxy - malformed packet: " + e.getMessage()), 1);
    }
    throttleClient();
  }

  /** Reads from the client only while there is room for what it sends. */
  private void throttleClient() {
    if (phase == Phase.CLOSED) {
      return;
    }
    ByteBuf waiting = input;
    boolean ahead =
        phase == Phase.RESPONDING && waiting != null && waiting.readableBytes() > MOST_SENT_AHEAD;
    ServerConnection to = server;
    boolean full =
        (phase == Phase.STREAMING || phase == Phase.SENDING_FILE)
            && to != null
            && !to.channel().isWritable();
    boolean read = !ahead && !full;
    if (client.config().isAutoRead() != read) {
      client.config().setAutoRead(read);
    }
  }

  private boolean takeCommand() {
    ByteBuf in = input;
    if (in == null || in.readableBytes() < PacketWriter.HEADER_BYTES) {
      phase = in == null ? Phase.IDLE : Phase.RECEIVING;
      return false;
    }
    int start = in.readerIndex();
    int length = in.getUnsignedMediumLE(start);
    int sequence = in.getUnsignedByte(start + 3);
    if (length == 0) {
      throw new MalformedPacketException("a command without a byte (expected: at least one)");
    }
    if (sequence != 0) {
      fail(
          new ErrPacket(
              1156,
              "08S01",
              "Got packets out of order. (Leeway proxy: packet number "
                  + sequence
                  + ", expected: 0)"),
          sequence + 1);
      return false;
    }
    int whole = PacketWriter.HEADER_BYTES + Math.min(length, LARGEST_WHOLE_COMMAND);
    if (in.readableBytes() < whole) {
      phase = Phase.RECEIVING;
      return false;
    }
    proxy.counters().command();
    int command = in.getUnsignedByte(start + PacketWriter.HEADER_BYTES);
    begin(command, in, length);
    return true;
  }

  private void begin(int command, ByteBuf in, int length) {
    Dialogue dialogue = Dialogue.of(command);
    boolean large = length > LARGEST_WHOLE_COMMAND;
    switch (dialogue) {
      case QUIT -> close("the client quit");
      case REFUSED -> {
        if (large) {
          throw new MalformedPacketException("an unknown command of " + length + " bytes");
        }
        takePacket(in, length).release();
        answer(new ErrPacket(1047, "08S01", "Unknown command"));
      }
      case CHANGE_USER -> {
        if (large) {
          throw new MalformedPacketException("a change of user of " + length + " bytes");
        }
        ByteBuf packet = takePacket(in, length);
        try {
          packet.skipBytes(PacketWriter.HEADER_BYTES);
          beginUserChange(packet);
        } finally {
          packet.release();
        }
      }
      case PROCESS_KILL -> {
        if (length < 5 || large) {
          throw new MalformedPacketException("a kill of " + length + " bytes (expected: 5)");
        }
        long target = in.getUnsignedIntLE(in.readerIndex() + PacketWriter.HEADER_BYTES + 1);
        ClientSession known = proxy.sessions().find(target);
        ByteBuf packet = takePacket(in, length);
        if (known == null) {
          send(packet, Expect.ONE_PACKET, false);
        } else {
          packet.release();
          kill(new KillStatement(false, target), known);
        }
      }
      default -> relay(command, dialogue, in, length);
    }
  }

  /** The next packet of the input, header included; the caller releases it. */
  private ByteBuf takePacket(ByteBuf in, int length) {
    int whole = PacketWriter.HEADER_BYTES + length;
    if (in.readableBytes() == whole) {
      input = null;
      return in;
    }
    return in.readRetainedSlice(whole);
  }

  private void relay(int command, Dialogue dialogue, ByteBuf in, int length) {
    boolean large = length > LARGEST_WHOLE_COMMAND;
    int payload = in.readerIndex() + PacketWriter.HEADER_BYTES;
    if (command == Command.QUERY && !large && killed(in, payload, length)) {
      return;
    }
    boolean cursor = command == Command.STMT_EXECUTE && length > 5 && in.getByte(payload + 5) != 0;
    if (large) {
      streamLeft = PacketWriter.HEADER_BYTES + length;
      streamContinues = length == PacketWriter.MAX_PAYLOAD_BYTES;
      beginResponse(dialogue.expect(), cursor);
      phase = Phase.STREAMING;
      return;
    }
    send(takePacket(in, length), dialogue.expect(), cursor);
  }

  private void send(ByteBuf packet, @Nullable Expect expect, boolean cursor) {
    ServerConnection to = connected();
    responseComplete = expect == null;
    to.command(packet, expect, cursor);
    phase = expect == null ? Phase.IDLE : Phase.RESPONDING;
  }

  private void beginResponse(@Nullable Expect expect, boolean cursor) {
    responseComplete = expect == null;
    connected().command(Unpooled.EMPTY_BUFFER, expect, cursor);
  }

  /** Passes on what is there of a large command or a file. */
  private boolean passOn() {
    ByteBuf in = input;
    ServerConnection to = connected();
    if (in == null) {
      return false;
    }
    if (streamLeft == 0) {
      return nextStreamPacket(in);
    }
    int take = Math.min(streamLeft, in.readableBytes());
    if (take == 0) {
      return false;
    }
    streamLeft -= take;
    if (take == in.readableBytes()) {
      input = null;
      to.more(in);
    } else {
      to.more(in.readRetainedSlice(take));
    }
    if (streamLeft == 0 && !streamContinues && phase == Phase.STREAMING) {
      phase = responseComplete ? Phase.IDLE : Phase.RESPONDING;
    }
    return true;
  }

  /** At the beginning of a packet that continues a command, or is a piece of a file. */
  private boolean nextStreamPacket(ByteBuf in) {
    if (in.readableBytes() < PacketWriter.HEADER_BYTES) {
      return false;
    }
    int length = in.getUnsignedMediumLE(in.readerIndex());
    boolean continuation = streamContinues;
    streamContinues = length == PacketWriter.MAX_PAYLOAD_BYTES;
    streamLeft = PacketWriter.HEADER_BYTES + length;
    ServerConnection to = connected();
    if (!responseComplete) {
      to.clientSent(in.getUnsignedByte(in.readerIndex() + 3));
    }
    if (phase == Phase.SENDING_FILE && length == 0 && !continuation) {
      ByteBuf end = takePacket(in, 0);
      streamLeft = 0;
      to.more(end);
      phase = responseComplete ? Phase.IDLE : Phase.RESPONDING;
    }
    return true;
  }

  // ---- the server's side

  @Override
  public void serverBytes(ByteBuf bytes, boolean complete) {
    progress++;
    client.write(bytes, client.voidPromise());
    if (!client.isWritable()) {
      connected().setReading(false);
    }
    if (complete) {
      responseEnds();
    }
  }

  private void responseEnds() {
    responseComplete = true;
    if (phase == Phase.RESPONDING) {
      phase = Phase.IDLE;
      if (input != null) {
        client.flush();
        proceed();
        ServerConnection to = server;
        if (to != null) {
          to.flush();
        }
      } else if (!client.config().isAutoRead()) {
        throttleClient();
      }
    }
  }

  @Override
  public void serverFlush() {
    client.flush();
  }

  @Override
  public void fileRequested() {
    if (phase == Phase.RESPONDING) {
      phase = Phase.SENDING_FILE;
      streamLeft = 0;
      streamContinues = false;
    }
  }

  @Override
  public void unaskedBytes(ByteBuf bytes) {
    client.write(bytes, client.voidPromise());
  }

  @Override
  public void serverWritabilityChanged() {
    progress++;
    throttleClient();
  }

  @Override
  public void serverGone(String problem) {
    ServerConnection lost = server;
    server = null;
    if (phase == Phase.CLOSED || lost == null) {
      return;
    }
    UserChange change = userChange;
    if (change != null) {
      // What the server said about the new user is passed on by the change itself.
      return;
    }
    ResponseTracker response = lost.tracker();
    if (phase == Phase.IDLE || phase == Phase.RECEIVING) {
      close("server " + lost.server() + " is gone: " + problem);
    } else if (responseComplete || !response.isBetweenPackets()) {
      proxy.counters().serverLost();
      close("server " + lost.server() + " was lost inside a packet: " + problem);
    } else {
      proxy.counters().serverLost();
      fail(lost.lostError(problem), response.nextSequence());
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    progress++;
    ServerConnection from = server;
    if (from != null && client.isWritable()) {
      from.setReading(true);
    }
  }

  private ServerConnection connected() {
    ServerConnection to = server;
    if (to == null) {
      throw new IllegalStateException("session without a server connection");
    }
    return to;
  }

  // ---- what the proxy does itself

  /** Answers the command without a server. */
  private void answer(ErrPacket error) {
    ByteBuf out = client.alloc().buffer();
    error.write(out, 1);
    client.writeAndFlush(out, client.voidPromise());
    phase = Phase.IDLE;
  }

  private void answerOk() {
    ByteBuf out = client.alloc().buffer();
    ServerConnection from = server;
    OkPacket.write(out, 1, from == null ? ServerStatus.AUTOCOMMIT : from.tracker().status());
    client.writeAndFlush(out, client.voidPromise());
    phase = Phase.IDLE;
  }

  /** Handles a KILL of one of the proxy's own clients; anything else is the server's. */
  private boolean killed(ByteBuf in, int payload, int length) {
    int end = payload + length;
    int text = payload + 1;
    if (Capabilities.has(identity.capabilities(), Capabilities.QUERY_ATTRIBUTES)) {
      text = CommandText.begin(in.slice(payload, length), identity.capabilities(), null) + payload;
    }
    int first = firstLetter(in, text, end);
    if (first != 'K') {
      return false;
    }
    KillStatement kill = KillStatement.parse(in, text, end);
    ClientSession target = kill == null ? null : proxy.sessions().find(kill.id());
    if (kill == null || target == null) {
      return false;
    }
    takePacket(in, length).release();
    kill(kill, target);
    return true;
  }

  /** The capital of the first letter outside comments: a cheap question before an exact one. */
  private static int firstLetter(ByteBuf in, int from, int to) {
    int at = from;
    while (at < to) {
      int c = in.getUnsignedByte(at);
      if (c == '/' || c == '*') {
        // A comment: let the exact question decide.
        return 'K';
      }
      if (c > ' ') {
        return c & ~0x20;
      }
      at++;
    }
    return 0;
  }

  private void kill(KillStatement kill, ClientSession target) {
    String text = kill.withId(target.serverThread());
    ByteBuf out = client.alloc().buffer();
    PacketWriter packet = PacketWriter.begin(out, 0).writeByte(Command.QUERY);
    if (Capabilities.has(identity.capabilities(), Capabilities.QUERY_ATTRIBUTES)) {
      packet.writeByte(0).writeByte(1);
    }
    packet.writeBytes(text.getBytes(StandardCharsets.US_ASCII)).end();
    send(out, Expect.RESULTS, false);
  }

  private void beginUserChange(ByteBuf payload) {
    UserChange change = new UserChange(proxy, identity, client, payload);
    userChange = change;
    phase = Phase.CHANGING_USER;
    advance(change);
  }

  private boolean takeProof() {
    ByteBuf in = input;
    UserChange change = userChange;
    if (in == null || change == null || !change.wantsAnswer()) {
      return false;
    }
    if (in.readableBytes() < PacketWriter.HEADER_BYTES) {
      return false;
    }
    int length = in.getUnsignedMediumLE(in.readerIndex());
    if (length > UserChange.LONGEST_ANSWER) {
      throw new MalformedPacketException(
          "an answer of %d bytes (expected: at most %d)"
              .formatted(length, UserChange.LONGEST_ANSWER));
    }
    if (in.readableBytes() < PacketWriter.HEADER_BYTES + length) {
      return false;
    }
    ByteBuf packet = takePacket(in, length);
    try {
      change.answer(packet);
    } finally {
      packet.release();
    }
    advance(change);
    return true;
  }

  private void advance(UserChange change) {
    if (change.writeNext()) {
      return;
    }
    ServerSession next = change.accepted();
    if (next == null) {
      fail(change.denied(), change.takeSequence());
      return;
    }
    connected()
        .changeUser(next)
        .addListener(
            done -> {
              userChange = null;
              if (phase == Phase.CLOSED) {
                return;
              }
              if (done.isSuccess()) {
                identity = next;
                proxy.users().learn(next.account());
                change.writeOk((byte[]) done.getNow());
                phase = Phase.IDLE;
                proceed();
              } else {
                fail(change.errorFor(done.cause()), change.takeSequence());
              }
            });
  }

  // ---- the end

  /** A bound has passed. */
  void tooLong(String what) {
    ServerConnection lost = server;
    int sequence = 1;
    boolean between = true;
    if (lost != null && (phase == Phase.RESPONDING || phase == Phase.SENDING_FILE)) {
      sequence = lost.tracker().nextSequence();
      between = lost.tracker().isBetweenPackets() && client.isWritable();
    }
    if (between) {
      fail(new ErrPacket(1159, "08S01", "Leeway proxy - " + what), sequence);
    } else {
      close(what);
    }
  }

  /** Tells the client an error after which nothing can go on, and ends. */
  private void fail(ErrPacket error, int sequence) {
    if (phase == Phase.CLOSED) {
      return;
    }
    log.info("Leeway proxy - session {} ends: {}", id, error.message());
    leave();
    ByteBuf out = client.alloc().buffer();
    error.write(out, sequence & 0xFF);
    closeAfter(out);
  }

  /** Closes once this is sent, or soon anyway: the client may take nothing any more. */
  private void closeAfter(ByteBuf last) {
    if (!client.isWritable()) {
      last.release();
      client.close();
      return;
    }
    client.writeAndFlush(last).addListener(ChannelFutureListener.CLOSE);
    Future<?> timer =
        client
            .eventLoop()
            .schedule(() -> client.close(), LONGEST_GOODBYE_SECONDS, TimeUnit.SECONDS);
    client.closeFuture().addListener(closed -> timer.cancel(false));
  }

  /** Ends without a word. */
  void close(String because) {
    if (phase == Phase.CLOSED) {
      return;
    }
    log.debug("Leeway proxy - session {} ends: {}", id, because);
    leave();
    if (client.isActive()) {
      closeAfter(Unpooled.EMPTY_BUFFER);
    }
  }

  /** Gives back everything; once. */
  private void leave() {
    boolean quiet = phase == Phase.IDLE || phase == Phase.RECEIVING;
    phase = Phase.CLOSED;
    proxy.sessions().remove(this);
    SessionWatch.of(client.eventLoop(), proxy.bounds()).remove(this);
    proxy.counters().clientGone();
    ByteBuf waiting = input;
    input = null;
    if (waiting != null) {
      waiting.release();
    }
    ServerConnection held = server;
    server = null;
    if (held != null) {
      if (quiet) {
        held.quit();
      } else {
        held.abort();
      }
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    close("the client is gone");
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    close("the client's connection broke (" + cause.getMessage() + ")");
    context.close();
  }
}
