package dev.leeway.routing.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.annotation.ReadPrimary;
import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.Write;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.LostUpdate;
import dev.leeway.routing.Reason;
import dev.leeway.routing.RequestScope;
import dev.leeway.routing.RouteDecision;
import dev.leeway.routing.RoutingMode;
import dev.leeway.routing.observe.MetricNames;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What can be seen of real traffic: meters, the last decision, lost updates. */
// A scope and a fault are there to be in force, not to be called.
@SuppressWarnings("try")
class ObservabilityIT {
  interface Orders {
    @ReadReplica(maxStaleness = "1h")
    String find(long id) throws Exception;

    @ReadPrimary(because = "what is changed must be current")
    String edit(long id) throws Exception;

    @Write
    void save(long id, String status) throws Exception;
  }

  private static Orders orders(Shop shop) {
    PlainJdbcIT.JdbcStore store = new PlainJdbcIT.JdbcStore(shop.leeway().dataSource());
    return shop.leeway()
        .bind(
            Orders.class,
            new Orders() {
              @Override
              public String find(long id) throws Exception {
                return store.status(id);
              }

              @Override
              public String edit(long id) throws Exception {
                return store.status(id);
              }

              @Override
              public void save(long id, String status) throws Exception {
                store.setStatus(id, status);
              }
            });
  }

  @Test
  void everyMetricThatRealTrafficExposesIsDescribed() throws Exception {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (Shop shop = Shop.open(builder -> builder.meterRegistry(registry).timeStatements(true))) {
      Orders orders = orders(shop);
      try (RequestScope scope = shop.leeway().openScope()) {
        orders.find(1);
        orders.save(1, "paid");
        orders.find(1);
      }
      orders.save(1, "unscoped");

      assertThat(MetricNames.exposedBy(registry))
          .isSubsetOf(MetricNames.described())
          .contains(
              "leeway_decisions_total",
              "leeway_staleness_served_within_total",
              "leeway_staleness_served_seconds",
              "leeway_statements_seconds",
              "leeway_unscoped_writes_total",
              "leeway_lost_updates_total",
              "leeway_fallback_limit",
              "mysql_heartbeat_lag_seconds",
              "mysql_slave_status_slave_sql_running")
          .containsAll(MetricNames.describedIn("## Servers"));
      assertThat(registry.scrape())
          .contains("method=\"ObservabilityIT$Orders.find\"")
          .contains("reason=\"WRITE_INTENT\",role=\"primary\",server=\"primary\"");
    }
    assertThat(MetricNames.exposedBy(registry)).isEmpty();
  }

  @Test
  void theLastDecisionIsARecordThatAssertionsCompare() throws Exception {
    try (Shop shop = Shop.open()) {
      Leeway leeway = shop.leeway();
      Orders orders = orders(shop);
      // tag::lastDecision[]
      orders.edit(1);
      assertThat(leeway.lastDecision())
          .contains(
              new RouteDecision("primary", Reason.PRIMARY_REQUESTED, Optional.of(Duration.ZERO)));

      orders.find(1);
      assertThat(leeway.lastDecision())
          .get()
          .extracting(RouteDecision::role, RouteDecision::reason)
          .containsExactly(Reason.Role.REPLICA, Reason.STALENESS_ACCEPTED);
      // end::lastDecision[]
    }
  }

  @Test
  void aLostUpdateIsReportedAndOneReadOnThePrimaryPreventsIt() throws Exception {
    try (Shop shop = Shop.open()) {
      Leeway leeway = shop.leeway();
      Orders orders = orders(shop);

      try (RequestScope request = shop.leeway().openScope()) {
        orders.find(1);
        orders.edit(1);
        orders.save(1, "paid");
      }
      assertThat(shop.leeway().lostUpdates()).isEmpty();

      // tag::lostUpdates[]
      try (RequestScope request = leeway.openScope()) {
        orders.find(1);
        orders.save(1, "shipped");
      }
      assertThat(leeway.lostUpdates()).extracting(LostUpdate::table).containsExactly("orders");
      // end::lostUpdates[]
    }
  }

  @Test
  void shadowModeCountsWhatWouldHaveBeenAndReadsThePrimary() throws Exception {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (Shop shop =
        Shop.open(builder -> builder.meterRegistry(registry).mode(RoutingMode.SHADOW))) {
      orders(shop).find(1);

      assertThat(shop.leeway().lastDecision().orElseThrow().server()).isEqualTo("primary");
      assertThat(registry.get("leeway.shadow.decisions").tag("role", "replica").functionCounter())
          .satisfies(counter -> assertThat(counter.count()).isEqualTo(1));
      assertThat(registry.get("leeway.decisions").tag("reason", "SHADOW").functionCounter())
          .satisfies(counter -> assertThat(counter.count()).isEqualTo(1));
    }
  }

  @Test
  void everyStatementOfAScopeIsCountedOnce() throws Exception {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (Shop shop = Shop.open(builder -> builder.meterRegistry(registry));
        RequestScope scope = shop.leeway().openScope()) {
      Orders orders = orders(shop);
      for (int i = 0; i < 50; i++) {
        orders.find(1);
      }

      double counted =
          registry.find("leeway.decisions").functionCounters().stream()
              .mapToDouble(counter -> counter.count())
              .sum();
      assertThat(counted).isEqualTo(50);
    }
  }
}
