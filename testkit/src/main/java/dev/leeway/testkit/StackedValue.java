package dev.leeway.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A setting of a server that several faults may want to be different at once. The latest that is
 * still open counts, in whatever order they are closed; without any, the normal value does.
 */
final class StackedValue<T> {
  private final Supplier<T> normal;
  private final Consumer<T> apply;
  private final List<Wish<T>> wishes = new ArrayList<>();

  /** One fault's wish. Not a record: two equal ones are still two. */
  private static final class Wish<T> {
    private final T value;

    Wish(T value) {
      this.value = value;
    }
  }

  StackedValue(Supplier<T> normal, Consumer<T> apply) {
    this.normal = normal;
    this.apply = apply;
  }

  /**
   * Applies a value.
   *
   * @return takes it back
   */
  synchronized FaultLedger.Undo set(T value) {
    apply.accept(value);
    Wish<T> wish = new Wish<>(value);
    wishes.add(wish);
    return () -> takeBack(wish);
  }

  private synchronized void takeBack(Wish<T> wish) {
    if (wishes.remove(wish)) {
      applyAgain();
    }
  }

  /** Applies what counts now, where something else may have changed it. */
  synchronized void applyAgain() {
    apply.accept(wishes.isEmpty() ? normal.get() : wishes.get(wishes.size() - 1).value);
  }
}
