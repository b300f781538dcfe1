package dev.leeway.routing.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.annotation.Fallback;
import dev.leeway.annotation.ReadPrimary;
import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.Write;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.context.CallContext;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RepositoryProxyTest {
  private final ThreadLocal<CallContext> contexts = ThreadLocal.withInitial(CallContext::new);
  private final ContextBoundary boundary = new ContextBoundary(contexts::get);

  private <T> T bind(Class<T> type, T implementation) {
    return RepositoryProxy.bind(boundary, type, implementation);
  }

  private ReadIntent current() {
    return contexts.get().intent();
  }

  interface Orders {
    @ReadReplica(maxStaleness = "5s")
    ReadIntent list(@Nullable String customer);

    @ReadPrimary(because = "shown for editing")
    ReadIntent find(long id);

    @Write
    ReadIntent save(String order) throws IOException;

    ReadIntent count();

    /** Reads one order, lists, and says which intents were in force. */
    @Write
    default List<ReadIntent> approve(long id) {
      return List.of(find(id), list(null), count());
    }
  }

  /** Answers every call with the intent that was in force. */
  private class RecordingOrders implements Orders {
    @Override
    public ReadIntent list(@Nullable String customer) {
      return current();
    }

    @Override
    public ReadIntent find(long id) {
      return current();
    }

    @Override
    public ReadIntent save(String order) throws IOException {
      if (order.isEmpty()) {
        throw new IOException("an empty order");
      }
      return current();
    }

    @Override
    public ReadIntent count() {
      return current();
    }
  }

  @Test
  void eachMethodRunsInsideTheIntentItDeclares() throws IOException {
    Orders orders = bind(Orders.class, new RecordingOrders());

    assertThat(orders.list("c")).isEqualTo(named(replica("5s"), "list"));
    assertThat(orders.find(1)).isEqualTo(named(ReadIntent.primary("shown for editing"), "find"));
    assertThat(orders.save("o")).isEqualTo(named(ReadIntent.write(), "save"));
    assertThat(current()).isEqualTo(ReadIntent.undeclared());
  }

  @Test
  void aMethodThatDeclaresNothingIsUndeclaredEvenInsideAReplicaRead() {
    Orders orders = bind(Orders.class, new RecordingOrders());
    contexts.get().enter(ReadIntent.replica());

    assertThat(orders.count()).isEqualTo(named(ReadIntent.undeclared(), "count"));
  }

  @Test
  void aNullArgumentReachesTheRepository() {
    assertThat(bind(Orders.class, new RecordingOrders()).list(null).label())
        .endsWith("Orders.list");
  }

  @Test
  void whatTheRepositoryThrowsReachesTheCallerAsItIsAndTheOuterIntentIsBack() {
    Orders orders = bind(Orders.class, new RecordingOrders());
    contexts.get().enter(ReadIntent.replica());

    assertThatThrownBy(() -> orders.save(""))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("an empty order");
    assertThat(current()).isSameAs(ReadIntent.replica());
  }

  @Test
  void anErrorReachesTheCallerAsItIs() {
    AssertionError error = new AssertionError("from inside");
    Orders orders =
        bind(
            Orders.class,
            new RecordingOrders() {
              @Override
              public ReadIntent count() {
                throw error;
              }
            });

    assertThatThrownBy(orders::count).isSameAs(error);
    assertThat(current()).isEqualTo(ReadIntent.undeclared());
  }

  @Test
  void aDefaultMethodCallsOthersThroughTheProxySoThatTheyHaveTheirOwnIntents() {
    Orders orders = bind(Orders.class, new RecordingOrders());

    assertThat(orders.approve(7))
        .extracting(ReadIntent::kind)
        .containsExactly(
            ReadIntent.Kind.PRIMARY, ReadIntent.Kind.REPLICA, ReadIntent.Kind.UNDECLARED);
    assertThat(current()).isEqualTo(ReadIntent.undeclared());
  }

  @Test
  void aDefaultMethodThatTheRepositoryOverridesIsTheRepositorys() {
    Orders orders =
        bind(
            Orders.class,
            new RecordingOrders() {
              @Override
              public List<ReadIntent> approve(long id) {
                return List.of(current());
              }
            });

    assertThat(orders.approve(7)).containsExactly(named(ReadIntent.write(), "approve"));
  }

  @Test
  void anIntentOnTheImplementationBeatsTheInterfaceAndKeepsTheInterfacesName() {
    Orders orders =
        bind(
            Orders.class,
            new RecordingOrders() {
              @Override
              @ReadReplica(maxStaleness = "1s", fallback = Fallback.STALE, catchUp = "20ms")
              public ReadIntent find(long id) {
                return current();
              }
            });

    assertThat(orders.find(1))
        .isEqualTo(
            named(replica("1s").fallback(Fallback.STALE).catchUp(Duration.ofMillis(20)), "find"));
  }

  interface Keyed<K> {
    @ReadReplica
    ReadIntent byKey(K key);
  }

  interface Customers extends Keyed<Long> {
    @Override
    @ReadPrimary(because = "narrower says more")
    ReadIntent byKey(Long key);
  }

  @Test
  void aMethodCalledThroughAGenericInterfaceHasTheIntentOfTheNarrowerOne() {
    Customers customers = bind(Customers.class, key -> current());
    Keyed<Long> keyed = customers;

    assertThat(customers.byKey(1L).kind()).isEqualTo(ReadIntent.Kind.PRIMARY);
    assertThat(keyed.byKey(1L).kind()).isEqualTo(ReadIntent.Kind.PRIMARY);
  }

  @ReadReplica
  interface AllFromReplicas {
    ReadIntent one();

    @Override
    String toString();
  }

  @Test
  void anIntentOnTheTypeCoversItsMethodsButNotThoseOfEveryObject() {
    List<ReadIntent> seen = new ArrayList<>();
    AllFromReplicas repository =
        bind(
            AllFromReplicas.class,
            new AllFromReplicas() {
              @Override
              public ReadIntent one() {
                return current();
              }

              @Override
              public String toString() {
                seen.add(current());
                return "all";
              }
            });

    assertThat(repository.one().kind()).isEqualTo(ReadIntent.Kind.REPLICA);
    assertThat(repository).hasToString("AllFromReplicas bound to all");
    assertThat(seen).containsExactly(ReadIntent.undeclared());
  }

  @Test
  void twoProxiesOfOneRepositoryAreEqualAndTheRepositoryItselfIsNot() {
    Orders repository = new RecordingOrders();
    Orders orders = bind(Orders.class, repository);

    assertThat(orders)
        .isEqualTo(bind(Orders.class, repository))
        .hasSameHashCodeAs(repository)
        .isNotEqualTo(repository)
        .isNotEqualTo(bind(Orders.class, new RecordingOrders()))
        .isNotEqualTo(null)
        .isNotEqualTo("orders");
  }

  @Test
  void aProxyOfAnotherLibraryCanBeBound() {
    Orders foreign =
        (Orders)
            Proxy.newProxyInstance(
                Orders.class.getClassLoader(),
                new Class<?>[] {Orders.class},
                (proxy, method, args) ->
                    method.getReturnType() == List.class ? List.of() : current());

    Orders orders = bind(Orders.class, foreign);

    assertThat(orders.find(1).kind()).isEqualTo(ReadIntent.Kind.PRIMARY);
    assertThat(orders.approve(1)).isEmpty();
  }

  @Test
  void aClassIsRefusedWithTheTwoWaysThatWorkForClasses() {
    assertThatThrownBy(() -> bind(RecordingOrders.class, new RecordingOrders()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Leeway - cannot bind %s: it is not an interface (expected: the repository's"
                    .formatted(RecordingOrders.class.getName())
                + " interface). For a class, use the subclass that @RoutedRepository generates, or"
                + " the interceptor of your container");
  }

  @Test
  void aRepositoryThatIsBoundAlreadyIsRefused() {
    Orders bound = bind(Orders.class, new RecordingOrders());

    assertThatThrownBy(() -> bind(Orders.class, bound))
        .hasMessage(
            "Leeway - cannot bind %s: the object is already bound (expected: the repository itself)",
            Orders.class.getName());
  }

  @Test
  void aRepositoryThatDeclaresNothingIsRefused() {
    Supplier<String> silent = () -> "text";

    assertThatThrownBy(() -> RepositoryProxy.bind(boundary, Supplier.class, silent))
        .hasMessage(
            "Leeway - cannot bind java.util.function.Supplier: no method declares an intent"
                + " (expected: @ReadReplica, @ReadPrimary or @Write on its methods or on the type)");
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"})
  void anObjectThatIsNotOfTheTypeIsRefused() {
    Callable<String> other = () -> "text";

    assertThatThrownBy(() -> RepositoryProxy.bind(boundary, (Class) Orders.class, other))
        .hasMessageContaining("does not implement it");
  }

  sealed interface Closed permits OnlyOne {
    @ReadReplica
    int one();
  }

  record OnlyOne(int one) implements Closed {}

  @Test
  void aSealedInterfaceIsRefused() {
    assertThatThrownBy(() -> bind(Closed.class, new OnlyOne(1)))
        .hasMessageContaining("it is sealed or hidden, so no proxy can implement it");
  }

  interface Stock {
    @ReadReplica
    int listed();
  }

  static class StockWithUnreachableIntents implements Stock {
    @Override
    public int listed() {
      return reserved() + total();
    }

    @ReadPrimary(because = "never reached")
    private int reserved() {
      return 1;
    }

    @Write
    static int total() {
      return 2;
    }

    @Write
    public void reserve(int count) {}
  }

  @Test
  void everyIntentThatNoCallWouldReachIsNamed() {
    assertThatThrownBy(() -> bind(Stock.class, new StockWithUnreachableIntents()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "StockWithUnreachableIntents.reserved is private, so no call through the interface"
                + " enters it")
        .hasMessageContaining("StockWithUnreachableIntents.total is static")
        .hasMessageContaining(
            "StockWithUnreachableIntents.reserve is in no interface of the class");
  }

  private static class GenericCustomers implements Keyed<Long> {
    @Override
    @ReadPrimary(because = "through a type parameter")
    public ReadIntent byKey(Long key) {
      return ReadIntent.undeclared();
    }
  }

  @Test
  void anIntentOnTheImplementationOfAGenericMethodIsReachable() {
    Keyed<Long> bound = RepositoryProxy.bind(boundary, asType(Keyed.class), new GenericCustomers());

    assertThat(bound.byKey(1L)).isEqualTo(ReadIntent.undeclared());
  }

  @SuppressWarnings("unchecked")
  private static Class<Keyed<Long>> asType(Class<?> raw) {
    return (Class<Keyed<Long>>) raw;
  }

  interface Contradicting {
    @ReadReplica(maxStaleness = "five seconds")
    int one();

    @ReadReplica
    @Write
    int two();
  }

  @Test
  void everyUnreadableOrContradictingMethodIsNamed() {
    Contradicting implementation =
        new Contradicting() {
          @Override
          public int one() {
            return 1;
          }

          @Override
          public int two() {
            return 2;
          }
        };

    assertThatThrownBy(() -> bind(Contradicting.class, implementation))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("one()")
        .hasMessageContaining("five seconds")
        .hasMessageContaining("two()");
  }

  private static ReadIntent replica(String staleness) {
    return ReadIntent.replica().maxStaleness(dev.leeway.annotation.DurationText.parse(staleness));
  }

  private static ReadIntent named(ReadIntent intent, String method) {
    return intent.named("RepositoryProxyTest$Orders." + method);
  }
}
