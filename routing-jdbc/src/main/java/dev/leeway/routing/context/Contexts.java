package dev.leeway.routing.context;

/** Finds the calling thread's {@link CallContext} for one Leeway. */
public final class Contexts {
  private final ThreadLocal<CallContext> local = ThreadLocal.withInitial(CallContext::new);

  /** The calling thread's context; never null. */
  public CallContext current() {
    return local.get();
  }
}
