package dev.leeway.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

/**
 * A request that, when it becomes asynchronous, keeps its scopes until it is complete, and its
 * response where the position is written: {@code startAsync()} alone would go past both.
 */
final class PositionRequest extends HttpServletRequestWrapper {
  private final PositionResponse response;
  private final RequestPositions positions;
  private final Runnable whenComplete;

  PositionRequest(
      HttpServletRequest request,
      PositionResponse response,
      RequestPositions positions,
      Runnable whenComplete) {
    super(request);
    this.response = response;
    this.positions = positions;
    this.whenComplete = whenComplete;
  }

  @Override
  public AsyncContext startAsync() {
    return startAsync(this, response);
  }

  @Override
  public AsyncContext startAsync(ServletRequest servletRequest, ServletResponse servletResponse) {
    AsyncContext context = super.startAsync(servletRequest, servletResponse);
    positions.becomeAsynchronous();
    context.addListener(new WhenComplete(whenComplete));
    return new PositionAsyncContext(context, positions);
  }

  @Override
  public AsyncContext getAsyncContext() {
    return new PositionAsyncContext(super.getAsyncContext(), positions);
  }

  /** Runs something once, when the request is complete, however it came to that. */
  private record WhenComplete(Runnable work) implements AsyncListener {
    @Override
    public void onComplete(AsyncEvent event) {
      work.run();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
      // The container dispatches to an error page or completes; either way that is told.
    }

    @Override
    public void onError(AsyncEvent event) {
      // As above.
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
      // Started once more: the container has forgotten its listeners.
      event.getAsyncContext().addListener(this);
    }
  }
}
