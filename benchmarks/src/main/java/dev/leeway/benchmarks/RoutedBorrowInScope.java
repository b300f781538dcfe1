package dev.leeway.benchmarks;

import dev.leeway.routing.context.ScopeState;

/** The same again in a request that has written, so that the position is compared at each read. */
public final class RoutedBorrowInScope extends RoutedBorrow {
  /** Opens the pools and attaches the scope. */
  public RoutedBorrowInScope() {
    ScopeState scope = new ScopeState(0, null);
    scope.wrote(Cluster.WRITTEN, System.nanoTime());
    core().contexts().current().attach(scope);
  }
}
