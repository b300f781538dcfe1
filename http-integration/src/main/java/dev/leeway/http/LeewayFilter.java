package dev.leeway.http;

import dev.leeway.routing.Leeway;
import dev.leeway.routing.RequestScope;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs each HTTP request in a scope of its own, which goes on where the same user's last one ended.
 *
 * <p>A request that brings the header {@code Leeway-Position} is answered in that header, any other
 * in a cookie. Only a response to a request that wrote or read through Leeway carries either;
 * others stay as cacheable as they were. The position is that of the moment at which the head of
 * the response is sent, so a commit counts if it is made before that. What is written later is
 * counted as {@code leeway.http.positions.late} and logged once: commit before you flush, or use
 * {@link Builder#trailer}.
 *
 * <p>Map it to the dispatcher types REQUEST, ASYNC and ERROR, before everything that uses a
 * database, and mark it as supporting asynchronous requests. A request that becomes asynchronous
 * keeps its scopes until it is complete; what {@code AsyncContext.start} runs has them, other
 * threads {@link RequestScope#attach attach} them.
 *
 * <p>What a client sends is verified by the Leeways; what they do not accept is counted there and
 * ignored. Thread-safe. Does not close the Leeways.
 */
public final class LeewayFilter implements Filter {
  private static final Logger log = LoggerFactory.getLogger(LeewayFilter.class);
  private static final String ATTRIBUTE = LeewayFilter.class.getName();

  private final FilterSettings settings;
  private final @Nullable Counter late;
  private final AtomicBoolean lateLogged = new AtomicBoolean();

  private LeewayFilter(FilterSettings settings, @Nullable Counter late) {
    this.settings = settings;
    this.late = late;
  }

  /**
   * A filter with a cookie named {@code leeway-position}.
   *
   * @param leeways one for each cluster, all with keys to sign their tokens
   * @throws IllegalArgumentException if none is given, two have one name, or one has no keys
   */
  public static LeewayFilter of(Leeway... leeways) {
    return builder(leeways).build();
  }

  /**
   * Begins a filter.
   *
   * @throws IllegalArgumentException as {@link #of}
   */
  public static Builder builder(Leeway... leeways) {
    return new Builder(Positions.checked("Leeway filter", Arrays.asList(leeways)));
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request instanceof HttpServletRequest http && response instanceof HttpServletResponse to) {
      if (request.getAttribute(ATTRIBUTE) instanceof RequestPositions known) {
        again(known, http, to, chain);
      } else {
        first(http, to, chain);
      }
    } else {
      chain.doFilter(request, response);
    }
  }

  private void first(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    RequestPositions positions = RequestPositions.open(settings, request, response);
    try {
      request.setAttribute(ATTRIBUTE, positions);
      run(positions, request, response, chain);
    } finally {
      if (positions.isAsynchronous()) {
        positions.detach();
      } else {
        end(positions);
      }
    }
  }

  /** The same request once more: the rest of an asynchronous one, or its error page. */
  private void again(
      RequestPositions positions,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    boolean wasEnded = positions.isEnded();
    positions.openAgain();
    List<RequestScope.Attachment> attachments = positions.attach();
    try {
      run(positions, request, response, chain);
    } finally {
      attachments.forEach(RequestScope.Attachment::close);
      if (wasEnded && !request.isAsyncStarted()) {
        end(positions);
      }
    }
  }

  private void run(
      RequestPositions positions,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    HttpServletResponse answer = response;
    HttpServletRequest asked = request;
    if (!(response instanceof PositionResponse)) {
      positions.answerOn(response);
      PositionResponse saying = new PositionResponse(response, positions);
      answer = saying;
      asked = new PositionRequest(request, saying, positions, () -> end(positions));
    }
    try {
      chain.doFilter(asked, answer);
    } finally {
      positions.say();
    }
  }

  private void end(RequestPositions positions) {
    if (!positions.isEnded() && positions.isLate()) {
      if (late != null) {
        late.increment();
      }
      if (lateLogged.compareAndSet(false, true)) {
        log.warn(
            "Leeway filter - a request wrote or read after the head of its response had been sent, so"
                + " the position of that did not go with it (expected: commits before the response is"
                + " flushed). The user's next request may be answered without it. Further ones are"
                + " counted, not logged.");
      }
    }
    positions.end();
  }

  /** Collects what a filter is made of. Not thread-safe. */
  public static final class Builder {
    private final List<Leeway> leeways;
    private String cookie = "leeway-position";
    private boolean secure = true;
    private boolean trailer;
    private @Nullable MeterRegistry meterRegistry;

    private Builder(List<Leeway> leeways) {
      this.leeways = leeways;
    }

    /**
     * The cookie's name. Default: {@code leeway-position}.
     *
     * @throws IllegalArgumentException if no cookie can have that name
     */
    public Builder cookie(String name) {
      if (!name.matches("[A-Za-z0-9_-]{1,64}")) {
        throw new IllegalArgumentException(
            "Leeway filter - cookie: '"
                + name
                + "' (expected: 1 to 64 letters, digits, dashes or underscores)");
      }
      cookie = name;
      return this;
    }

    /**
     * Whether browsers send the cookie over HTTPS only. Default: true. False is for tests over
     * plain HTTP.
     */
    public Builder secure(boolean value) {
      secure = value;
      return this;
    }

    /**
     * Whether HTTP/1.1 responses carry in a trailer, {@code Leeway-Position}, what was written or
     * read after their head was sent. Such responses are chunked. Browsers do not show trailers to
     * anybody; a service that reads them must hand the text to {@link RequestScope#adopt(String)}
     * itself. Default: false.
     */
    public Builder trailer(boolean value) {
      trailer = value;
      return this;
    }

    /** Where {@code leeway.http.positions.late} is counted. Default: nowhere. */
    public Builder meterRegistry(MeterRegistry registry) {
      meterRegistry = Objects.requireNonNull(registry, "registry");
      return this;
    }

    /** Makes the filter. */
    public LeewayFilter build() {
      long maxAge =
          leeways.stream()
              .mapToLong(leeway -> leeway.tokenTimeToLive().toSeconds())
              .max()
              .orElse(0);
      String attributes =
          "; Path=/; Max-Age="
              + maxAge
              + "; HttpOnly"
              + (secure ? "; Secure" : "")
              + "; SameSite=Lax";
      MeterRegistry registry = meterRegistry;
      Counter late =
          registry == null
              ? null
              : Counter.builder("leeway.http.positions.late")
                  .description(
                      "Requests that wrote or read after the head of their response was sent")
                  .register(registry);
      return new LeewayFilter(
          new FilterSettings(leeways, Positions.namesOf(leeways), cookie, attributes, trailer),
          late);
    }
  }
}
