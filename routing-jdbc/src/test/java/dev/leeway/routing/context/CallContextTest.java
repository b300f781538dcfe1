package dev.leeway.routing.context;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CallContextTest {
  private final CallContext here = new CallContext();
  private final CallContext there = new CallContext();
  private final ScopeState scope = new ScopeState(0, null);

  @Test
  void aScopeThatWasOpenedHereAndClosedElsewhereIsNoMoreInForce() {
    scope.openedIn(here);
    here.attach(scope);
    assertThat(here.scope()).isSameAs(scope);

    scope.close();

    assertThat(here.scope()).isNull();
  }

  @Test
  void aScopeThatWasHandedOverStaysInForceAfterItWasClosed() {
    scope.openedIn(here);
    there.attach(scope);
    scope.close();

    assertThat(there.scope()).isSameAs(scope);
    assertThat(there.attach(null)).isSameAs(scope);
    assertThat(there.scope()).isNull();
  }
}
