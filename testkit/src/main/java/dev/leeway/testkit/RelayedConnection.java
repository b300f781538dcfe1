package dev.leeway.testkit;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** One client's connection through a {@link Relay}. Used by the relay's thread only. */
final class RelayedConnection {
  /** Nothing is due: come back after this long even so. */
  static final long LONG_NANOS = Duration.ofMinutes(1).toNanos();

  private final Selector selector;
  private final SocketChannel client;
  private final SocketChannel server;
  private final Lane requests;
  private final Lane replies;
  private boolean over;
  private long nextDue = System.nanoTime() + LONG_NANOS;

  /** The trap that this connection's statement has set off, while its reply is awaited. */
  private Relay.@Nullable Trap caught;

  private RelayedConnection(Selector selector, SocketChannel client, SocketChannel server) {
    this.selector = selector;
    this.client = client;
    this.server = server;
    this.requests = new Lane(client, server);
    this.replies = new Lane(server, client);
  }

  /** Where the server is at this moment. */
  @FunctionalInterface
  interface Target {
    InetSocketAddress address() throws IOException;
  }

  static RelayedConnection begin(Selector selector, SocketChannel client, Target target)
      throws IOException {
    SocketChannel server = SocketChannel.open();
    RelayedConnection connection = new RelayedConnection(selector, client, server);
    try {
      for (SocketChannel channel : new SocketChannel[] {client, server}) {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.register(selector, 0, connection);
      }
      server.connect(target.address());
    } catch (IOException e) {
      connection.reset();
    }
    return connection;
  }

  boolean isOver() {
    return over;
  }

  /** When to move again even if nothing happens on the channels, in nanoTime's terms. */
  long nextDue() {
    return nextDue;
  }

  /** Moves what can be moved now. */
  void move(long now, boolean cut, long delayNanos, Relay.@Nullable Trap trap) {
    nextDue = now + LONG_NANOS;
    if (over) {
      return;
    }
    try {
      if (server.isConnectionPending() && !server.finishConnect()) {
        interest(client, 0);
        interest(server, SelectionKey.OP_CONNECT);
        return;
      }
      if (cut) {
        interest(client, 0);
        interest(server, 0);
        return;
      }
      requests.move(now, delayNanos, bytes -> watchFor(trap, bytes));
      replies.move(now, delayNanos, bytes -> swallow());
      if (over) {
        return;
      }
      if (requests.isOver() && replies.isOver()) {
        closeBoth();
        return;
      }
      interest(client, requests.readInterest() | replies.writeInterest());
      interest(server, replies.readInterest() | requests.writeInterest());
      nextDue = now + Math.min(requests.nanosToNext(now), replies.nanosToNext(now));
    } catch (IOException e) {
      // The other side must notice too, and as roughly.
      reset();
      return;
    }
  }

  /** Looks at bytes on their way to the server; they go on in any case. */
  private boolean watchFor(Relay.@Nullable Trap trap, ByteBuffer bytes) {
    if (trap != null && caught == null && !trap.hasSprung() && requests.contains(trap, bytes)) {
      caught = trap;
    }
    return true;
  }

  /** The first bytes of the awaited reply prove that the server has executed the statement. */
  private boolean swallow() {
    Relay.Trap trap = caught;
    if (trap == null) {
      return true;
    }
    reset();
    trap.spring();
    return false;
  }

  private void interest(SocketChannel channel, int operations) {
    SelectionKey key = channel.keyFor(selector);
    if (key != null && key.isValid()) {
      key.interestOps(operations);
    }
  }

  /** Ends both sides with a reset, as a crash does. */
  void reset() {
    for (SocketChannel channel : new SocketChannel[] {client, server}) {
      try {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      } catch (IOException e) {
        // Already broken, which is what is wanted.
      }
    }
    closeBoth();
  }

  private void closeBoth() {
    over = true;
    for (SocketChannel channel : new SocketChannel[] {client, server}) {
      try {
        channel.close();
      } catch (IOException e) {
        // Nothing is left to be saved.
      }
    }
  }

  /** Decides whether bytes just read go on. */
  @FunctionalInterface
  private interface Inspection {
    boolean mayPass(ByteBuffer bytes);
  }

  /** One direction of a connection. */
  static final class Lane {
    /** What is kept of bytes that cannot go on yet; beyond it nothing more is read. */
    static final int LIMIT_BYTES = 256 * 1024;

    private static final int READ_BYTES = 32 * 1024;

    private final SocketChannel from;
    private final SocketChannel to;
    private final Deque<Chunk> queue = new ArrayDeque<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);
    private int queuedBytes;
    private boolean ended;
    private boolean endPassedOn;
    private boolean blocked;

    /** The end of what went through, since the network may cut a text anywhere. */
    private byte[] tail = new byte[0];

    private Relay.@Nullable Trap tailIsFor;

    private record Chunk(ByteBuffer bytes, long dueNanos) {}

    Lane(SocketChannel from, SocketChannel to) {
      this.from = from;
      this.to = to;
    }

    private void move(long now, long delayNanos, Inspection inspection) throws IOException {
      write(now);
      while (!ended && queuedBytes < LIMIT_BYTES) {
        buffer.clear();
        int count = from.read(buffer);
        if (count == 0) {
          break;
        }
        if (count < 0) {
          ended = true;
          break;
        }
        buffer.flip();
        if (!inspection.mayPass(buffer)) {
          return;
        }
        ByteBuffer copy = ByteBuffer.allocate(count).put(buffer).flip();
        queue.add(new Chunk(copy, now + delayNanos));
        queuedBytes += count;
        write(now);
      }
      if (ended && queue.isEmpty() && !endPassedOn) {
        endPassedOn = true;
        to.shutdownOutput();
      }
    }

    private void write(long now) throws IOException {
      blocked = false;
      while (!queue.isEmpty() && queue.peek().dueNanos() - now <= 0) {
        ByteBuffer bytes = queue.peek().bytes();
        int before = bytes.remaining();
        to.write(bytes);
        queuedBytes -= before - bytes.remaining();
        if (bytes.hasRemaining()) {
          blocked = true;
          return;
        }
        queue.remove();
      }
    }

    boolean isOver() {
      return endPassedOn;
    }

    int readInterest() {
      return !ended && queuedBytes < LIMIT_BYTES ? SelectionKey.OP_READ : 0;
    }

    int writeInterest() {
      return blocked ? SelectionKey.OP_WRITE : 0;
    }

    long nanosToNext(long now) {
      Chunk first = queue.peek();
      return first == null || blocked ? LONG_NANOS : first.dueNanos() - now;
    }

    /** Whether the trap's text ends in these bytes, begun here or before. */
    private boolean contains(Relay.Trap trap, ByteBuffer bytes) {
      if (tailIsFor != trap) {
        tailIsFor = trap;
        tail = new byte[0];
      }
      byte[] text = trap.text();
      byte[] fresh = new byte[bytes.remaining()];
      bytes.duplicate().get(fresh);
      byte[] all = new byte[tail.length + fresh.length];
      System.arraycopy(tail, 0, all, 0, tail.length);
      System.arraycopy(Relay.Trap.lowerCase(fresh), 0, all, tail.length, fresh.length);
      int kept = Math.min(all.length, text.length - 1);
      tail = Arrays.copyOfRange(all, all.length - kept, all.length);
      return indexOf(all, text) >= 0;
    }

    private static int indexOf(byte[] all, byte[] text) {
      for (int i = 0; i + text.length <= all.length; i++) {
        if (Arrays.equals(all, i, i + text.length, text, 0, text.length)) {
          return i;
        }
      }
      return -1;
    }
  }
}
