package dev.leeway.proxy.backend;

import dev.leeway.proxy.hostgroup.ServerAddress;
import dev.leeway.proxy.wire.ErrPacket;
import dev.leeway.proxy.wire.MalformedPacketException;
import dev.leeway.proxy.wire.PacketWriter;
import dev.leeway.proxy.wire.ResponseTracker;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a server, logged in.
 *
 * <p>Belongs to its event loop, as its owner must. What the server sends in answer to a command
 * goes to the owner as it arrives, cut only where the response ends.
 */
public final class ServerConnection extends ChannelInboundHandlerAdapter {

  /** Who uses a connection and is told what happens on it. */
  public interface Owner {
    /**
     * Bytes of the response under way. The owner releases them.
     *
     * @param complete whether these are the last ones
     */
    void serverBytes(ByteBuf bytes, boolean complete);

    /** The server has nothing more to read for now. */
    void serverFlush();

    /** The server asked for a file; the client's packets go to it until an empty one. */
    void fileRequested();

    /** Bytes that no command asked for, such as a notice before the server closes. */
    void unaskedBytes(ByteBuf bytes);

    /** Whether the server takes more bytes has changed. */
    void serverWritabilityChanged();

    /** The connection is gone; nothing more will be told. */
    void serverGone(String problem);
  }

  private final ServerAddress server;
  private final ServerLogin.Result login;
  private final Channel channel;
  private final boolean passwordMayTravelOpenly;
  private final ResponseTracker tracker = new ResponseTracker();

  private byte[] okPayload;
  private @Nullable Owner owner;

  /** Of a shared connection: the login and settings it is in, and who had it last. */
  private @Nullable ServerSession identity;

  private List<Setting> settings = List.of();
  private boolean traceless;
  private @Nullable Object lastUser;
  private boolean broken;
  private boolean gone;

  ServerConnection(
      ServerAddress server, ServerLogin.Result login, boolean passwordMayTravelOpenly) {
    this.server = server;
    this.login = login;
    this.channel = login.channel();
    this.passwordMayTravelOpenly = passwordMayTravelOpenly;
    okPayload = login.okPayload();
    tracker.setStatus(login.status());
  }

  /** It has just been logged in or has changed its user: nothing of anybody is on it. */
  public void becomes(ServerSession newIdentity) {
    identity = newIdentity;
    settings = List.of();
    traceless = true;
    lastUser = null;
  }

  void hasSettings(List<Setting> applied) {
    settings = applied;
  }

  void usedBy(Object user) {
    lastUser = user;
  }

  /** A session gives it back. */
  void leftBehind(List<Setting> nowSet, boolean withoutTrace) {
    settings = nowSet;
    traceless &= withoutTrace;
  }

  boolean isLastUsedBy(Object user) {
    return lastUser == user;
  }

  /** Whether nobody could tell it from one that was just logged in and set so. */
  boolean isLike(ServerSession wanted, List<Setting> wantedSettings) {
    return traceless && wanted.equals(identity) && settings.equals(wantedSettings);
  }

  /** Whether nobody could tell it from one that was just logged in. */
  boolean isFresh(ServerSession wanted) {
    return traceless && wanted.equals(identity) && settings.isEmpty();
  }

  boolean hasCapabilitiesOf(ServerSession wanted) {
    ServerSession known = identity;
    return known != null
        && known.capabilities() == wanted.capabilities()
        && known.maxPacketBytes() == wanted.maxPacketBytes();
  }

  public ServerAddress server() {
    return server;
  }

  /** The server's number for this connection, as {@code CONNECTION_ID()} tells it. */
  public int threadId() {
    return login.greeting().connectionId();
  }

  /** Those that this connection was logged in with. */
  public int capabilities() {
    return login.capabilities();
  }

  /** The payload of the OK that ended the login or the last change of user. */
  public byte[] loginOk() {
    return okPayload;
  }

  /** What is known of the response under way, or of the last one. */
  public ResponseTracker tracker() {
    return tracker;
  }

  public Channel channel() {
    return channel;
  }

  /** Whether commands can still be sent. */
  public boolean isUsable() {
    return !gone && !broken && channel.isActive();
  }

  /** Gives the connection to somebody; null takes it away. */
  public void setOwner(@Nullable Owner newOwner) {
    owner = newOwner;
  }

  /**
   * Sends the first bytes of a command, or all of it, and follows the response.
   *
   * @param bytes packets with their headers; released here
   * @param expect what the server answers, or null if it answers nothing
   * @param cursorWanted whether the command asks for a cursor
   */
  public void command(
      ByteBuf bytes, ResponseTracker.@Nullable Expect expect, boolean cursorWanted) {
    if (expect != null) {
      tracker.begin(expect, login.capabilities(), cursorWanted);
    }
    channel.write(bytes, channel.voidPromise());
  }

  /** Sends more bytes of the client's; released here. */
  public void more(ByteBuf bytes) {
    channel.write(bytes, channel.voidPromise());
  }

  /** The client has sent a packet of this number within the exchange. */
  public void clientSent(int sequence) {
    tracker.clientSent(sequence);
  }

  public void flush() {
    channel.flush();
  }

  /**
   * Lets the server's bytes come, or leaves them where they are while the client cannot take them.
   */
  public void setReading(boolean reading) {
    channel.config().setAutoRead(reading);
  }

  /**
   * Changes the user. Until it is done, nothing else may be sent and the owner is told nothing but
   * that the connection is gone; after a failure it is closed.
   *
   * @param wanted the new account, schema, collation and attributes; the capabilities stay
   * @return the payload of the server's OK
   */
  public Future<byte[]> changeUser(ServerSession wanted) {
    Promise<ServerLogin.Result> promise = channel.eventLoop().newPromise();
    ServerLogin handler =
        ServerLogin.changeOfUser(
            server.toString(),
            wanted,
            login.greeting(),
            login.capabilities(),
            passwordMayTravelOpenly,
            promise);
    channel.pipeline().addBefore(channel.pipeline().context(this).name(), null, handler);
    Promise<byte[]> done = channel.eventLoop().newPromise();
    promise.addListener(
        (Future<ServerLogin.Result> future) -> {
          if (future.isSuccess()) {
            tracker.setStatus(future.getNow().status());
            okPayload = future.getNow().okPayload();
            done.trySuccess(future.getNow().okPayload());
          } else {
            done.tryFailure(future.cause());
          }
        });
    return done;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    Owner told = owner;
    if (told == null || broken) {
      bytes.release();
      if (!broken) {
        // Nobody asked: the server says goodbye, or something is out of step.
        context.close();
      }
      return;
    }
    if (tracker.isDone()) {
      told.unaskedBytes(bytes);
      return;
    }
    int end;
    try {
      end = tracker.scan(bytes, bytes.readerIndex(), bytes.writerIndex());
    } catch (MalformedPacketException e) {
      bytes.release();
      lose(context, "it sent what is no response: " + e.getMessage());
      return;
    }
    if (tracker.takeFileRequest()) {
      told.fileRequested();
    }
    if (end == bytes.writerIndex()) {
      told.serverBytes(bytes, tracker.isDone());
    } else {
      ByteBuf response = bytes.readRetainedSlice(end - bytes.readerIndex());
      told.serverBytes(response, true);
      Owner next = owner;
      if (next != null) {
        next.unaskedBytes(bytes);
      } else {
        bytes.release();
        context.close();
      }
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    Owner told = owner;
    if (told != null) {
      told.serverFlush();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    Owner told = owner;
    if (told != null) {
      told.serverWritabilityChanged();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    lose(context, "it closed the connection");
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    lose(context, "the connection broke (" + cause.getMessage() + ")");
  }

  private void lose(ChannelHandlerContext context, String problem) {
    broken = true;
    Owner told = owner;
    if (!gone) {
      gone = true;
      owner = null;
      if (told != null) {
        told.serverGone(problem);
      }
    }
    context.close();
  }

  /** Says goodbye and closes; nobody is told. */
  public void quit() {
    owner = null;
    if (!gone && channel.isActive()) {
      gone = true;
      channel.writeAndFlush(PacketWriter.begin(channel.alloc().buffer(8), 0).writeByte(1).end());
    }
    channel.close();
  }

  /** Closes at once, as where a response is under way that nobody wants any more. */
  public void abort() {
    gone = true;
    owner = null;
    channel.close();
  }

  /** An error in a client's words for a server that was lost in the middle of things. */
  public ErrPacket lostError(String problem) {
    return new ErrPacket(
        2013,
        "HY000",
        "Leeway proxy - lost server "
            + server
            + " while a statement ran: "
            + problem
            + ". Whether the statement took effect is not known; the session is closed.");
  }

  @Override
  public String toString() {
    return server + ", thread " + Integer.toUnsignedString(threadId());
  }
}
