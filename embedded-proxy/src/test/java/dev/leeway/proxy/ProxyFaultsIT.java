package dev.leeway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.proxy.wire.Capabilities;
import dev.leeway.proxy.wire.Command;
import dev.leeway.proxy.wire.ErrPacket;
import dev.leeway.testkit.Fault;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.MySqlTopology;
import dev.leeway.testkit.Server;
import dev.leeway.testkit.TestSchema;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a client gets when something is large, slow, hostile or dead. */
@ExtendWith(NoLeaks.class)
@Timeout(120)
@MySqlTopology(
    replicas = 0,
    options = {"--local-infile=ON", "--max-allowed-packet=67108864"})
class ProxyFaultsIT {
  private static final int PLAIN =
      Capabilities.TRANSACTIONS
          | Capabilities.MULTI_STATEMENTS
          | Capabilities.MULTI_RESULTS
          | Capabilities.LOCAL_FILES
          | Capabilities.DEPRECATE_EOF;

  private final MySqlServer primary;
  private final TestSchema schema;
  private EmbeddedProxy proxy;

  ProxyFaultsIT(@Server("primary") MySqlServer primary, TestSchema schema) {
    this.primary = primary;
    this.schema = schema;
  }

  @BeforeEach
  void start() {
    proxy =
        EmbeddedProxy.builder()
            .primary("db-1", primary.host(), primary.port())
            .user(primary.user(), primary.password())
            .loginTimeout(Duration.ofMillis(3000))
            .connectTimeout(Duration.ofMillis(1500))
            .clientStall(Duration.ofSeconds(2))
            .serverSilence(Duration.ofSeconds(4))
            .start();
  }

  @AfterEach
  void stop() {
    proxy.close();
  }

  private RawClient raw() throws IOException {
    return RawClient.connect(
        proxy.address().getHostString(),
        proxy.address().getPort(),
        primary.user(),
        primary.password(),
        schema.name(),
        PLAIN);
  }

  private Connection connect(String options) throws SQLException {
    return DriverManager.getConnection(
        proxy.jdbcUrl(schema.name()) + options, primary.user(), primary.password());
  }

  private static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  private static ErrPacket error(byte[] packet) {
    return ErrPacket.read(Unpooled.wrappedBuffer(packet, 4, packet.length - 4));
  }

  @Test
  void packetsOfMoreThanSixteenMebibytesPassInBothDirections() throws SQLException {
    byte[] large = new byte[40_000_000];
    for (int i = 0; i < large.length; i++) {
      large[i] = (byte) ('a' + i % 23);
    }
    String text = new String(large, StandardCharsets.US_ASCII);
    try (Connection connection = connect("&maxAllowedPacket=67108864");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT '" + text + "', 7")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getString(1).equals(text)).isTrue();
      assertThat(rows.getInt(2)).isEqualTo(7);
    }
  }

  @Test
  void aLargeResultToASlowClientNeedsLittleMemory() throws Exception {
    try (RawClient client = raw()) {
      client.socket().setReceiveBufferSize(64 * 1024);
      client.send(
          client.query(
              "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 900)"
                  + " SELECT REPEAT('x', 200000) FROM n"));
      InputStream in = client.socket().getInputStream();
      byte[] piece = new byte[256 * 1024];
      long most = 0;
      long total = 0;
      while (total < 180_000_000L) {
        int count = in.read(piece);
        assertThat(count).isPositive();
        total += count;
        most = Math.max(most, PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory());
      }
      assertThat(most).isLessThan(64L * 1024 * 1024);
    }
  }

  @Test
  void aClientThatStopsReadingIsLeftAfterItsTime() throws Exception {
    try (RawClient client = raw()) {
      client.send(
          client.query(
              "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 900)"
                  + " SELECT REPEAT('x', 200000) FROM n"));
      await("the session is gone", () -> proxy.stats().clients() == 0);
      await("its server connection too", () -> proxy.stats().serverConnections() == 0);
    }
  }

  @Test
  void aFileFromTheClientPasses() throws Exception {
    schema.execute("CREATE TABLE f (id INT PRIMARY KEY, v VARCHAR(200))");
    try (RawClient client = raw()) {
      client.ask(client.query("LOAD DATA LOCAL INFILE 'x' INTO TABLE f FIELDS TERMINATED BY ','"));
      StringBuilder rows = new StringBuilder();
      for (int i = 0; i < 50_000; i++) {
        rows.append(i).append(',').append("v".repeat(100)).append('\n');
        if (rows.length() > 300_000) {
          client.writePacket(rows.toString().getBytes(StandardCharsets.US_ASCII));
          rows.setLength(0);
        }
      }
      client.writePacket(rows.toString().getBytes(StandardCharsets.US_ASCII));
      client.writePacket(new byte[0]);
      assertThat(client.readPayload()[0]).isZero();
      assertThat(client.ask(new byte[] {Command.PING})[4]).isZero();
    }
    assertThat(primary.queryString("SELECT COUNT(*) FROM " + schema.name() + ".f"))
        .isEqualTo("50000");
  }

  @Test
  void killQueryWithTheNumberOfTheGreetingEndsTheStatement() throws Exception {
    try (RawClient sleeper = raw();
        RawClient killer = raw()) {
      byte[] sleep = sleeper.query("SELECT SLEEP(30)");
      sleeper.send(sleep);
      awaitRunning("SELECT SLEEP(30)");
      byte[] killed =
          killer.ask(
              killer.query(
                  "/* stop */ kill query "
                      + Integer.toUnsignedString(sleeper.greeting.connectionId())));
      assertThat(killed[4]).isZero();
      byte[] answer = sleeper.answer(sleep);
      // SLEEP returns 1 when it is interrupted.
      assertThat(new String(answer, StandardCharsets.ISO_8859_1)).contains("\u00011");
      assertThat(sleeper.ask(new byte[] {Command.PING})[4]).isZero();

      killer.ask(
          killer.query("KILL " + Integer.toUnsignedString(sleeper.greeting.connectionId()) + ";"));
      assertThat(sleeper.isClosed()).isTrue();
    }
  }

  private void awaitRunning(String sql) {
    await(
        sql + " runs",
        () -> {
          try {
            return !"0"
                .equals(
                    primary.queryString(
                        "SELECT COUNT(*) FROM information_schema.processlist WHERE info = '"
                            + sql
                            + "'"));
          } catch (SQLException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void aServerThatDiesInTheMiddleIsToldAndOthersGoOn() throws Exception {
    try (RawClient client = raw()) {
      byte[] sleep = client.query("SELECT SLEEP(31)");
      client.send(sleep);
      awaitRunning("SELECT SLEEP(31)");
      try (Fault refused = primary.refuseConnections()) {
        assertThat(refused.description()).isNotEmpty();
        ErrPacket error = error(client.answer(sleep));
        assertThat(error.code()).isEqualTo(2013);
        assertThat(error.message())
            .startsWith("Leeway proxy - lost server db-1 at ")
            .endsWith("Whether the statement took effect is not known; the session is closed.");
        assertThat(client.isClosed()).isTrue();
        assertThatThrownBy(this::raw)
            .isInstanceOf(IOException.class)
            .hasMessageStartingWith("2003 Leeway proxy - server db-1 at ");
      }
    }
    try (RawClient client = raw()) {
      assertThat(client.ask(new byte[] {Command.PING})[4]).isZero();
    }
  }

  @Test
  void aServerThatIsSilentWhileAStatementRunsIsNotWaitedForForEver() throws Exception {
    try (RawClient client = raw();
        Fault frozen = primary.freeze()) {
      assertThat(frozen.description()).isNotEmpty();
      byte[] query = client.query("SELECT 1");
      client.send(query);
      ErrPacket error = error(client.answer(query));
      assertThat(error.code()).isEqualTo(1159);
      assertThat(error.message())
          .isEqualTo(
              "Leeway proxy - the server sent nothing for 4000 ms while a statement ran."
                  + " Raise serverSilence for longer ones.");
      assertThatThrownBy(this::raw)
          .hasMessageContaining("it did not answer within 1500 ms. Nothing was executed");
    }
  }

  @Test
  void aLoginThatDoesNotGoOnEndsWithinItsTime() throws Exception {
    try (Socket slow = new Socket(proxy.address().getAddress(), proxy.address().getPort())) {
      slow.setSoTimeout(20_000);
      slow.getOutputStream().write(new byte[] {40, 0});
      byte[] all = slow.getInputStream().readAllBytes();
      assertThat(new String(all, StandardCharsets.ISO_8859_1))
          .contains("the login took longer than is allowed");
    }
    await("the client is gone", () -> proxy.stats().clients() == 0);
  }

  @Test
  void whatIsNoLoginIsRefused() throws Exception {
    for (byte[] bytes :
        new byte[][] {
          "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
          {-1, -1, -1, 1, 0, 0},
          {1, 0, 0, 1, 0},
          {0, 0, 0, 1},
          {32, 0, 0, 1, -1, -1, -1, -1},
        }) {
      try (Socket hostile = new Socket(proxy.address().getAddress(), proxy.address().getPort())) {
        hostile.setSoTimeout(20_000);
        hostile.getOutputStream().write(bytes);
        assertThat(hostile.getInputStream().readAllBytes().length).isPositive();
      }
    }
    await("they are gone", () -> proxy.stats().clients() == 0);
    assertThat(proxy.stats().refusedLogins()).isEqualTo(5);
  }

  @Test
  void commandsThatMakeNoSenseEndInAnErrorAndHurtNobodyElse() throws Exception {
    try (RawClient other = raw()) {
      for (byte[] bytes :
          new byte[][] {
            {0, 0, 0, 0}, {1, 0, 0, 7, 14}, {2, 0, 0, 0, 0x0c, 1}, {3, 0, 0, 0, 0x11, 'a', 'b'},
          }) {
        try (RawClient hostile = raw()) {
          hostile.writeRaw(bytes);
          ErrPacket error = ErrPacket.read(Unpooled.wrappedBuffer(hostile.readPayload()));
          assertThat(error.code()).isIn(1835, 1156);
          assertThat(hostile.isClosed()).isTrue();
        }
      }
      try (RawClient half = raw()) {
        half.writeRaw(new byte[] {100, 0, 0, 0, 3, 'S'});
        assertThat(ErrPacket.read(Unpooled.wrappedBuffer(half.readPayload())).code())
            .isEqualTo(1159);
      }
      assertThat(other.ask(new byte[] {Command.PING})[4]).isZero();
    }
    await("all are gone", () -> proxy.stats().serverConnections() == 0);
  }

  @Test
  void aUserWhomTheProxyDoesNotKnowGivesHisPasswordToTheServer() throws Exception {
    try (EmbeddedProxy open =
        EmbeddedProxy.builder()
            .primary("db-1", primary.host(), primary.port())
            .passThroughUsers()
            .start()) {
      String host = open.address().getHostString();
      int port = open.address().getPort();
      for (int i = 0; i < 2; i++) {
        try (RawClient client =
            RawClient.connect(host, port, primary.user(), primary.password(), "", PLAIN)) {
          assertThat(client.ask(new byte[] {Command.PING})[4]).isZero();
        }
      }
      try (RawClient client =
          RawClient.connectInFull(host, port, primary.user(), primary.password(), "", PLAIN)) {
        assertThat(client.ask(new byte[] {Command.PING})[4]).isZero();
      }
      assertThatThrownBy(() -> RawClient.connect(host, port, primary.user(), "wrong", "", PLAIN))
          .hasMessageStartingWith("1045 Access denied for user 'app'");
    }
  }

  @Test
  void whoTriesPasswordsIsTurnedAway() {
    String host = proxy.address().getHostString();
    int port = proxy.address().getPort();
    for (int i = 0; i < 10; i++) {
      assertThatThrownBy(() -> RawClient.connect(host, port, primary.user(), "wrong", "", PLAIN))
          .hasMessageStartingWith("1045 ");
    }
    assertThatThrownBy(this::raw).hasMessageStartingWith("1129 Leeway proxy - too many logins");
  }
}
