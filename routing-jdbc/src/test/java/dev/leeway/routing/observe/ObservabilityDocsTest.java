package dev.leeway.routing.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.routing.LostUpdate;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.Reason;
import dev.leeway.routing.context.CallContext;
import dev.leeway.routing.decide.Routes;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** What is written about metrics, against what there is. The IT does the same with real traffic. */
class ObservabilityDocsTest {
  private static final Pattern ALERT =
      Pattern.compile("      - alert: (\\w+)\n(.*?)(?=\n\n|\n      - alert|\\z)", Pattern.DOTALL);

  @Test
  void theAlertsUseOnlyMetricsThatThePageDescribes() {
    assertThat(MetricNames.usedIn(MetricNames.ALERTS)).isSubsetOf(MetricNames.described());
  }

  @Test
  void theDashboardShowsEveryMetricThatThePageDescribesAndNoOther() {
    assertThat(MetricNames.usedIn(MetricNames.DASHBOARD))
        .containsExactlyInAnyOrderElementsOf(MetricNames.described());
  }

  @Test
  void everyAlertSaysWhenHowBadAndWhatHappened() {
    List<String> names = new ArrayList<>();
    Matcher alerts = ALERT.matcher(MetricNames.text(MetricNames.ALERTS));
    while (alerts.find()) {
      names.add(alerts.group(1));
      assertThat(alerts.group(2)).as(alerts.group(1)).contains("expr: ", "severity: ", "summary: ");
    }

    assertThat(names).hasSizeGreaterThan(10).doesNotHaveDuplicates();
  }

  @Test
  void theDashboardIsReadableAndItsPanelsHaveIdsOfTheirOwn() {
    JsonNode dashboard = new ObjectMapper().readTree(MetricNames.text(MetricNames.DASHBOARD));
    List<Integer> ids = new ArrayList<>();
    for (JsonNode panel : dashboard.get("panels")) {
      ids.add(panel.get("id").asInt());
      if (!panel.get("type").asString().equals("row")) {
        assertThat(panel.get("description").asString()).isNotBlank();
        assertThat(panel.get("targets")).isNotEmpty();
      }
    }

    assertThat(ids).isNotEmpty().doesNotHaveDuplicates();
  }

  @Test
  void reasonsAndTheirMeaningAreThoseOfTheCode() {
    StringBuilder table =
        new StringBuilder(
            "| reason | role | the server was chosen because |\n| --- | --- | --- |\n");
    for (Reason reason : Reason.values()) {
      table.append(
          "| `%s` | %s | %s |\n"
              .formatted(reason, reason.role().name().toLowerCase(Locale.ROOT), reason.sentence()));
    }

    assertThat(MetricNames.text(MetricNames.PAGE)).contains(table);
  }

  @Test
  void everyMeterOfRoutingIsDescribedAndEveryDescribedOneExists() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (Observer observer = everythingHappens(registry)) {
      assertThat(observer.timesStatements()).isTrue();
      Set<String> described = new TreeSet<>();
      String page = MetricNames.text(MetricNames.PAGE);
      for (String name : MetricNames.described()) {
        if (page.indexOf("`" + name + "`") < page.indexOf("\n## Servers")) {
          described.add(name);
        }
      }

      assertThat(MetricNames.exposedBy(registry)).containsExactlyInAnyOrderElementsOf(described);
    }
  }

  @Test
  void theServedStalenessIsAHistogramToPrometheus() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (Observer observer = everythingHappens(registry)) {
      assertThat(observer.lostUpdates()).isEmpty();
      assertThat(registry.scrape())
          .contains(
              "leeway_staleness_served_within_total{cluster=\"shop\",le=\"0.01\",server=\"replica-1\"} 1.0",
              "leeway_staleness_served_within_total{cluster=\"shop\",le=\"+Inf\",server=\"replica-1\"} 1.0");
    }
  }

  /** An observer that has been told of one event of each kind. */
  static Observer everythingHappens(PrometheusMeterRegistry registry) {
    List<String> servers = List.of("primary", "replica-1");
    Routes routes = new Routes(servers);
    ReadIntent list = ReadIntent.replica().named("Orders.list");
    LeewayMetrics metrics = new LeewayMetrics(registry, "shop", servers);
    metrics.budget(() -> 1, () -> 10);
    metrics.lostUpdate(new LostUpdate("orders", "Orders.find", "Orders.save"));
    Observer observer = new Observer("shop", metrics, true);
    observer.decided(
        new CallContext(), list, routes.of(1, Reason.STALENESS_ACCEPTED), 5_000_000, null);
    observer.finished(list, routes.of(1, Reason.STALENESS_ACCEPTED), 1_000_000, false);
    observer.shadowed(list, routes.of(1, Reason.STALENESS_ACCEPTED));
    observer.waited(1_000_000, true);
    observer.budgetExhausted(list);
    observer.scopeLeaked("a test");
    observer.tokenRefused("FORGED");
    observer.retried(
        routes.of(1, Reason.STALENESS_ACCEPTED), routes.of(0, Reason.RETRIED_ON_PRIMARY));
    observer.unscopedWrite(list);
    observer.connectionRefused("replica-1", "read-only");
    return observer;
  }
}
