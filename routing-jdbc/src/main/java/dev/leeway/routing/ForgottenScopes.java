package dev.leeway.routing;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds scopes that nobody can close any more because nobody has them. Thread-safe.
 *
 * <p>Not a {@link java.lang.ref.Cleaner}, whose thread would outlive the Leeway it belongs to.
 */
final class ForgottenScopes {
  private final ReferenceQueue<RequestScope> gone = new ReferenceQueue<>();

  /** Keeps the references themselves from being collected. */
  private final Set<Trace> traces = ConcurrentHashMap.newKeySet();

  private final Consumer<OpenedAt> report;

  ForgottenScopes(Consumer<OpenedAt> report) {
    this.report = report;
  }

  /** Begins to watch a scope; it tells {@link #closed} when it is closed. */
  Trace watch(RequestScope scope, AtomicBoolean closed, OpenedAt openedAt) {
    Trace trace = new Trace(scope, gone, closed, openedAt);
    traces.add(trace);
    return trace;
  }

  /** The scope was closed as it should be. */
  void closed(Trace trace) {
    traces.remove(trace);
  }

  /** Reports what was found since the last look. Called now and then by one thread. */
  void look() {
    Reference<? extends @Nullable RequestScope> found;
    while ((found = gone.poll()) != null) {
      Trace trace = (Trace) found;
      if (traces.remove(trace) && trace.closed.compareAndSet(false, true)) {
        report.accept(trace.openedAt);
      }
    }
  }

  /** What remains of a scope. Must not know the scope, or it would live on. */
  static final class Trace extends PhantomReference<RequestScope> {
    private final AtomicBoolean closed;
    private final OpenedAt openedAt;

    private Trace(
        RequestScope scope,
        ReferenceQueue<RequestScope> queue,
        AtomicBoolean closed,
        OpenedAt openedAt) {
      super(scope, queue);
      this.closed = closed;
      this.openedAt = openedAt;
    }

    OpenedAt openedAt() {
      return openedAt;
    }
  }
}
