package dev.leeway.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingsTest {
  @Test
  void theCacheIsWhereTheUserSaysElseWhereTheDesktopSaysElseAtHome() {
    Map<String, String> home = Map.of("HOME", "/home/ann");
    assertThat(settings(home).cache()).isEqualTo(Path.of("/home/ann/.cache/leeway/mysql"));

    Map<String, String> desktop = Map.of("HOME", "/home/ann", "XDG_CACHE_HOME", "/fast");
    assertThat(settings(desktop).cache()).isEqualTo(Path.of("/fast/leeway/mysql"));

    Map<String, String> own =
        Map.of("HOME", "/home/ann", "XDG_CACHE_HOME", "/fast", "LEEWAY_CACHE", "/mine");
    assertThat(settings(own).cache()).isEqualTo(Path.of("/mine/mysql"));
  }

  @Test
  void aBlankValueIsNoValue() {
    assertThat(settings(Map.of("LEEWAY_MYSQL_HOME", " ")).get("LEEWAY_MYSQL_HOME")).isEmpty();
  }

  private static Settings settings(Map<String, String> environment) {
    return new Settings(environment, Path.of("/"));
  }
}
