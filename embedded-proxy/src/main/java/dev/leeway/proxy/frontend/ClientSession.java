package dev.leeway.proxy.frontend;

import dev.leeway.proxy.backend.ServerConnection;
import dev.leeway.proxy.backend.ServerException;
import dev.leeway.proxy.backend.ServerPool;
import dev.leeway.proxy.backend.ServerSession;
import dev.leeway.proxy.backend.Setting;
import dev.leeway.proxy.frontend.ProxyContext.Sharing;
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
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
final class ClientSession extends ChannelInboundHandlerAdapter
    implements ServerConnection.Owner, ServerPool.Taker {
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
    /** A command waits for a server connection; the pool has a bound for it. */
    ACQUIRING,
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

  /** With sharing: where connections come from, and what this session has on its own. */
  private final @Nullable ServerPool pool;

  private final SessionState state = new SessionState();
  private StatementEffect effect = StatementEffect.PIN;
  private int command;
  private byte @Nullable [] setting;
  private boolean lastIsLost;
  private @Nullable ByteBuf pendingPacket;
  private @Nullable Runnable pendingWork;

  /** Set by a KILL, which may still be on its way to the connection: nobody else may get it. */
  private boolean doomed;

  ClientSession(
      ProxyContext proxy, int id, ServerSession identity, ServerConnection server, Channel client) {
    this.proxy = proxy;
    this.id = id;
    this.identity = identity;
    this.server = server;
    this.client = client;
    Sharing sharing = proxy.sharing();
    this.pool = sharing == null ? null : sharing.pools().of(client.eventLoop(), proxy.primary());
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

  /** Any thread. */
  String user() {
    return identity.account().user();
  }

  // ---- the client's side

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    proxy.sessions().add(this);
    SessionWatch.of(context.channel().eventLoop(), proxy).add(this);
    giveBackIfFree(true);
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
              case RESPONDING, ACQUIRING, CLOSED -> false;
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
        (phase == Phase.RESPONDING || phase == Phase.ACQUIRING)
            && waiting != null
            && waiting.readableBytes() > MOST_SENT_AHEAD;
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
          foresee(Command.PROCESS_KILL, packet, 0, 0, false);
          dispatch(packet, Command.PROCESS_KILL, Expect.ONE_PACKET, false);
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
    foresee(command, in, payload, length, large);
    if (large) {
      withServer(() -> beginStream(dialogue, cursor, length));
      return;
    }
    dispatch(takePacket(in, length), command, dialogue.expect(), cursor);
  }

  /** Before a command goes to a server: what it will leave there. */
  private void foresee(int code, ByteBuf in, int payload, int length, boolean large) {
    command = code;
    setting = null;
    Sharing sharing = proxy.sharing();
    if (sharing == null) {
      return;
    }
    if (large) {
      effect = StatementEffect.PIN;
      return;
    }
    switch (code) {
      case Command.QUERY, Command.STMT_PREPARE -> {
        effect =
            Collations.areReadable(identity.collation())
                ? StatementEffect.of(sharing.guard().lookup(text(code, in.slice(payload, length))))
                : StatementEffect.PIN;
        boolean sets = effect == StatementEffect.SETTING || effect == StatementEffect.SCHEMA;
        if (sets && code == Command.STMT_PREPARE) {
          effect = StatementEffect.PIN;
        } else if (sets) {
          setting = ByteBufUtil.getBytes(in, payload, length);
        }
      }
      case Command.INIT_DB -> {
        effect = StatementEffect.SCHEMA;
        setting = ByteBufUtil.getBytes(in, payload, length);
      }
      case Command.RESET_CONNECTION -> {
        effect = StatementEffect.NOTHING;
        setting = ByteBufUtil.getBytes(in, payload, length);
      }
      case Command.PING,
          Command.STATISTICS,
          Command.FIELD_LIST,
          Command.DEBUG,
          Command.PROCESS_KILL ->
          effect = StatementEffect.NOTHING;
      case Command.SET_OPTION -> effect = StatementEffect.PIN;
      case Command.STMT_CLOSE -> state.statementClosed();
      default -> effect = StatementEffect.TRACE;
    }
  }

  private String text(int code, ByteBuf payload) {
    int text =
        code == Command.QUERY
            ? CommandText.begin(payload, identity.capabilities(), null)
            : payload.readerIndex() + 1;
    return payload.toString(text, payload.writerIndex() - text, StandardCharsets.UTF_8);
  }

  /** Sends a command to the server, once there is one. */
  private void dispatch(ByteBuf packet, int code, @Nullable Expect expect, boolean cursor) {
    if (server != null || pool == null) {
      send(packet, expect, cursor);
      return;
    }
    if (code == Command.STMT_CLOSE || code == Command.STMT_SEND_LONG_DATA) {
      // Without a connection there is no such statement, and nothing is answered.
      packet.release();
      phase = Phase.IDLE;
      return;
    }
    pendingPacket = packet;
    withServer(
        () -> {
          ByteBuf pending = pendingPacket;
          pendingPacket = null;
          if (pending != null) {
            send(pending, expect, cursor);
          }
        });
  }

  /** Does something with a server connection, now or when there is one. */
  private void withServer(Runnable work) {
    ServerPool from = pool;
    if (server != null || from == null) {
      work.run();
      return;
    }
    pendingWork = work;
    phase = Phase.ACQUIRING;
    from.acquire(this);
  }

  @Override
  public ServerSession identity() {
    return identity;
  }

  @Override
  public List<Setting> settings() {
    return state.settings();
  }

  @Override
  public void taken(ServerConnection connection, boolean untouched) {
    Runnable work = pendingWork;
    pendingWork = null;
    server = connection;
    connection.setOwner(this);
    if (!untouched) {
      state.attached();
      lastIsLost = true;
    }
    progress++;
    if (phase == Phase.CLOSED || work == null) {
      giveBack();
      return;
    }
    if (lastIsLost && asksAboutLast()) {
      dropPending();
      answer(
          new ErrPacket(
              1105,
              "HY000",
              "Leeway proxy - what the last statement left is no longer there: its connection has"
                  + " been given to another session. Ask in the same transaction, or sooner."));
      giveBack();
    } else {
      work.run();
    }
    proceed();
    connection.flush();
  }

  private boolean asksAboutLast() {
    ByteBuf packet = pendingPacket;
    if (packet == null || (command != Command.QUERY && command != Command.STMT_PREPARE)) {
      return false;
    }
    int start = packet.readerIndex() + PacketWriter.HEADER_BYTES;
    return StatementEffect.asksAboutLast(
        text(command, packet.slice(start, packet.writerIndex() - start)));
  }

  private void dropPending() {
    ByteBuf packet = pendingPacket;
    pendingPacket = null;
    if (packet != null) {
      packet.release();
    }
  }

  @Override
  public void failed(ServerException problem) {
    pendingWork = null;
    dropPending();
    progress++;
    if (phase == Phase.CLOSED) {
      return;
    }
    if (userChange != null) {
      fail(problem.error(), 3);
      return;
    }
    answer(problem.error());
    proceed();
  }

  /** Lets others have the connection, if nothing of this session's is on it that it needs. */
  private void giveBackIfFree(boolean evenIfNotLight) {
    if (pool != null
        && server != null
        && phase == Phase.IDLE
        && state.isFree()
        && (evenIfNotLight || state.isLight())) {
      // Once the connection is another's, its pauses flush for that one.
      client.flush();
      giveBack();
    }
  }

  private void giveBack() {
    ServerConnection held = server;
    ServerPool to = pool;
    server = null;
    if (held == null) {
      return;
    }
    if (to == null || doomed) {
      held.quit();
    } else {
      to.release(held, state.settings(), state.isTraceless());
    }
    doomed = false;
  }

  /** The time has passed for which a connection is kept for what the last statement left. */
  void holdEnds() {
    giveBackIfFree(true);
  }

  /** Whether a connection is kept that others could use. */
  boolean isHolding() {
    return pool != null && server != null && phase == Phase.IDLE && state.isFree();
  }

  private void beginStream(Dialogue dialogue, boolean cursor, int length) {
    streamLeft = PacketWriter.HEADER_BYTES + length;
    streamContinues = length == PacketWriter.MAX_PAYLOAD_BYTES;
    beginResponse(dialogue.expect(), cursor);
    phase = Phase.STREAMING;
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
    if (pool != null) {
      learn(connected().tracker());
    }
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
      giveBackIfFree(false);
    }
  }

  /** What the command has done to the session. */
  private void learn(ResponseTracker response) {
    boolean succeeded = response.errorCode() == 0;
    byte[] set = setting;
    if (command == Command.STMT_PREPARE && succeeded) {
      state.statementPrepared();
    } else if (command == Command.RESET_CONNECTION && succeeded && set != null) {
      state.wasReset(Setting.of(set, false));
    } else if (set != null && succeeded) {
      state.set(Setting.of(set, effect == StatementEffect.SCHEMA));
    } else if (set != null && contains(set, ',')) {
      // Some of several settings may have been made before one failed.
      state.pin();
    }
    setting = null;
    lastIsLost = false;
    state.answered(effect, response);
  }

  private static boolean contains(byte[] bytes, char wanted) {
    for (byte each : bytes) {
      if (each == wanted) {
        return true;
      }
    }
    return false;
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
    if (pool != null && state.isFree()) {
      // A goodbye to a connection, not to this session.
      bytes.release();
      return;
    }
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
    if (pool != null && state.isFree() && (phase == Phase.IDLE || phase == Phase.RECEIVING)) {
      // Nothing of the session's was on it.
      lastIsLost = true;
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
    phase = Phase.ACQUIRING;
    EventLoop here = client.eventLoop();
    target
        .client
        .eventLoop()
        .execute(
            () -> {
              ServerConnection held = target.server;
              int thread = held == null ? 0 : held.threadId();
              target.doomed = held != null;
              here.execute(() -> killOnServer(kill, target, thread));
            });
  }

  private void killOnServer(KillStatement kill, ClientSession target, int thread) {
    if (phase != Phase.ACQUIRING) {
      return;
    }
    progress++;
    if (thread == 0) {
      // It runs nothing and holds nothing; only its connection can be ended.
      if (!target.user().equals(user())) {
        String number = Integer.toUnsignedString(target.id);
        answer(new ErrPacket(1095, "HY000", "You are not owner of thread " + number));
      } else {
        if (!kill.query()) {
          target.client.eventLoop().execute(() -> target.close("it was killed"));
        }
        answerOk();
      }
      proceed();
      return;
    }
    command = Command.PROCESS_KILL;
    setting = null;
    effect = StatementEffect.NOTHING;
    String text = kill.withId(thread);
    ByteBuf out = client.alloc().buffer();
    PacketWriter packet = PacketWriter.begin(out, 0).writeByte(Command.QUERY);
    if (Capabilities.has(identity.capabilities(), Capabilities.QUERY_ATTRIBUTES)) {
      packet.writeByte(0).writeByte(1);
    }
    packet.writeBytes(text.getBytes(StandardCharsets.US_ASCII)).end();
    dispatch(out, Command.PROCESS_KILL, Expect.RESULTS, false);
    ServerConnection to = server;
    if (to != null) {
      to.flush();
    }
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
    withServer(() -> changeUser(change, next));
  }

  private void changeUser(UserChange change, ServerSession next) {
    ServerConnection changing = connected();
    phase = Phase.CHANGING_USER;
    changing
        .changeUser(next)
        .addListener(
            done -> {
              userChange = null;
              if (phase == Phase.CLOSED) {
                return;
              }
              if (done.isSuccess()) {
                identity = next;
                changing.becomes(next);
                state.startAnew();
                proxy.users().learn(next.account());
                change.writeOk((byte[]) done.getNow());
                phase = Phase.IDLE;
                proceed();
                giveBackIfFree(true);
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
    SessionWatch.of(client.eventLoop(), proxy).remove(this);
    proxy.counters().clientGone();
    ByteBuf waiting = input;
    input = null;
    if (waiting != null) {
      waiting.release();
    }
    dropPending();
    ServerConnection held = server;
    if (held != null && quiet && pool != null && state.isFree()) {
      // Anything else ends with the connection: nobody may wait for a lock of somebody who is gone.
      giveBack();
      return;
    }
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
