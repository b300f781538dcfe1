package dev.leeway.routing.observe;

import dev.leeway.routing.LostUpdate;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.context.CallContext;
import dev.leeway.routing.context.DecisionRecorder;
import dev.leeway.routing.decide.Route;
import dev.leeway.statement.AnalyzedStatement;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes on what the core decides: to the meters if there are any, to the lost-update guard, and to
 * the log {@value #DECISIONS} at level DEBUG, one line per decision.
 */
public final class Observer implements DecisionRecorder, AutoCloseable {
  /** The logger of decisions; apart from the classes' own, so that it can be turned on alone. */
  public static final String DECISIONS = "dev.leeway.routing.decisions";

  private static final Logger decisions = LoggerFactory.getLogger(DECISIONS);
  private static final Logger log = LoggerFactory.getLogger(Observer.class);

  private final String cluster;
  private final @Nullable LeewayMetrics metrics;
  private final boolean timed;
  private final LostUpdateGuard lostUpdates;

  /**
   * An observer for one Leeway.
   *
   * @param metrics where to count; closed with this
   * @param timed whether statements are to be timed, which costs two readings of the clock each
   */
  public Observer(String cluster, @Nullable LeewayMetrics metrics, boolean timed) {
    this.cluster = cluster;
    this.metrics = metrics;
    this.timed = timed && metrics != null;
    this.lostUpdates = new LostUpdateGuard(cluster, this::count);
  }

  private void count(LostUpdate found) {
    if (metrics != null) {
      metrics.lostUpdate(found);
    }
  }

  /** What {@link LostUpdateGuard#found} says. */
  public List<LostUpdate> lostUpdates() {
    return lostUpdates.found();
  }

  @Override
  public void decided(
      CallContext context,
      ReadIntent intent,
      Route route,
      long stalenessNanos,
      @Nullable AnalyzedStatement statement) {
    if (metrics != null) {
      metrics.decided(context, intent, route, stalenessNanos);
    }
    if (statement != null) {
      lostUpdates.onStatement(context.scope(), intent, route, statement);
    }
    if (decisions.isDebugEnabled()) {
      log(intent, route, stalenessNanos);
    }
  }

  @Override
  public void decided(CallContext context, ReadIntent intent, Route route, long stalenessNanos) {
    decided(context, intent, route, stalenessNanos, null);
  }

  private void log(ReadIntent intent, Route route, long stalenessNanos) {
    decisions.debug(
        "{} - {} -> {} ({}: {}), staleness {}",
        cluster,
        intent.label(),
        route.serverName(),
        route.reason(),
        route.reason().sentence(),
        stalenessNanos == Long.MAX_VALUE ? "unknown" : stalenessNanos / 1_000_000 + " ms");
  }

  @Override
  public boolean timesStatements() {
    return timed;
  }

  @Override
  public void finished(ReadIntent intent, Route route, long nanos, boolean failed) {
    if (metrics != null) {
      metrics.finished(intent, route, nanos, failed);
    }
  }

  @Override
  public void shadowed(ReadIntent intent, Route route) {
    if (metrics != null) {
      metrics.shadowed(intent, route);
    }
  }

  @Override
  public void waited(long nanos, boolean reached) {
    if (metrics != null) {
      metrics.waited(nanos, reached);
    }
  }

  @Override
  public void budgetExhausted(ReadIntent intent) {
    if (metrics != null) {
      metrics.fallbackRejected(intent);
    }
  }

  @Override
  public void scopeLeaked(String openedAt) {
    if (metrics != null) {
      metrics.scopeLeaked();
    }
  }

  @Override
  public void tokenRefused(String verdict) {
    if (metrics != null) {
      metrics.tokenRefused(verdict);
    }
  }

  @Override
  public void retried(Route from, Route to) {
    if (metrics != null) {
      metrics.retried(from, to);
    }
    log.debug("{} - read repeated on {} after {} failed", cluster, to.serverName(), from);
  }

  @Override
  public void unscopedWrite(ReadIntent intent) {
    if (metrics != null) {
      metrics.unscopedWrite();
    }
  }

  @Override
  public void connectionRefused(String server, String why) {
    if (metrics != null) {
      metrics.connectionRefused(server, why);
    }
  }

  @Override
  public void close() {
    if (metrics != null) {
      metrics.close();
    }
  }
}
