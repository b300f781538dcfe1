package dev.leeway.routing.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import dev.leeway.annotation.IntentBoundary;
import dev.leeway.annotation.ReadPrimary;
import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.Write;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.RoutingInterceptor;
import dev.leeway.routing.context.CallContext;
import jakarta.inject.Inject;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoutingInterceptorTest {
  private final ThreadLocal<CallContext> contexts = ThreadLocal.withInitial(CallContext::new);
  private final RoutingInterceptor interceptor =
      new RoutingInterceptor(new ContextBoundary(contexts::get));

  // tag::guice[]
  /** What an application writes once to have its repositories routed. */
  private static final class RoutingModule extends AbstractModule {
    private final RoutingInterceptor interceptor;

    RoutingModule(RoutingInterceptor interceptor) {
      this.interceptor = interceptor;
    }

    @Override
    protected void configure() {
      bindInterceptor(
          interceptor::intercepts,
          method -> !method.isSynthetic(),
          invocation ->
              interceptor.around(
                  invocation.getMethod(), invocation.getThis(), invocation::proceed));
    }
  }

  // end::guice[]

  static class Orders {
    private final CallContext context;

    @Inject
    Orders(CallContext context) {
      this.context = context;
    }

    @ReadReplica
    public ReadIntent list() {
      return context.intent();
    }

    @ReadPrimary(because = "shown for editing")
    public ReadIntent find() throws IOException {
      return context.intent();
    }

    @Write
    public List<ReadIntent> approve() throws IOException {
      return List.of(context.intent(), find(), context.intent());
    }

    public ReadIntent count() {
      return context.intent();
    }

    @Write
    public void fail() throws IOException {
      throw new IOException("from inside");
    }
  }

  private Orders orders() {
    return Guice.createInjector(
            new RoutingModule(interceptor),
            new AbstractModule() {
              @Override
              protected void configure() {
                bind(CallContext.class).toInstance(contexts.get());
              }
            })
        .getInstance(Orders.class);
  }

  @Test
  void aContainersRepositoryRunsInsideTheIntentsItDeclares() throws IOException {
    Orders orders = orders();

    assertThat(orders.list())
        .isEqualTo(ReadIntent.replica().named("RoutingInterceptorTest$Orders.list"));
    assertThat(orders.find().kind()).isEqualTo(ReadIntent.Kind.PRIMARY);
    assertThat(orders.count())
        .isEqualTo(ReadIntent.undeclared().named("RoutingInterceptorTest$Orders.count"));
    assertThat(contexts.get().intent()).isEqualTo(ReadIntent.undeclared());
  }

  @Test
  void whereTheContainerMakesSubclassesCallsToItselfHaveTheirOwnIntents() throws IOException {
    assertThat(orders().approve())
        .extracting(ReadIntent::kind)
        .containsExactly(ReadIntent.Kind.WRITE, ReadIntent.Kind.PRIMARY, ReadIntent.Kind.WRITE);
  }

  @Test
  void theOuterIntentIsBackAfterAnException() {
    Orders orders = orders();
    contexts.get().enter(ReadIntent.replica());

    assertThatThrownBy(orders::fail).isExactlyInstanceOf(IOException.class);
    assertThat(contexts.get().intent()).isSameAs(ReadIntent.replica());
  }

  static class Plain {
    public void run() {}
  }

  @Test
  void aClassThatDeclaresNothingIsNotIntercepted() {
    assertThat(interceptor.intercepts(Plain.class)).isFalse();
    assertThat(interceptor.intercepts(Orders.class)).isTrue();
  }

  static class Unreachable {
    @ReadReplica
    public final void listed() {}

    @Write
    private void hidden() {}

    @Write
    static void shared() {}
  }

  static final class Closed {
    @ReadReplica
    public void listed() {}
  }

  @Test
  void intentsWhereNoSubclassCanInterceptAreRefusedWhenTheContainerAsks() {
    new Unreachable().hidden();

    assertThatThrownBy(() -> interceptor.intercepts(Unreachable.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Leeway - cannot intercept " + Unreachable.class.getName() + ": ")
        .hasMessageContaining("Unreachable.listed is final")
        .hasMessageContaining("Unreachable.hidden is private")
        .hasMessageContaining("Unreachable.shared is static")
        .hasMessageEndingWith("(expected: methods that a subclass can override)");
    assertThatThrownBy(() -> interceptor.intercepts(Closed.class))
        .hasMessageContaining("Closed is final");
  }

  @Test
  void aContainerCanMakeTheInterceptor() {
    RoutingInterceptor made =
        Guice.createInjector(
                new AbstractModule() {
                  @Override
                  protected void configure() {
                    bind(IntentBoundary.class).toInstance(new ContextBoundary(contexts::get));
                  }
                })
            .getInstance(RoutingInterceptor.class);

    assertThat(made.intercepts(Orders.class)).isTrue();
  }

  interface Listing {
    @ReadReplica
    ReadIntent list();
  }

  @Test
  void aContainerThatProxiesInterfacesHandsInTheInterfacesMethod() throws Throwable {
    Method method = Listing.class.getMethod("list");
    Listing listing = () -> contexts.get().intent();

    Object seen = interceptor.around(method, listing, listing::list);

    assertThat(seen).asString().contains("REPLICA");
  }
}
