package dev.leeway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.gate.TokenList;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.RequestScope;
import dev.leeway.testkit.Fault;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.TestSchema;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A shop that works on one cluster, and a service for stock that works on another. */
class PositionHttpClientIT {
  private static final Predicate<URI> LOCAL = uri -> uri.getHost().equals("127.0.0.1");

  private static TestSchema shopSchema;
  private static TestSchema stockSchema;
  private static Leeway shop;
  private static Leeway stock;
  private static WebServer stockService;
  private static WebServer shopService;
  private static long lastOrder;

  private final List<Fault> faults = new ArrayList<>();
  private final long order = ++lastOrder;

  @BeforeAll
  static void start() throws Exception {
    shopSchema = Shop.newSchema();
    stockSchema = Shop.newSchema();
    shop = Shop.leeway("shop", shopSchema);
    stock = Shop.leeway("stock", stockSchema);
    stockService = pages(new WebServer(false, stock), stock);
    shopService = pages(new WebServer(false, shop), shop);
  }

  private static WebServer pages(WebServer server, Leeway leeway) {
    return server
        .page(
            "/place",
            (request, response) -> Shop.place(leeway, Long.parseLong(request.getParameter("id"))))
        .page(
            "/find",
            (request, response) ->
                response
                    .getWriter()
                    .print(Shop.find(leeway, Long.parseLong(request.getParameter("id")))));
  }

  @AfterAll
  static void stop() throws Exception {
    stockService.close();
    shopService.close();
    shop.close();
    stock.close();
    shopSchema.close();
    stockSchema.close();
  }

  @BeforeEach
  void freezeReplicas() throws Exception {
    shopSchema.awaitReplicated();
    stockSchema.awaitReplicated();
    for (MySqlServer replica : Shop.CLUSTER.replicas()) {
      faults.add(replica.pauseApplier());
    }
  }

  @AfterEach
  void undo() {
    faults.forEach(Fault::close);
  }

  private static HttpClient client() {
    return PositionHttpClient.of(HttpClient.newHttpClient(), LOCAL, shop);
  }

  private String call(WebServer server, String path) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(server.uri(path + "?id=" + order)).build();
    return client().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  @Test
  void whatAServiceWroteIsReadHere() throws Exception {
    try (RequestScope scope = shop.openScope()) {
      call(shopService, "/place");

      assertThat(scope.position().gtids().transactionCount()).isEqualTo(1);
      assertThat(Shop.find(shop, order)).isEqualTo("found by PRIMARY");
    }
  }

  @Test
  void whatWasWrittenHereIsReadByAService() throws Exception {
    try (RequestScope scope = shop.openScope()) {
      Shop.place(shop, order);

      assertThat(call(shopService, "/find")).isEqualTo("found by PRIMARY");
      assertThat(scope.isClosed()).isFalse();
    }
  }

  @Test
  void aPositionOfAClusterThatIsNotKnownHereIsCarriedToThoseWhoKnowIt() throws Exception {
    String token;
    try (RequestScope scope = shop.openScope()) {
      call(stockService, "/place");
      assertThat(scope.position().gtids().isEmpty()).as("not a write of the shop's").isTrue();
      token = scope.toToken();
    }
    try (RequestScope next = shop.openScope(token)) {
      Shop.place(shop, order);
      assertThat(call(stockService, "/find")).isEqualTo("found by PRIMARY");
      call(stockService, "/find");
      assertThat(TokenList.split(next.toToken())).as("one for each cluster").hasSize(2);
    }
  }

  @Test
  void anAsynchronousAnswerIsTakenOverBeforeAnybodySeesIt() throws Exception {
    try (RequestScope scope = shop.openScope()) {
      HttpRequest request = HttpRequest.newBuilder(shopService.uri("/place?id=" + order)).build();

      long written =
          client()
              .sendAsync(request, HttpResponse.BodyHandlers.discarding())
              .thenApply(answer -> scope.position().gtids().transactionCount())
              .join();

      assertThat(written).isEqualTo(1);
    }
  }

  @Test
  void whoIsNotTrustedIsToldNothing() throws Exception {
    HttpClient careful =
        PositionHttpClient.of(HttpClient.newHttpClient(), uri -> uri.getPort() == 1, shop);
    try (RequestScope scope = shop.openScope()) {
      Shop.place(shop, order);
      HttpRequest request = HttpRequest.newBuilder(shopService.uri("/find?id=" + order)).build();

      assertThat(careful.send(request, HttpResponse.BodyHandlers.ofString()).body())
          .isEqualTo("missing by REPLICA");
      assertThat(scope.position().gtids().transactionCount()).isEqualTo(1);
    }
  }

  @Test
  void withoutAScopeARequestPassesUnchanged() throws Exception {
    assertThat(call(shopService, "/find")).isEqualTo("missing by REPLICA");
  }
}
