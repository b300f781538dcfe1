package dev.leeway.samples.shop;

import dev.leeway.routing.Leeway;
import dev.leeway.routing.RequestScope;
import java.util.function.Function;

/**
 * Every request and every job is a scope: it begins at its caller's position and hands on its own.
 */
final class LeewayRequests implements Requests {
  private final Leeway leeway;

  LeewayRequests(Leeway leeway) {
    this.leeway = leeway;
  }

  @Override
  public <T> T handle(Visitor visitor, Function<Request, T> work) {
    try (RequestScope scope = leeway.openScope(visitor.token())) {
      try {
        return work.apply(scope::toToken);
      } finally {
        // Also when the work failed: it may have written before it did.
        visitor.remember(scope.toToken());
      }
    }
  }
}
