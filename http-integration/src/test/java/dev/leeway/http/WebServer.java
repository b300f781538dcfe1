package dev.leeway.http;

import dev.leeway.routing.Leeway;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.EnumSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** One application instance: a server with the filter before whatever a test puts behind it. */
final class WebServer implements AutoCloseable {
  /** What answers a path. */
  @FunctionalInterface
  interface Page {
    void answer(HttpServletRequest request, HttpServletResponse response) throws Exception;
  }

  final MeterRegistry meters = new SimpleMeterRegistry();
  private final Map<String, Page> pages = new ConcurrentHashMap<>();
  private final Server server = new Server();
  private final ServerConnector connector = new ServerConnector(server);

  WebServer(boolean trailer, Leeway... leeways) throws Exception {
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler("/");
    FilterHolder filter =
        new FilterHolder(
            LeewayFilter.builder(leeways)
                .secure(false)
                .trailer(trailer)
                .meterRegistry(meters)
                .build());
    filter.setAsyncSupported(true);
    context.addFilter(
        filter,
        "/*",
        EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR));
    ServletHolder holder = new ServletHolder(new Pages());
    holder.setAsyncSupported(true);
    context.addServlet(holder, "/*");
    server.setHandler(context);
    server.start();
  }

  WebServer page(String path, Page page) {
    pages.put(path, page);
    return this;
  }

  int port() {
    return connector.getLocalPort();
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port() + path);
  }

  double late() {
    return meters.get("leeway.http.positions.late").counter().count();
  }

  @Override
  public void close() throws Exception {
    server.stop();
  }

  private final class Pages extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      Page page = pages.get(request.getRequestURI());
      if (page == null) {
        response.sendError(HttpServletResponse.SC_NOT_FOUND);
        return;
      }
      try {
        page.answer(request, response);
      } catch (IOException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new ServletException(e);
      }
    }
  }
}
