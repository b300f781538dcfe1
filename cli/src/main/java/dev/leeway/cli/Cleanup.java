package dev.leeway.cli;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a run has opened and must close, last opened first.
 *
 * <p>Closed by the run itself when it ends, or by an {@link Interruption} when it is ended from
 * outside; whoever comes first closes, the other waits until that is done. What is registered after
 * that is closed at once.
 */
final class Cleanup implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Cleanup.class);

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final List<String> failures = new ArrayList<>();
  private boolean closed;
  private volatile @Nullable String doing;

  synchronized <T extends AutoCloseable> T register(T resource) {
    if (closed) {
      close(resource);
    } else {
      opened.push(resource);
    }
    return resource;
  }

  /** From now on there is something whose end takes time: this is what happens meanwhile. */
  void willBe(String closing) {
    doing = closing;
  }

  /** What the user waits for while this closes; null if that takes no time worth a word. */
  @Nullable String doing() {
    return doing;
  }

  @Override
  public synchronized void close() {
    closed = true;
    while (!opened.isEmpty()) {
      close(opened.pop());
    }
  }

  /** What could not be closed, each with what to do about it. */
  synchronized List<String> failures() {
    return List.copyOf(failures);
  }

  private void close(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception e) {
      failures.add(String.valueOf(e.getMessage()));
      log.warn("leeway - could not close {}: {}", resource, e.getMessage(), e);
    }
  }
}
