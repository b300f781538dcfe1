package dev.leeway.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ConnectionsTest {
  @Test
  void aServerThatAcceptsAndSaysNothingIsGivenUp() throws Exception {
    try (ServerSocket silent = new ServerSocket(0)) {
      // The application's own URL would wait for a minute.
      String url = "jdbc:mysql://127.0.0.1:" + silent.getLocalPort() + "/?socketTimeout=60000";
      ServerEndpoint endpoint = new ServerEndpoint("silent", url, "u", "p");

      SQLException failure = failureOf(endpoint);

      assertThat(Connections.isTimeout(failure)).isTrue();
      assertThat(Connections.isBroken(failure)).isTrue();
      assertThat(Connections.describe(failure))
          .startsWith("Communications link failure (")
          .contains("timed out")
          .doesNotContain("\n");
    }
  }

  @Test
  void aServerThatIsNotThereIsDescribedOnOneLine() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    ServerEndpoint endpoint =
        new ServerEndpoint("gone", "jdbc:mysql://127.0.0.1:" + port + "/", "u", "p");

    SQLException failure = failureOf(endpoint);

    assertThat(Connections.isTimeout(failure)).isFalse();
    assertThat(Connections.describe(failure))
        .isEqualTo("Communications link failure (Connection refused)");
  }

  @Test
  void theErrorNumberOfTheServerIsShown() {
    assertThat(Connections.describe(new SQLException("Access denied", "28000", 1045)))
        .isEqualTo("Access denied [error 1045]");
    assertThat(Connections.describe(new SQLException((String) null))).isEqualTo("SQLException");
    assertThat(Connections.isTimeout(new SQLException(new SocketTimeoutException()))).isTrue();
  }

  private static SQLException failureOf(ServerEndpoint endpoint) {
    try {
      Connections.open(endpoint, "test", Duration.ofMillis(200), Duration.ofMillis(200)).close();
    } catch (SQLException e) {
      return e;
    }
    throw new AssertionError("connected to nobody");
  }
}
