package dev.leeway.http;

import dev.leeway.routing.Leeway;
import dev.leeway.routing.RequestScope;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client that tells other services what the current scopes have written and seen, in the
 * header {@code Leeway-Position}, and takes over what the services answer, so that later reads here
 * show what was written there.
 *
 * <p>The header goes only to services that are trusted to see it, and is only taken from them. A
 * redirect to another host is followed with the header if the client follows redirects. The scopes
 * are those of the thread that sends; an asynchronous answer is taken over before whatever depends
 * on the returned future runs. Without an open scope, requests pass unchanged. The services of a
 * fleet must share the keys that sign tokens.
 *
 * <p>As thread-safe as the client it is made of.
 */
public final class PositionHttpClient extends HttpClient {
  private final HttpClient client;
  private final Predicate<URI> trusted;
  private final List<Leeway> leeways;
  private final Set<String> names;

  private PositionHttpClient(HttpClient client, Predicate<URI> trusted, List<Leeway> leeways) {
    this.client = client;
    this.trusted = trusted;
    this.leeways = leeways;
    this.names = Positions.namesOf(leeways);
  }

  /**
   * A client that carries positions.
   *
   * @param client sends the requests
   * @param trusted which services get and give positions
   * @param leeways one for each cluster, all with keys to sign their tokens
   * @throws IllegalArgumentException if none is given, two have one name, or one has no keys
   */
  public static HttpClient of(HttpClient client, Predicate<URI> trusted, Leeway... leeways) {
    return new PositionHttpClient(
        Objects.requireNonNull(client, "client"),
        Objects.requireNonNull(trusted, "trusted"),
        Positions.checked("Position HTTP client", Arrays.asList(leeways)));
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    Exchange exchange = exchange(request);
    HttpResponse<T> response = client.send(exchange.request(), handler);
    exchange.answered(response);
    return response;
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    Exchange exchange = exchange(request);
    return client.sendAsync(exchange.request(), handler).thenApply(exchange::answered);
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request,
      HttpResponse.BodyHandler<T> handler,
      HttpResponse.@Nullable PushPromiseHandler<T> pushPromiseHandler) {
    Exchange exchange = exchange(request);
    return client
        .sendAsync(exchange.request(), handler, pushPromiseHandler)
        .thenApply(exchange::answered);
  }

  private Exchange exchange(HttpRequest request) {
    List<RequestScope> scopes = new ArrayList<>();
    if (trusted.test(request.uri())) {
      for (Leeway leeway : leeways) {
        leeway.currentScope().ifPresent(scopes::add);
      }
    }
    if (scopes.isEmpty()) {
      return new Exchange(request, scopes, "");
    }
    String text = Positions.textOf(scopes, names);
    HttpRequest told =
        HttpRequest.newBuilder(request, (name, value) -> !name.equalsIgnoreCase(Positions.HEADER))
            .header(Positions.HEADER, text.isEmpty() ? Positions.NONE_YET : text)
            .build();
    return new Exchange(told, scopes, text);
  }

  /** One request, and those who want to know what its answer says. */
  private record Exchange(HttpRequest request, List<RequestScope> scopes, String sent) {
    <T> HttpResponse<T> answered(HttpResponse<T> response) {
      for (String token : response.headers().allValues(Positions.HEADER)) {
        for (RequestScope scope : scopes) {
          scope.adopt(token, sent);
        }
      }
      return response;
    }
  }

  @Override
  public Optional<CookieHandler> cookieHandler() {
    return client.cookieHandler();
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return client.connectTimeout();
  }

  @Override
  public Redirect followRedirects() {
    return client.followRedirects();
  }

  @Override
  public Optional<ProxySelector> proxy() {
    return client.proxy();
  }

  @Override
  public SSLContext sslContext() {
    return client.sslContext();
  }

  @Override
  public SSLParameters sslParameters() {
    return client.sslParameters();
  }

  @Override
  public Optional<Authenticator> authenticator() {
    return client.authenticator();
  }

  @Override
  public Version version() {
    return client.version();
  }

  @Override
  public Optional<Executor> executor() {
    return client.executor();
  }

  @Override
  public WebSocket.Builder newWebSocketBuilder() {
    return client.newWebSocketBuilder();
  }
}
