package dev.leeway.benchmarks;

import dev.leeway.routing.Leeway;
import dev.leeway.routing.PoolSettings;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.context.CallContext;
import java.time.Duration;
import org.jdbi.v3.core.Jdbi;

/** Leeway under a replica intent, with its monitor and its heartbeat running. */
public final class RoutedPointSelect extends PointSelect {
  private final Leeway leeway;
  private final Jdbi jdbi;

  /** Starts Leeway. */
  public RoutedPointSelect() throws Exception {
    leeway =
        Leeway.builder("benchmark")
            .primary("primary", told("primary.url"), told("user"), told("password"))
            .replica("replica-1", told("replica.url"), told("user"), told("password"))
            .pools(PoolSettings.defaults().maximum(4, 4))
            .requireReplicas(true)
            .start();
    jdbi = Jdbi.create(leeway.dataSource());
    CallContext context = leeway.contexts().current();
    context.enter(ReadIntent.replica().maxStaleness(Duration.ofSeconds(5)));
  }

  @Override
  Jdbi jdbi() {
    return jdbi;
  }

  @Override
  public void close() {
    leeway.close();
  }
}
