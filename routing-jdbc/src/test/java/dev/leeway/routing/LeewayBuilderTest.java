package dev.leeway.routing;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is refused before anything is connected to. */
class LeewayBuilderTest {
  private static final String URL = "jdbc:mysql://db-1:3306/shop";

  private static void assertRefused(LeewayBuilder builder, String... problems) {
    assertThatThrownBy(builder::start)
        .isInstanceOf(LeewayStartException.class)
        .hasMessage("shop - cannot start, and nothing is running: " + String.join("; ", problems));
  }

  private static LeewayBuilder builder() {
    return Leeway.builder("shop");
  }

  @Test
  void nothingAtAll() {
    assertRefused(builder(), "primary is missing; give the server that takes writes");
  }

  @Test
  void noReplicaWhereReplicasAreRequired() {
    assertRefused(
        builder().primary("a", URL, "u", "p").requireReplicas(true),
        "no replica was given (expected: at least one, because replicas are required)");
  }

  @Test
  void twoPrimaries() {
    assertRefused(
        builder()
            .primary("a", URL, "u", "p")
            .primary("b", URL, "u", "p")
            .replica("c", URL, "u", "p"),
        "more than one primary was given: a, b (expected: one); give the others as replicas");
  }

  @Test
  void everyContradictionIsNamedAtOnce() {
    assertRefused(
        builder()
            .primary("a", URL + "?trackSessionState=false", "u", "p")
            .replica("a", URL + "?autoReconnect=true", "u", "p", 0)
            .catchUp(Duration.ofMillis(-1)),
        "catchUp: PT-0.001S (expected: zero to PT1H)",
        "server a - its URL sets trackSessionState=false (expected: true, or nothing, because Leeway"
            + " sets it). Without it no write has a position",
        "more than one server is named a (expected: one)",
        "server a - weight: 0 (expected: 1 to 1000)",
        "server a - its URL sets autoReconnect=true (expected: nothing), which hides that a"
            + " transaction was lost");
  }

  @Test
  void aUrlThatCannotBeRead() {
    assertRefused(
        builder().primary("a", URL, "u", "p").replica("b", "postgres://db-2/shop", "u", "p"),
        "Server 'b' - URL 'postgres://db-2/shop' (expected: one that starts with jdbc:mysql://)."
            + " Leeway chooses among servers itself, so a URL for replication or load balancing cannot"
            + " be used.");
  }

  @Test
  void serversThatBeginInDifferentSchemas() {
    assertRefused(
        builder().primary("a", URL, "u", "p").replica("b", "jdbc:mysql://db-2/shap", "u", "p"),
        "server b - its URL names schema 'shap' (expected: 'shop', as the first server's)");
  }

  @Test
  void poolsThatCannotBe() {
    assertThatThrownBy(() -> PoolSettings.defaults().maximum(0, 20_000).idle(0))
        .hasMessage(
            "Pool settings - cannot be used: maximumReading: 0 (expected: 1 to 10000);"
                + " maximumWriting: 20000 (expected: 1 to 10000)");
    assertThatThrownBy(
            () -> PoolSettings.defaults().timeouts(Duration.ofMillis(1), Duration.ofDays(1)))
        .hasMessage(
            "Pool settings - cannot be used: readingTimeout: PT0.001S (expected: PT0.25S to PT10M);"
                + " writingTimeout: PT24H (expected: PT0.25S to PT10M)");
  }

  @Test
  void aScopeModeWithoutTime() {
    assertThatThrownBy(() -> ScopeMode.primaryFor(Duration.ZERO))
        .hasMessage(
            "Scope mode - primaryFor: PT0S (expected: more than zero). Use POSITION to rely on"
                + " positions alone.");
  }
}
