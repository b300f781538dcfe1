package dev.leeway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.MySqlTopology;
import dev.leeway.testkit.Server;
import dev.leeway.testkit.TestSchema;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(NoLeaks.class)
@Timeout(120)
@MySqlTopology(replicas = 0, options = "--local-infile=ON")
class EmbeddedProxyIT {
  private final MySqlServer primary;
  private final TestSchema schema;
  private EmbeddedProxy proxy;

  EmbeddedProxyIT(@Server("primary") MySqlServer primary, TestSchema schema) {
    this.primary = primary;
    this.schema = schema;
  }

  @BeforeEach
  void start() {
    proxy =
        EmbeddedProxy.builder()
            .primary("db-1", primary.host(), primary.port())
            .user(primary.user(), primary.password())
            .start();
  }

  @AfterEach
  void stop() {
    proxy.close();
  }

  private Connection connect(String options) throws SQLException {
    return DriverManager.getConnection(
        proxy.jdbcUrl(schema.name()) + options, primary.user(), primary.password());
  }

  @Test
  void theSampleOfThePageRuns() throws SQLException {
    String host = primary.host();
    int port = primary.port();
    String user = primary.user();
    String password = primary.password();
    // tag::use[]
    try (EmbeddedProxy proxy =
            EmbeddedProxy.builder()
                .primary("db-1", host, port)
                .user(user, password)
                .shareConnections(16)
                .start();
        Connection connection = DriverManager.getConnection(proxy.jdbcUrl(""), user, password)) {
      System.out.println(connection.isValid(1) + " " + proxy.stats());
    }
    // end::use[]
  }

  @Test
  void aClientReadsAndWritesThroughTheProxy() throws SQLException {
    try (Connection connection = connect("");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(20))");
      statement.executeUpdate("INSERT INTO t (name) VALUES ('a'), ('b')");
      try (ResultSet rows = statement.executeQuery("SELECT COUNT(*), MAX(name) FROM t")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getInt(1)).isEqualTo(2);
        assertThat(rows.getString(2)).isEqualTo("b");
      }
    }
  }

  @Test
  void aPreparedStatementOfTheServerIsRelayed() throws SQLException {
    try (Connection connection = connect("&useServerPrepStmts=true");
        PreparedStatement sum = connection.prepareStatement("SELECT ? + ?")) {
      for (int i = 0; i < 100; i++) {
        sum.setInt(1, i);
        sum.setInt(2, 1);
        try (ResultSet rows = sum.executeQuery()) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getInt(1)).isEqualTo(i + 1);
        }
      }
    }
  }

  @Test
  void aClientThatWantsTlsGetsIt() throws SQLException {
    String url = proxy.jdbcUrl(schema.name()).replace("sslMode=DISABLED", "sslMode=REQUIRED");
    try (Connection connection =
            DriverManager.getConnection(url, primary.user(), primary.password());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT REPEAT('x', 1000000)")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getString(1)).hasSize(1_000_000);
    }
  }

  @Test
  void aProxyWithoutTlsOffersNone() {
    try (EmbeddedProxy plain =
        EmbeddedProxy.builder()
            .primary("db-1", primary.host(), primary.port())
            .user(primary.user(), primary.password())
            .withoutClientTls()
            .start()) {
      String url = plain.jdbcUrl("").replace("sslMode=DISABLED", "sslMode=REQUIRED");
      assertThatThrownBy(
              () -> DriverManager.getConnection(url, primary.user(), primary.password()).close())
          .isInstanceOf(SQLException.class);
    }
  }

  @Test
  void serversAreTalkedToWithTlsIfThatIsWanted() throws SQLException {
    try (EmbeddedProxy secure =
            EmbeddedProxy.builder()
                .primary("db-1", primary.host(), primary.port())
                .user(primary.user(), primary.password())
                .serverTls(ServerTls.UNVERIFIED)
                .start();
        Connection connection =
            DriverManager.getConnection(secure.jdbcUrl(""), primary.user(), primary.password());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SHOW SESSION STATUS LIKE 'Ssl_cipher'")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getString(2)).isNotEmpty();
    }
  }

  @Test
  void aUnixSocketIsListenedOnAndRemovedAtTheEnd(@TempDir Path folder) throws Exception {
    Path socket = folder.resolve("proxy.sock");
    try (EmbeddedProxy local =
        EmbeddedProxy.builder()
            .primary("db-1", primary.host(), primary.port())
            .user(primary.user(), primary.password())
            .listenOn(socket)
            .start()) {
      try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
        ByteBuffer greeting = ByteBuffer.allocate(5);
        while (greeting.hasRemaining()) {
          assertThat(client.read(greeting)).isPositive();
        }
        assertThat(greeting.get(4)).as("handshake version").isEqualTo((byte) 10);
      }
      assertThatThrownBy(() -> local.jdbcUrl("shop"))
          .hasMessage(
              "Leeway proxy - it listens on a Unix socket only (expected: listen(port) too)");
    }
    assertThat(socket).doesNotExist();
  }

  @Test
  void aProxyWithoutAServerDoesNotStart() {
    assertThatThrownBy(() -> EmbeddedProxy.builder().threads(0).start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Leeway proxy - cannot start: primary is missing; give the server that takes writes;"
                + " nobody may log in; give a user, or passThroughUsers(); threads: 0 (expected: 1"
                + " to 64)");
    assertThatThrownBy(
            () -> EmbeddedProxy.builder().primary("db-1", "127.0.0.1", 1).user("a", "b").start())
        .isInstanceOf(ProxyStartException.class)
        .hasMessageStartingWith("Leeway proxy - cannot start: Leeway proxy - server db-1 at ");
  }

  @Test
  void aWrongPasswordIsRefusedInTheServersWords() {
    assertThatThrownBy(
            () ->
                DriverManager.getConnection(proxy.jdbcUrl(schema.name()), primary.user(), "not-it")
                    .close())
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> {
              assertThat(e.getErrorCode()).isEqualTo(1045);
              assertThat(e.getSQLState()).isEqualTo("28000");
            });
  }
}
