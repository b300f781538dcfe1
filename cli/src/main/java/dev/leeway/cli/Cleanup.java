package dev.leeway.cli;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a run has opened and must close, last opened first.
 *
 * <p>Closed by the run itself when it ends, or by the shutdown hook when the run is interrupted;
 * whoever comes first closes, the other waits until that is done. What is registered after that is
 * closed at once.
 */
final class Cleanup implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Cleanup.class);

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private boolean closed;

  synchronized <T extends AutoCloseable> T register(T resource) {
    if (closed) {
      close(resource);
    } else {
      opened.push(resource);
    }
    return resource;
  }

  @Override
  public synchronized void close() {
    closed = true;
    while (!opened.isEmpty()) {
      close(opened.pop());
    }
  }

  private static void close(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception e) {
      log.warn("leeway - could not close {}: {}", resource, e.getMessage(), e);
    }
  }
}
