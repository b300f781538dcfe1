package dev.leeway.http;

import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.Write;
import dev.leeway.gate.PositionTokens;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.RequestScope;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;

/** The samples of docs/requests.md. */
final class RequestsPage {
  private RequestsPage() {}

  static Leeway keys(String url, String replicaUrl, String user, String password, byte[] secret) {
    // tag::keys[]
    Leeway shop =
        Leeway.builder("shop")
            .primary("db-1", url, user, password)
            .replica("db-2", replicaUrl, user, password)
            .tokens(
                PositionTokens.builder()
                    .key("2026-11", secret) // at least 32 random bytes, the same on every instance
                    .timeToLive(Duration.ofHours(1))
                    .build())
            .start();
    // end::keys[]
    return shop;
  }

  static void filter(Leeway shop, MeterRegistry registry, ServletContext servlets) {
    // tag::filter[]
    LeewayFilter filter = LeewayFilter.builder(shop).meterRegistry(registry).build();
    FilterRegistration.Dynamic registration = servlets.addFilter("leeway", filter);
    registration.setAsyncSupported(true);
    registration.addMappingForUrlPatterns(
        EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR),
        false,
        "/*");
    // end::filter[]
  }

  static HttpClient client(Leeway shop) {
    // tag::client[]
    HttpClient client =
        PositionHttpClient.of(
            HttpClient.newHttpClient(), uri -> uri.getHost().endsWith(".internal"), shop);
    // end::client[]
    return client;
  }

  /** Orders and who looked at them. */
  // tag::entities[]
  interface Orders {
    @Write(entity = "audit")
    void recordVisit(long order);

    @ReadReplica(maxStaleness = "5s", entity = "order")
    List<Long> listForCustomer(long customer);
  }

  // end::entities[]

  static List<Long> byCode(Leeway shop, Orders orders, long customer) {
    try (RequestScope scope = shop.openScope()) {
      // tag::wrote[]
      orders.recordVisit(42);
      scope.wrote("audit", 42); // the commit just made, if no annotation said it
      List<Long> found =
          shop.read(ReadIntent.replica().entity("order"), () -> orders.listForCustomer(customer));
      // end::wrote[]
      return found;
    }
  }
}
