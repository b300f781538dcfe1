package dev.leeway.testkit;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stretch of network in front of one server: bytes go through unchanged until it is told to cut,
 * slow or refuse them.
 *
 * <p>One thread moves the bytes of all connections. What it keeps per connection and direction is
 * bounded by {@link RelayedConnection.Lane#LIMIT_BYTES}; beyond that the sender is made to wait, as
 * TCP does.
 *
 * <p>Safe for use from any thread. {@link #close()} closes all connections and ends the thread.
 */
final class Relay implements AutoCloseable {
  /*
   * Only the relay's thread touches channels and connections. Other threads change the volatile
   * settings below and wake it up; where the caller must know that the change is in force, it waits
   * for the round that begins after it (see applied()).
   */
  private static final Logger log = LoggerFactory.getLogger(Relay.class);
  private static final Duration END_BOUND = Duration.ofSeconds(10);

  private final String name;
  private final Supplier<ServerProcess.Address> target;
  private final Selector selector;
  private final int port;
  private final Thread thread;
  private final Set<RelayedConnection> connections = new HashSet<>();
  private final List<CountDownLatch> waiting = new ArrayList<>();

  private @Nullable ServerSocketChannel listener;
  private volatile boolean open = true;
  private volatile boolean cut;
  private volatile boolean refusing;
  private volatile boolean resetAll;
  private volatile long latencyNanos;
  private volatile @Nullable Trap trap;

  /** Waits for one statement and swallows its reply. */
  static final class Trap {
    private final byte[] text;
    private final CountDownLatch sprung = new CountDownLatch(1);

    private Trap(String text) {
      this.text = lowerCase(text.getBytes(StandardCharsets.UTF_8));
    }

    boolean hasSprung() {
      return sprung.getCount() == 0;
    }

    boolean awaitSprung(Duration bound) throws InterruptedException {
      return sprung.await(bound.toMillis(), TimeUnit.MILLISECONDS);
    }

    void spring() {
      sprung.countDown();
    }

    byte[] text() {
      return text;
    }

    static byte[] lowerCase(byte[] bytes) {
      byte[] lower = bytes.clone();
      for (int i = 0; i < lower.length; i++) {
        if (lower[i] >= 'A' && lower[i] <= 'Z') {
          lower[i] = (byte) (lower[i] + 'a' - 'A');
        }
      }
      return lower;
    }
  }

  private Relay(String name, Supplier<ServerProcess.Address> target) throws IOException {
    this.name = name;
    this.target = target;
    this.selector = Selector.open();
    this.port = listenOnFreePort();
    this.thread = new Thread(this::run, "leeway-relay-" + name);
    this.thread.setDaemon(true);
  }

  /**
   * Starts a relay on a free port of loopback.
   *
   * @param target asked for the server's address whenever a client connects
   */
  static Relay start(String name, Supplier<ServerProcess.Address> target) {
    try {
      Relay relay = new Relay(name, target);
      relay.thread.start();
      return relay;
    } catch (IOException e) {
      throw new ClusterException(name + " - its relay cannot be started: " + e.getMessage(), e);
    }
  }

  ServerProcess.Address address() {
    return new ServerProcess.Address(FreePorts.LOOPBACK.getHostAddress(), port);
  }

  /** While cut, nothing goes through in either direction; afterwards everything does, none lost. */
  void cut(boolean on) {
    cut = on;
    applied();
  }

  /** While refusing, existing connections are reset and new ones are refused. */
  void refuse(boolean on) {
    refusing = on;
    if (on) {
      resetAll = true;
    }
    applied();
  }

  /** Adds this much to each round trip, half of it in each direction. */
  void latency(Duration roundTrip) {
    latencyNanos = roundTrip.toNanos() / 2;
    applied();
  }

  /**
   * Arms a trap for the next statement whose text contains this one, whatever its case; the text
   * must travel in the clear.
   */
  Trap dropReplyAfter(String text) {
    Trap next = new Trap(text);
    trap = next;
    applied();
    return next;
  }

  /** Disarms a trap, if it is still the armed one. */
  void disarm(Trap old) {
    if (trap == old) {
      trap = null;
    }
  }

  @Override
  public void close() {
    open = false;
    selector.wakeup();
    try {
      thread.join(END_BOUND.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns when the relay's thread has seen the settings as they are now. */
  private void applied() {
    CountDownLatch seen = new CountDownLatch(1);
    synchronized (waiting) {
      waiting.add(seen);
    }
    selector.wakeup();
    try {
      if (!seen.await(END_BOUND.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new ClusterException(name + " - its relay does not react (expected: a running one)");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException(name + " - interrupted while its relay was being changed", e);
    }
  }

  private void run() {
    try {
      while (open) {
        long pauseMillis = round();
        // A round may have used up the wake-up of somebody who came while it was under way.
        if (pauseMillis == 0 || isAwaited()) {
          selector.selectNow();
        } else {
          selector.select(pauseMillis);
        }
      }
    } catch (IOException | RuntimeException e) {
      log.error("{} - its relay ended", name, e);
    } finally {
      open = false;
      connections.forEach(RelayedConnection::reset);
      stopListening();
      try {
        selector.close();
      } catch (IOException e) {
        log.warn("{} - the selector of its relay could not be closed", name, e);
      }
      releaseWaiting();
    }
  }

  private boolean isAwaited() {
    synchronized (waiting) {
      return !waiting.isEmpty();
    }
  }

  /** Moves what can be moved; returns for how many milliseconds nothing is due. */
  private long round() throws IOException {
    List<CountDownLatch> toRelease;
    synchronized (waiting) {
      toRelease = List.copyOf(waiting);
      waiting.clear();
    }
    Set<RelayedConnection> toMove = new HashSet<>();
    for (SelectionKey key : selector.selectedKeys()) {
      if (key.attachment() instanceof RelayedConnection) {
        toMove.add((RelayedConnection) key.attachment());
      }
    }
    selector.selectedKeys().clear();
    if (resetAll) {
      resetAll = false;
      connections.forEach(RelayedConnection::reset);
      connections.clear();
    }
    if (refusing) {
      stopListening();
    } else if (listener == null) {
      listenAgain();
    }
    toMove.addAll(accept());
    long now = System.nanoTime();
    if (toRelease.isEmpty()) {
      connections.stream().filter(each -> each.nextDue() - now <= 0).forEach(toMove::add);
    } else {
      // A setting has changed, which may concern connections on which nothing has happened.
      toMove.addAll(connections);
    }
    for (RelayedConnection connection : toMove) {
      connection.move(now, cut, latencyNanos, trap);
      if (connection.isOver()) {
        connections.remove(connection);
      }
    }
    Trap armed = trap;
    if (armed != null && armed.hasSprung()) {
      trap = null;
    }
    toRelease.forEach(CountDownLatch::countDown);
    long waitNanos =
        connections.stream()
            .mapToLong(each -> each.nextDue() - now)
            .min()
            .orElse(RelayedConnection.LONG_NANOS);
    // Rounded up: a pause cut short would only spin.
    return Math.max(0, (waitNanos + 999_999) / 1_000_000);
  }

  private List<RelayedConnection> accept() throws IOException {
    List<RelayedConnection> accepted = new ArrayList<>();
    ServerSocketChannel current = listener;
    if (current == null) {
      return accepted;
    }
    SelectionKey key = current.keyFor(selector);
    // While the network is cut, callers wait in the listen queue, as packets do on their way.
    key.interestOps(cut ? 0 : SelectionKey.OP_ACCEPT);
    while (!cut) {
      SocketChannel client = current.accept();
      if (client == null) {
        break;
      }
      accepted.add(RelayedConnection.begin(selector, client, this::serverAddress));
    }
    connections.addAll(accepted);
    return accepted;
  }

  private InetSocketAddress serverAddress() throws IOException {
    try {
      ServerProcess.Address server = target.get();
      return new InetSocketAddress(server.host(), server.port());
    } catch (ClusterException e) {
      // One that was never started has no address; to a client that is a broken connection.
      throw new IOException(e);
    }
  }

  private int listenOnFreePort() throws IOException {
    for (int i = 1; ; i++) {
      int candidate = FreePorts.next();
      try {
        listenOn(candidate);
        return candidate;
      } catch (IOException e) {
        if (i == 5) {
          throw e;
        }
      }
    }
  }

  private void listenAgain() {
    try {
      listenOn(port);
    } catch (IOException e) {
      // Nobody else should be there; say so, and try again in the next round.
      log.warn("{} - its relay cannot listen on port {} again: {}", name, port, e.getMessage());
    }
  }

  private void listenOn(int candidate) throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      channel.bind(new InetSocketAddress(FreePorts.LOOPBACK, candidate), 128);
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_ACCEPT);
      listener = channel;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private void stopListening() {
    ServerSocketChannel current = listener;
    listener = null;
    if (current != null) {
      try {
        current.close();
        selector.selectNow(); // Frees the port, which a closed but still registered channel holds.
      } catch (IOException e) {
        log.warn("{} - its relay could not stop listening: {}", name, e.getMessage());
      }
    }
  }

  private void releaseWaiting() {
    synchronized (waiting) {
      waiting.forEach(CountDownLatch::countDown);
      waiting.clear();
    }
  }
}
