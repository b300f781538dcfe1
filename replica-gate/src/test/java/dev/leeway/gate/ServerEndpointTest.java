package dev.leeway.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ServerEndpointTest {
  @Test
  void passwordsAppearInNoMessage() {
    ServerEndpoint endpoint =
        new ServerEndpoint(
            "replica-1",
            "jdbc:mysql://db-1:3306/shop?trustCertificateKeyStorePassword=x9",
            "app",
            "s3");

    assertThat(endpoint).hasToString("replica-1 (jdbc:mysql://db-1:3306/shop, user app)");
  }

  @Test
  void anAccountInsideTheUrlIsRefusedWithoutShowingIt() {
    for (String url :
        new String[] {"jdbc:mysql://root:s3cret@db-1/", "jdbc:mysql://(host=a,password=s3cret)/"}) {
      assertThatThrownBy(() -> endpoint(url))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "Server 'p' - its URL names an account in front of or beside the host (expected: the"
                  + " account only as user and password of the endpoint)");
    }
  }

  @Test
  void oneHostInAnyOfTheDriversFormsIsAccepted() {
    assertThatCode(() -> endpoint("jdbc:mysql://[::1]:3306/")).doesNotThrowAnyException();
    assertThatCode(() -> endpoint("jdbc:mysql://(host=db-1,port=3306)/"))
        .doesNotThrowAnyException();
  }

  @Test
  void aUrlThatChoosesAmongServersItselfIsRefused() {
    assertThatThrownBy(() -> endpoint("jdbc:mysql:replication://a,b/"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Server 'p' - URL 'jdbc:mysql:replication://a,b/' (expected: one that starts with"
                + " jdbc:mysql://). Leeway chooses among servers itself, so a URL for replication or"
                + " load balancing cannot be used.");
    assertThatThrownBy(() -> endpoint("jdbc:mysql://a:3306,b:3306/shop"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Server 'p' - URL 'jdbc:mysql://a:3306,b:3306/shop' names several hosts (expected: exactly"
                + " one). Give each server its own name and URL.");
    assertThatThrownBy(() -> endpoint("jdbc:mysql:///shop"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("names no host");
  }

  @Test
  void aNameThatDoesNotFitAMetricsTagIsRefused() {
    assertThatThrownBy(() -> new ServerEndpoint("replica 1", "jdbc:mysql://a/", "u", "p"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Server 'replica 1' - its name (expected: 1 to 64 letters, digits, dots, dashes or"
                + " underscores)");
  }

  private static ServerEndpoint endpoint(String url) {
    return new ServerEndpoint("p", url, "u", "p");
  }
}
