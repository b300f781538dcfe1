package dev.leeway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.routing.Leeway;
import dev.leeway.routing.RequestScope;
import dev.leeway.testkit.Fault;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.TestSchema;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two instances of an application behind real servers; the replicas stand still. */
class LeewayFilterIT {
  private static final String COOKIE = "leeway-position=";

  private static TestSchema schema;
  private static Leeway first;
  private static Leeway second;
  private static WebServer here;
  private static WebServer there;
  private static long lastOrder;

  private final HttpClient client = HttpClient.newHttpClient();
  private final List<Fault> faults = new ArrayList<>();
  private final long order = ++lastOrder;

  @BeforeAll
  static void start() throws Exception {
    schema = Shop.newSchema();
    first = Shop.leeway("shop", schema);
    second = Shop.leeway("shop", schema);
    here = new WebServer(false, first);
    there =
        new WebServer(false, second)
            .page(
                "/find",
                (request, response) ->
                    response
                        .getWriter()
                        .print(Shop.find(second, Long.parseLong(request.getParameter("id")))))
            .page("/nothing", (request, response) -> response.getWriter().print("static"));
  }

  @AfterAll
  static void stop() throws Exception {
    here.close();
    there.close();
    first.close();
    second.close();
    schema.close();
  }

  @BeforeEach
  void freezeReplicas() throws Exception {
    schema.awaitReplicated();
    for (MySqlServer replica : Shop.CLUSTER.replicas()) {
      faults.add(replica.pauseApplier());
    }
  }

  @AfterEach
  void undo() {
    faults.forEach(Fault::close);
  }

  private HttpResponse<String> get(WebServer server, String path, String... headers)
      throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(server.uri(path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** The name and value of the position's cookie; null if the response has none. */
  private static @Nullable String cookie(HttpResponse<?> response) {
    return response.headers().allValues("Set-Cookie").stream()
        .filter(cookie -> cookie.startsWith(COOKIE))
        .map(cookie -> cookie.substring(0, cookie.indexOf(';')))
        .findFirst()
        .orElse(null);
  }

  /** What the user's next request finds, which another instance serves. */
  private String next(HttpResponse<?> response) throws Exception {
    String cookie = cookie(response);
    return cookie == null
        ? get(there, "/find?id=" + order).body()
        : get(there, "/find?id=" + order, "Cookie", cookie).body();
  }

  @Test
  void theNextRequestFindsWhatThisOneWroteOnAnotherInstance() throws Exception {
    here.page(
        "/place",
        (request, response) -> {
          Shop.place(first, order);
          response.getWriter().print("thank you");
        });

    HttpResponse<String> placed = get(here, "/place");

    assertThat(placed.body()).isEqualTo("thank you");
    assertThat(next(placed)).isEqualTo("found by PRIMARY");
    assertThat(get(there, "/find?id=" + order).body())
        .as("a stranger's request")
        .isEqualTo("missing by REPLICA");
  }

  @Test
  void theCookieIsForTheServerAlone() throws Exception {
    here.page("/place", (request, response) -> Shop.place(first, order));

    String cookie = get(here, "/place").headers().firstValue("Set-Cookie").orElseThrow();

    assertThat(cookie)
        .startsWith(COOKIE)
        .endsWith("; Path=/; Max-Age=86400; HttpOnly; SameSite=Lax");
    assertThat(cookie.substring(COOKIE.length(), cookie.indexOf(';')))
        .hasSizeLessThanOrEqualTo(256);
  }

  @Test
  void aCommitCountsUntilTheHeadOfTheResponseIsSent() throws Exception {
    here.page(
        "/place",
        (request, response) -> {
          response.setContentLength(20);
          response.getOutputStream().write("0123456789".getBytes(StandardCharsets.US_ASCII));
          Shop.place(first, order);
          // Reaching the announced length makes the container send the head.
          response.getOutputStream().write("0123456789".getBytes(StandardCharsets.US_ASCII));
        });

    HttpResponse<String> placed = get(here, "/place");

    assertThat(placed.body()).hasSize(20);
    assertThat(next(placed)).isEqualTo("found by PRIMARY");
  }

  @Test
  void aSecondCommitReplacesThePositionOfTheFirst() throws Exception {
    here.page(
        "/place",
        (request, response) -> {
          response.addCookie(new Cookie("mine", "1"));
          Shop.place(first, -order);
          response.getWriter().print("a");
          response.addCookie(new Cookie("also-mine", "2"));
          Shop.place(first, order);
          response.getWriter().print("b");
        });

    HttpResponse<String> placed = get(here, "/place");

    assertThat(placed.headers().allValues("Set-Cookie")).hasSize(3);
    assertThat(placed.headers().allValues("Set-Cookie"))
        .anyMatch(cookie -> cookie.startsWith("mine=1"))
        .anyMatch(cookie -> cookie.startsWith("also-mine=2"));
    assertThat(next(placed)).isEqualTo("found by PRIMARY");
  }

  @Test
  void aCommitAfterTheHeadWasSentIsCounted() throws Exception {
    double before = here.late();
    here.page(
        "/place",
        (request, response) -> {
          response.getWriter().print("x");
          response.flushBuffer();
          Shop.place(first, order);
        });

    HttpResponse<String> placed = get(here, "/place");

    assertThat(cookie(placed)).isNull();
    Shop.await("it is counted", () -> here.late() == before + 1);
  }

  @Test
  void whatComesTooLateForTheHeadCanFollowTheBody() throws Exception {
    try (WebServer trailing = new WebServer(true, first)) {
      trailing.page(
          "/place",
          (request, response) -> {
            response.getWriter().print("x");
            response.flushBuffer();
            Shop.place(first, order);
          });

      String answer =
          raw(
              trailing,
              "GET /place HTTP/1.1\r\nHost: localhost\r\nTE: trailers\r\n"
                  + "Leeway-Position: -\r\nConnection: close\r\n\r\n");

      String trailer = answer.substring(answer.lastIndexOf("\r\n0\r\n") + 5);
      assertThat(trailer).startsWith("Leeway-Position: ");
      String token = trailer.substring("Leeway-Position: ".length()).strip();
      assertThat(get(there, "/find?id=" + order, "Leeway-Position", token).body())
          .isEqualTo("found by PRIMARY");
      assertThat(trailing.late()).isZero();
    }
  }

  private static String raw(WebServer server, String request) throws Exception {
    try (Socket socket = new Socket("127.0.0.1", server.port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void aRedirectCarriesThePosition() throws Exception {
    here.page(
        "/place",
        (request, response) -> {
          Shop.place(first, order);
          response.sendRedirect("/elsewhere");
        });

    HttpResponse<String> placed = get(here, "/place");

    assertThat(placed.statusCode()).isEqualTo(302);
    assertThat(next(placed)).isEqualTo("found by PRIMARY");
  }

  @Test
  void anErrorCarriesThePosition() throws Exception {
    here.page(
        "/conflict",
        (request, response) -> {
          Shop.place(first, order);
          response.sendError(HttpServletResponse.SC_CONFLICT);
        });

    HttpResponse<String> placed = get(here, "/conflict");

    assertThat(placed.statusCode()).isEqualTo(409);
    assertThat(next(placed)).isEqualTo("found by PRIMARY");
  }

  @Test
  void aHandlerThatFailsAfterItsCommitStillTellsOfIt() throws Exception {
    here.page(
        "/fail",
        (request, response) -> {
          Shop.place(first, order);
          throw new IllegalStateException("after the commit");
        });

    HttpResponse<String> placed = get(here, "/fail");

    assertThat(placed.statusCode()).isEqualTo(500);
    assertThat(next(placed)).isEqualTo("found by PRIMARY");
  }

  @Test
  void anAsynchronousRequestKeepsItsScopeUntilItIsComplete() throws Exception {
    here.page(
        "/later",
        (request, response) -> {
          AsyncContext later = request.startAsync();
          later.start(
              () -> {
                try {
                  assertThat(first.currentScope()).isPresent();
                  Shop.place(first, order);
                  later.getResponse().getWriter().print(Shop.find(first, order));
                } catch (Exception e) {
                  throw new AssertionError(e);
                } finally {
                  later.complete();
                }
              });
        });

    HttpResponse<String> placed = get(here, "/later");

    assertThat(placed.body()).isEqualTo("found by PRIMARY");
    assertThat(next(placed)).isEqualTo("found by PRIMARY");
  }

  @Test
  void anAsynchronousRequestWithoutABodyCarriesThePositionToo() throws Exception {
    here.page(
        "/later",
        (request, response) -> {
          AsyncContext later = request.startAsync();
          later.start(
              () -> {
                try {
                  Shop.place(first, order);
                } catch (SQLException e) {
                  throw new AssertionError(e);
                } finally {
                  later.complete();
                }
              });
        });

    assertThat(next(get(here, "/later"))).isEqualTo("found by PRIMARY");
  }

  @Test
  void aRequestThatIsDispatchedAgainGoesOnInItsScope() throws Exception {
    here.page(
            "/begin",
            (request, response) -> {
              Shop.place(first, order);
              AsyncContext later = request.startAsync();
              later.dispatch("/end");
            })
        .page("/end", (request, response) -> response.getWriter().print(Shop.find(first, order)));

    HttpResponse<String> placed = get(here, "/begin");

    assertThat(placed.body()).isEqualTo("found by PRIMARY");
    assertThat(next(placed)).isEqualTo("found by PRIMARY");
  }

  @Test
  void aServiceIsAnsweredInTheHeaderItSent() throws Exception {
    here.page("/place", (request, response) -> Shop.place(first, order));

    HttpResponse<String> placed = get(here, "/place", "Leeway-Position", "-");

    String position = placed.headers().firstValue("Leeway-Position").orElseThrow();
    assertThat(cookie(placed)).isNull();
    assertThat(get(there, "/find?id=" + order, "Leeway-Position", position).body())
        .isEqualTo("found by PRIMARY");
  }

  @Test
  void aResponseThatDependsOnNoDataStaysAsItWas() throws Exception {
    here.page("/place", (request, response) -> Shop.place(first, order));
    String cookie = Objects.requireNonNull(cookie(get(here, "/place")));

    assertThat(cookie(get(there, "/nothing"))).isNull();
    assertThat(cookie(get(there, "/nothing", "Cookie", cookie))).isNull();
  }

  @Test
  void whatOneUserWroteBindsNoOtherUserOfTheSameThreads() throws Exception {
    here.page("/place", (request, response) -> Shop.place(first, order))
        .page("/find", (request, response) -> response.getWriter().print(Shop.find(first, order)));
    get(here, "/place");

    for (int i = 0; i < 20; i++) {
      assertThat(get(here, "/find").body()).isEqualTo("missing by REPLICA");
    }
  }

  @Test
  void whatWasInventedIsIgnored() throws Exception {
    String invented = COOKIE + "lct1.k1.AAAA." + "A".repeat(43);

    assertThat(get(there, "/find?id=" + order, "Cookie", invented).body())
        .isEqualTo("missing by REPLICA");
    assertThat(get(there, "/find?id=" + order, "Leeway-Position", "x".repeat(5_000)).body())
        .isEqualTo("missing by REPLICA");
  }

  @Test
  void aResponseFlushedInsideATransactionTellsOfWhatWasCommittedBefore() throws Exception {
    here.page(
        "/place",
        (request, response) -> {
          Shop.place(first, order);
          try (Connection connection = first.dataSource().getConnection();
              Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.executeUpdate("INSERT INTO orders VALUES (" + (1_000_000 + order) + ")");
            response.flushBuffer();
            connection.rollback();
          }
        });

    assertThat(next(get(here, "/place"))).isEqualTo("found by PRIMARY");
  }

  @Test
  void outsideOfRequestsNoScopeIsLeft() throws Exception {
    here.page("/place", (request, response) -> Shop.place(first, order))
        .page(
            "/scope",
            (request, response) -> {
              RequestScope scope = first.currentScope().orElseThrow();
              response.getWriter().print(scope.position().gtids().isEmpty());
            });
    get(here, "/place");

    for (int i = 0; i < 10; i++) {
      assertThat(get(here, "/scope").body()).isEqualTo("true");
    }
  }
}
