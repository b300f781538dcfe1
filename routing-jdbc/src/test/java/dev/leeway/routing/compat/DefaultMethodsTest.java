package dev.leeway.routing.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.RoutedMethod;
import dev.leeway.routing.bind.RepositoryProxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** From another package than the binding's: it once could not call these interfaces. */
class DefaultMethodsTest {
  private final List<String> entered = new ArrayList<>();

  interface Base<T> {
    @ReadReplica
    default List<T> both(T left, T right) {
      return List.of(one(left), one(right));
    }

    @ReadReplica
    T one(T value);
  }

  interface NotPublic extends Base<String> {
    @ReadReplica
    default int none() {
      return both("a", "b").size();
    }
  }

  private void enter(RoutedMethod method) {
    entered.add(method.shortName());
  }

  @Test
  void defaultMethodsOfAnInterfaceThatIsNotPublicRunOnTheProxy() {
    NotPublic bound =
        RepositoryProxy.bind(
            method -> {
              enter(method);
              return () -> entered.add("end");
            },
            NotPublic.class,
            value -> value + "!");

    assertThat(bound.none()).isEqualTo(2);
    assertThat(bound.both("x", "y")).containsExactly("x!", "y!");
    assertThat(entered)
        .startsWith(
            "DefaultMethodsTest$NotPublic.none",
            "DefaultMethodsTest$NotPublic.both",
            "DefaultMethodsTest$NotPublic.one",
            "end");
  }
}
