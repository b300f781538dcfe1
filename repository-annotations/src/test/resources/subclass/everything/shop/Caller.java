package shop;

import dev.leeway.annotation.IntentBoundary;
import dev.leeway.annotation.RoutedMethod;
import java.io.FileNotFoundException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;

/** Calls everything once and tells in which intent it ran. */
public final class Caller implements Callable<List<String>> {
  private final Deque<RoutedMethod> inside = new ArrayDeque<>();

  @Override
  @SuppressWarnings("deprecation")
  public List<String> call() throws Exception {
    Orders<?>[] holder = new Orders<?>[1];
    IntentBoundary boundary =
        method -> {
          holder[0].log().add("> " + method);
          inside.push(method);
          return () -> holder[0].log().add("< " + inside.pop().shortName());
        };
    Orders_Routed<String> orders = new Orders_Routed<>(boundary, "shop", "first");
    holder[0] = orders;
    orders.inherited("a");
    orders.generic(List.of("g"), RuntimeException.class, null);
    orders.many("k", "x", "y");
    orders.protectedOne();
    orders.packagePrivate();
    orders.old();
    try {
      orders.fails();
    } catch (FileNotFoundException e) {
      orders.log().add("caught " + e.getMessage() + " " + e.getSuppressed().length);
    }
    orders.transactional();
    orders.find("f");
    orders.findOr("d", List.of());
    Finder<String, ?> finder = orders;
    finder.find("bridge");
    orders.save("s");
    Texts texts = new Texts_Routed(boundary);
    texts.rebound(List.of("t"), null, "u", null);
    new Texts_Raw_Routed(boundary).save(this);
    List<String> log = new ArrayList<>(orders.log());
    log.add(texts.toString());
    if (!new Orders_Routed<String>(boundary, 1, 2).log().equals(List.of("made with 2"))) {
      throw new AssertionError("varargs constructor");
    }
    return log;
  }
}
