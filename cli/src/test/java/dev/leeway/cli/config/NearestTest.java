package dev.leeway.cli.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
  private static final List<String> NAMES = List.of("pollInterval", "pollTimeout", "replicas");

  @Test
  void aSlipOfTheHandFindsTheWordThatWasMeant() {
    assertThat(Nearest.to("polInterval", NAMES)).contains("pollInterval");
    assertThat(Nearest.to("poll_interval", NAMES)).contains("pollInterval");
    assertThat(Nearest.to("replica", NAMES)).contains("replicas");
    assertThat(Nearest.to("ulr", List.of("name", "url", "user"))).contains("url");
  }

  @Test
  void aWordThatResemblesNothingFindsNothing() {
    assertThat(Nearest.to("colour", NAMES)).isEmpty();
    assertThat(Nearest.to("colour", List.of())).isEmpty();
  }
}
