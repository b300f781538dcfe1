package dev.leeway.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RelayTest {
  private static final int BOUND_MILLIS = 10_000;

  private ServerSocket service;
  private Relay relay;

  @BeforeEach
  void start() throws IOException {
    service = new ServerSocket(0, 50, FreePorts.LOOPBACK);
    service.setSoTimeout(BOUND_MILLIS);
    ServerProcess.Address address = new ServerProcess.Address("127.0.0.1", service.getLocalPort());
    relay = Relay.start("test", () -> address);
  }

  @AfterEach
  void close() throws IOException {
    relay.close();
    service.close();
  }

  @Test
  void bytesGoThroughInBothDirections() throws IOException {
    try (Socket client = connect();
        Socket server = service.accept()) {
      send(client, "ping");
      assertThat(receive(server, 4)).isEqualTo("ping");
      send(server, "pong");
      assertThat(receive(client, 4)).isEqualTo("pong");
    }
  }

  @Test
  void whatIsLargerThanTheRelaysMemoryGoesThroughWhole() throws Exception {
    byte[] sent = new byte[20 * RelayedConnection.Lane.LIMIT_BYTES + 17];
    new Random(7).nextBytes(sent);
    try (Socket client = connect();
        Socket server = service.accept()) {
      server.setSoTimeout(BOUND_MILLIS);
      CompletableFuture<Void> sending =
          CompletableFuture.runAsync(
              () -> {
                try {
                  client.getOutputStream().write(sent);
                  client.shutdownOutput();
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });

      byte[] received = server.getInputStream().readAllBytes();

      sending.join();
      assertThat(Arrays.equals(received, sent)).isTrue();
    }
  }

  @Test
  void aSideThatHasSaidEverythingStillHears() throws IOException {
    try (Socket client = connect();
        Socket server = service.accept()) {
      send(client, "last words");
      client.shutdownOutput();

      server.setSoTimeout(BOUND_MILLIS);
      assertThat(new String(server.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo("last words");
      send(server, "answer");
      server.shutdownOutput();
      assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo("answer");
    }
  }

  @Test
  void aCutHoldsBytesBackAndHealingDeliversThem() throws IOException {
    try (Socket client = connect();
        Socket server = service.accept()) {
      relay.cut(true);
      send(client, "patience");
      server.setSoTimeout(100);
      assertThatThrownBy(() -> server.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);

      relay.cut(false);

      server.setSoTimeout(BOUND_MILLIS);
      assertThat(receive(server, 8)).isEqualTo("patience");
    }
  }

  @Test
  void whoConnectsDuringACutIsServedAfterIt() throws IOException {
    relay.cut(true);
    try (Socket client = connect()) {
      send(client, "hello");
      relay.cut(false);

      try (Socket server = service.accept()) {
        assertThat(receive(server, 5)).isEqualTo("hello");
      }
    }
  }

  @Test
  void refusingResetsWhatIsOpenAndTurnsNewcomersAway() throws IOException {
    try (Socket client = connect();
        Socket server = service.accept()) {
      send(client, "x");
      assertThat(receive(server, 1)).isEqualTo("x");

      relay.refuse(true);

      assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> connect().close()).isInstanceOf(ConnectException.class);

      relay.refuse(false);

      connect().close();
    }
  }

  @Test
  void latencyDelaysARoundTripByAtLeastItself() throws IOException {
    relay.latency(Duration.ofMillis(60));
    try (Socket client = connect();
        Socket server = service.accept()) {
      long start = System.nanoTime();
      send(client, "a");
      receive(server, 1);
      send(server, "b");
      receive(client, 1);

      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isGreaterThanOrEqualTo(Duration.ofMillis(60));
    }
  }

  @Test
  void latencyKeepsTheOrderOfBytes() throws IOException {
    relay.latency(Duration.ofMillis(20));
    try (Socket client = connect();
        Socket server = service.accept()) {
      StringBuilder sent = new StringBuilder();
      for (int i = 0; i < 500; i++) {
        send(client, i + ",");
        sent.append(i).append(',');
      }

      assertThat(receive(server, sent.length())).isEqualTo(sent.toString());
    }
  }

  @Test
  void aTrapSwallowsTheReplyToItsStatementHoweverTheNetworkCutsTheText() throws Exception {
    String statement = "INSERT INTO orders VALUES ('once')";
    for (int cut = 1; cut < statement.length(); cut++) {
      Relay.Trap trap = relay.dropReplyAfter("insert into ORDERS values ('once')");
      try (Socket client = connect();
          Socket server = service.accept()) {
        send(client, statement.substring(0, cut));
        assertThat(receive(server, cut)).isEqualTo(statement.substring(0, cut));
        assertThat(trap.hasSprung()).isFalse();
        send(client, statement.substring(cut));
        assertThat(receive(server, statement.length() - cut))
            .as("the statement arrives whole, cut after %d", cut)
            .isEqualTo(statement.substring(cut));

        send(server, "OK");

        assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(IOException.class);
        assertThat(trap.awaitSprung(Duration.ofMillis(BOUND_MILLIS))).isTrue();
      }
    }
  }

  @Test
  void aTrapSpringsOnceAndLeavesOtherStatementsAlone() throws IOException {
    Relay.Trap trap = relay.dropReplyAfter("COMMIT");
    try (Socket client = connect();
        Socket server = service.accept()) {
      exchange(client, server, "SELECT 1");
      assertThat(trap.hasSprung()).isFalse();
      send(client, "commit");
      receive(server, 6);
      send(server, "OK");
      assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(IOException.class);
    }
    try (Socket client = connect();
        Socket server = service.accept()) {
      exchange(client, server, "commit");
    }
  }

  @Test
  void aDisarmedTrapDoesNothing() throws IOException {
    Relay.Trap trap = relay.dropReplyAfter("COMMIT");
    relay.disarm(trap);
    try (Socket client = connect();
        Socket server = service.accept()) {
      exchange(client, server, "commit");
    }
    assertThat(trap.hasSprung()).isFalse();
  }

  @Test
  void aServiceThatIsGoneBreaksTheConnection() throws IOException {
    service.close();

    // The reset may already reach the client while it connects, or only when it reads.
    assertThatThrownBy(
            () -> {
              try (Socket client = connect()) {
                if (client.getInputStream().read() < 0) {
                  throw new EOFException();
                }
              }
            })
        .isInstanceOf(IOException.class);
  }

  @Test
  void aClosedRelayClosesItsConnectionsAndItsPort() throws IOException {
    try (Socket client = connect();
        Socket server = service.accept()) {
      send(client, "x");
      receive(server, 1);

      relay.close();

      assertThat(readQuietly(client.getInputStream())).isEqualTo(-1);
      assertThatThrownBy(() -> connect().close()).isInstanceOf(ConnectException.class);
    }
    relay.close();
  }

  @Test
  void manyConnectionsAreServedByOneThread() throws IOException {
    Socket[] clients = new Socket[40];
    Socket[] servers = new Socket[40];
    for (int i = 0; i < clients.length; i++) {
      clients[i] = connect();
      servers[i] = service.accept();
    }
    for (int i = 0; i < clients.length; i++) {
      exchange(clients[i], servers[i], "statement " + i);
    }
    assertThat(
            Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("leeway-relay-test")))
        .hasSize(1);
    for (int i = 0; i < clients.length; i++) {
      clients[i].close();
      servers[i].close();
    }
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket();
    socket.setSoTimeout(BOUND_MILLIS);
    socket.connect(
        new InetSocketAddress(relay.address().host(), relay.address().port()), BOUND_MILLIS);
    return socket;
  }

  private static void exchange(Socket client, Socket server, String text) throws IOException {
    send(client, text);
    assertThat(receive(server, text.length())).isEqualTo(text);
    send(server, "OK");
    assertThat(receive(client, 2)).isEqualTo("OK");
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String receive(Socket socket, int count) throws IOException {
    return new String(socket.getInputStream().readNBytes(count), StandardCharsets.UTF_8);
  }

  /** The end of the stream, whether it came as an end or as a reset. */
  private static int readQuietly(InputStream in) {
    try {
      return in.read();
    } catch (IOException e) {
      return -1;
    }
  }
}
