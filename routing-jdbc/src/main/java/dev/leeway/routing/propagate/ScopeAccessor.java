package dev.leeway.routing.propagate;

import dev.leeway.routing.context.CallContext;
import dev.leeway.routing.context.ScopeState;
import io.micrometer.context.ThreadLocalAccessor;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Hands the scope in force, of every open Leeway, to another thread. Stateless. */
public final class ScopeAccessor
    implements ThreadLocalAccessor<Map<Supplier<CallContext>, ScopeState>> {
  /** The key under which context-propagation keeps scopes. */
  public static final String KEY = "leeway.scope";

  /** Made by the service loader. */
  public ScopeAccessor() {}

  @Override
  public Object key() {
    return KEY;
  }

  @Override
  public @Nullable Map<Supplier<CallContext>, ScopeState> getValue() {
    Map<Supplier<CallContext>, ScopeState> inForce = null;
    for (Supplier<CallContext> leeway : OpenContexts.all()) {
      ScopeState scope = leeway.get().scope();
      if (scope != null) {
        inForce = inForce == null ? new IdentityHashMap<>() : inForce;
        inForce.put(leeway, scope);
      }
    }
    return inForce;
  }

  @Override
  public void setValue(Map<Supplier<CallContext>, ScopeState> value) {
    for (Supplier<CallContext> leeway : OpenContexts.all()) {
      leeway.get().attach(value.get(leeway));
    }
  }

  @Override
  public void setValue() {
    setValue(Map.of());
  }
}
