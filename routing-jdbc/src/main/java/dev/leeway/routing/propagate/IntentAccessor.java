package dev.leeway.routing.propagate;

import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.context.CallContext;
import io.micrometer.context.ThreadLocalAccessor;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Hands the intent in force, of every open Leeway, to another thread. Stateless. */
public final class IntentAccessor
    implements ThreadLocalAccessor<Map<Supplier<CallContext>, ReadIntent>> {
  /** The key under which context-propagation keeps intents. */
  public static final String KEY = "leeway.intent";

  /** Made by the service loader. */
  public IntentAccessor() {}

  @Override
  public Object key() {
    return KEY;
  }

  @Override
  public @Nullable Map<Supplier<CallContext>, ReadIntent> getValue() {
    Map<Supplier<CallContext>, ReadIntent> inForce = null;
    for (Supplier<CallContext> leeway : OpenContexts.all()) {
      ReadIntent intent = leeway.get().intent();
      if (intent.kind() != ReadIntent.Kind.UNDECLARED) {
        inForce = inForce == null ? new IdentityHashMap<>() : inForce;
        inForce.put(leeway, intent);
      }
    }
    return inForce;
  }

  @Override
  public void setValue(Map<Supplier<CallContext>, ReadIntent> value) {
    for (Supplier<CallContext> leeway : OpenContexts.all()) {
      leeway.get().enter(value.getOrDefault(leeway, ReadIntent.undeclared()));
    }
  }

  @Override
  public void setValue() {
    setValue(Map.of());
  }
}
