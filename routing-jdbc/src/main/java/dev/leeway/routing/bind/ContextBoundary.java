package dev.leeway.routing.bind;

import dev.leeway.annotation.IntentBoundary;
import dev.leeway.annotation.RoutedMethod;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.context.CallContext;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Puts a method's intent in force on the calling thread, and the outer one back when the call ends.
 *
 * <p>Entering and leaving allocate nothing once a method and a thread have been seen: each method
 * is turned into an intent once, and each thread keeps one stack of outer intents. Safe for any
 * number of threads.
 */
public final class ContextBoundary implements IntentBoundary {
  /** As many as there are routed methods in the program: a bound set by its source. */
  private final ConcurrentMap<RoutedMethod, ReadIntent> intents = new ConcurrentHashMap<>();

  private final Supplier<CallContext> thisThread;

  /**
   * A boundary to the contexts of one Leeway.
   *
   * @param thisThread gives the calling thread's context, always the same one on one thread
   */
  public ContextBoundary(Supplier<CallContext> thisThread) {
    this.thisThread = Objects.requireNonNull(thisThread, "thisThread");
  }

  @Override
  public Scope enter(RoutedMethod method) {
    CallContext context = thisThread.get();
    OuterIntents outer = (OuterIntents) context.boundarySlot;
    if (outer == null) {
      outer = new OuterIntents(context);
      context.boundarySlot = outer;
    }
    outer.push(context.enter(intentOf(method)));
    return outer;
  }

  private ReadIntent intentOf(RoutedMethod method) {
    ReadIntent known = intents.get(method);
    return known == null ? intents.computeIfAbsent(method, ContextBoundary::intent) : known;
  }

  static ReadIntent intent(RoutedMethod method) {
    ReadIntent intent = withoutEntity(method);
    return method.entity().isEmpty() ? intent : intent.entity(method.entity());
  }

  private static ReadIntent withoutEntity(RoutedMethod method) {
    return switch (method.kind()) {
      case READ_REPLICA -> {
        ReadIntent replica = ReadIntent.replica().fallback(method.fallback());
        if (method.maxStaleness().isPresent()) {
          replica = replica.maxStaleness(method.maxStaleness().get());
        }
        if (method.catchUp().isPresent()) {
          replica = replica.catchUp(method.catchUp().get());
        }
        yield replica.named(method.shortName());
      }
      case READ_PRIMARY -> ReadIntent.primary(method.because()).named(method.shortName());
      case WRITE -> ReadIntent.write().named(method.shortName());
      case UNDECLARED -> ReadIntent.undeclared().named(method.shortName());
    };
  }

  /** The intents around the current one, innermost last. Belongs to one thread. */
  private static final class OuterIntents implements Scope {
    private static final int USUAL_DEPTH = 8;

    private final CallContext context;
    private @Nullable ReadIntent[] intents = new @Nullable ReadIntent[USUAL_DEPTH];
    private int depth;

    OuterIntents(CallContext context) {
      this.context = context;
    }

    void push(ReadIntent intent) {
      if (depth == intents.length) {
        // As deep as the program's own stack, which bounds it.
        intents = Arrays.copyOf(intents, 2 * depth);
      }
      intents[depth++] = intent;
    }

    @Override
    public void close() {
      if (depth == 0) {
        return;
      }
      ReadIntent outer = intents[--depth];
      if (outer != null) {
        intents[depth] = null;
        context.enter(outer);
      }
    }
  }
}
