package dev.leeway.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.gate.MonitorSettings;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.LeewayBuilder;
import dev.leeway.routing.LeewayStartException;
import dev.leeway.routing.PoolSettings;
import dev.leeway.routing.PrimaryBudget;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of the builder's settings names them all. */
class SettingsPageTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\|");

  @Test
  void thePageNamesEverySettingAndNoOther() throws IOException {
    Set<String> settings = new TreeSet<>();
    Arrays.stream(LeewayBuilder.class.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .filter(method -> method.getReturnType() == LeewayBuilder.class)
        .map(Method::getName)
        .forEach(settings::add);

    Set<String> named = new TreeSet<>();
    Matcher row = ROW.matcher(Files.readString(Project.ROOT.resolve("docs/settings.md")));
    while (row.find()) {
      named.add(row.group(1));
    }

    assertThat(named).isNotEmpty().isEqualTo(settings);
  }

  @Test
  void theExampleIsRefusedForNothingButWhatIsWrongHere() {
    MeterRegistry registry = new SimpleMeterRegistry();
    String user = "app";
    String password = "secret";

    // tag::builder[]
    LeewayBuilder builder =
        Leeway.builder("shop")
            .primary("db-1", "jdbc:mysql://db-1/shop", user, password)
            .replica("db-2", "jdbc:mysql://db-2/shop", user, password)
            .replica("db-3", "jdbc:mysql://db-3/shop", user, password, 2)
            .pools(PoolSettings.defaults().maximum(20, 10))
            .budget(PrimaryBudget.atMost(10, 200))
            .catchUp(Duration.ofMillis(100))
            .monitoring(
                MonitorSettings.builder()
                    .ejectAbove(Duration.ofSeconds(5))
                    .createHeartbeatTable(true)
                    .build())
            .meterRegistry(registry);
    // end::builder[]

    assertThatThrownBy(builder.catchUp(Duration.ofMillis(-1))::start)
        .isInstanceOf(LeewayStartException.class)
        .hasMessage(
            "shop - cannot start, and nothing is running: catchUp: PT-0.001S (expected: zero to"
                + " PT1H)");
  }
}
