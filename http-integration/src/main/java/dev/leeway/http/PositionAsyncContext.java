package dev.leeway.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;

/**
 * The container's, except that the head of the response is brought up to date before the request is
 * completed, and that what it runs has the request's scopes.
 */
record PositionAsyncContext(AsyncContext context, RequestPositions positions)
    implements AsyncContext {

  @Override
  public void complete() {
    positions.say();
    context.complete();
  }

  @Override
  public void start(Runnable run) {
    context.start(positions.attached(run));
  }

  @Override
  public ServletRequest getRequest() {
    return context.getRequest();
  }

  @Override
  public ServletResponse getResponse() {
    return context.getResponse();
  }

  @Override
  public boolean hasOriginalRequestAndResponse() {
    return context.hasOriginalRequestAndResponse();
  }

  @Override
  public void dispatch() {
    context.dispatch();
  }

  @Override
  public void dispatch(String path) {
    context.dispatch(path);
  }

  @Override
  public void dispatch(ServletContext servletContext, String path) {
    context.dispatch(servletContext, path);
  }

  @Override
  public void addListener(AsyncListener listener) {
    context.addListener(listener);
  }

  @Override
  public void addListener(
      AsyncListener listener, ServletRequest servletRequest, ServletResponse servletResponse) {
    context.addListener(listener, servletRequest, servletResponse);
  }

  @Override
  public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
    return context.createListener(type);
  }

  @Override
  public void setTimeout(long timeoutMillis) {
    context.setTimeout(timeoutMillis);
  }

  @Override
  public long getTimeout() {
    return context.getTimeout();
  }
}
