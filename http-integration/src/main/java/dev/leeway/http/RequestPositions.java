package dev.leeway.http;

import dev.leeway.routing.Leeway;
import dev.leeway.routing.RequestScope;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The scopes of one HTTP request, from its first dispatch to its end, and what its response says of
 * them. Safe for the threads that work for the request.
 */
final class RequestPositions {
  private final FilterSettings settings;
  private final boolean byHeader;
  private final List<RequestScope> scopes = new ArrayList<>();
  private HttpServletResponse response;
  private long said;
  private boolean trailing;
  private boolean ended;
  private boolean asynchronous;

  private RequestPositions(
      FilterSettings settings, boolean byHeader, HttpServletResponse response) {
    this.settings = settings;
    this.byHeader = byHeader;
    this.response = response;
  }

  /** Opens a scope for each cluster, with what came with the request. */
  static RequestPositions open(
      FilterSettings settings, HttpServletRequest request, HttpServletResponse response) {
    String header = request.getHeader(Positions.HEADER);
    RequestPositions positions = new RequestPositions(settings, header != null, response);
    positions.open(header != null ? header : cookie(settings.cookie(), request));
    if (settings.trailer() && request.getProtocol().equals("HTTP/1.1")) {
      response.setTrailerFields(positions::trailer);
      positions.trailing = true;
    }
    return positions;
  }

  private static @Nullable String cookie(String name, HttpServletRequest request) {
    Cookie[] cookies = request.getCookies();
    if (cookies != null) {
      for (Cookie cookie : cookies) {
        if (cookie.getName().equals(name)) {
          return cookie.getValue();
        }
      }
    }
    return null;
  }

  private void open(@Nullable String text) {
    String token = Positions.NONE_YET.equals(text) ? null : text;
    for (Leeway leeway : settings.leeways()) {
      scopes.add(leeway.openScope(token));
    }
    said = changes();
    ended = false;
  }

  /** An error page is being made after the request's own scopes were closed. */
  synchronized void openAgain() {
    if (ended) {
      String text = Positions.textOf(scopes, settings.names());
      scopes.clear();
      open(text);
    }
  }

  /** The response that the container now wants to be answered on. */
  synchronized void answerOn(HttpServletResponse newResponse) {
    response = newResponse;
  }

  private long changes() {
    long changes = 0;
    for (RequestScope scope : scopes) {
      changes = changes * 31 + scope.changes();
    }
    return changes;
  }

  /**
   * Makes the head of the response say what has been written and seen so far, if that is new and
   * the head is still here. Called before everything that may send it.
   */
  synchronized void say() {
    if (said == changes() || response.isCommitted()) {
      return;
    }
    said = changes();
    String text = Positions.textOf(scopes, settings.names());
    if (text.isEmpty()) {
      return;
    }
    if (byHeader) {
      response.setHeader(Positions.HEADER, text);
    } else {
      sayInCookie(text);
    }
  }

  /** There may be one already, from before; the others belong to somebody else. */
  private void sayInCookie(String text) {
    List<String> cookies = new ArrayList<>();
    for (String cookie : response.getHeaders("Set-Cookie")) {
      if (!cookie.startsWith(settings.cookie() + "=")) {
        cookies.add(cookie);
      }
    }
    cookies.add(settings.cookie() + "=" + text + settings.cookieAttributes());
    response.setHeader("Set-Cookie", cookies.get(0));
    for (String cookie : cookies.subList(1, cookies.size())) {
      response.addHeader("Set-Cookie", cookie);
    }
  }

  /** The head was taken back, and with it what it said. */
  synchronized void unsay() {
    said = ~said;
  }

  private synchronized Map<String, String> trailer() {
    if (said == changes()) {
      return Map.of();
    }
    said = changes();
    return Map.of(Positions.HEADER, Positions.textOf(scopes, settings.names()));
  }

  /** Whether something was written or seen that the response does not say. */
  synchronized boolean isLate() {
    return !trailing && said != changes();
  }

  /** Makes the scopes current on the calling thread; gives back what undoes it. */
  synchronized List<RequestScope.Attachment> attach() {
    List<RequestScope.Attachment> attachments = new ArrayList<>();
    for (RequestScope scope : scopes) {
      attachments.add(0, scope.attach());
    }
    return attachments;
  }

  /** The same work with the scopes current on whichever thread runs it. */
  Runnable attached(Runnable work) {
    return () -> {
      List<RequestScope.Attachment> attachments = attach();
      try {
        work.run();
      } finally {
        attachments.forEach(RequestScope.Attachment::close);
      }
    };
  }

  /** The request goes on without the thread that opened it. */
  synchronized void detach() {
    for (int i = scopes.size() - 1; i >= 0; i--) {
      scopes.get(i).detach();
    }
  }

  synchronized void end() {
    if (!ended) {
      ended = true;
      for (int i = scopes.size() - 1; i >= 0; i--) {
        scopes.get(i).close();
      }
    }
  }

  synchronized boolean isEnded() {
    return ended;
  }

  synchronized void becomeAsynchronous() {
    asynchronous = true;
  }

  synchronized boolean isAsynchronous() {
    return asynchronous;
  }
}
