package dev.leeway.routing.propagate;

import dev.leeway.routing.context.CallContext;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * The thread contexts of every Leeway of this process that is open. Accessors are made by the
 * service loader and so cannot be told by an argument. Safe for any number of threads.
 */
public final class OpenContexts {
  private static final List<Supplier<CallContext>> open = new CopyOnWriteArrayList<>();

  private OpenContexts() {}

  /** A Leeway has started. */
  public static void opened(Supplier<CallContext> thisThread) {
    open.add(thisThread);
  }

  /** A Leeway was closed; without this call it would never be collected. */
  public static void closed(Supplier<CallContext> thisThread) {
    open.remove(thisThread);
  }

  static List<Supplier<CallContext>> all() {
    return open;
  }
}
