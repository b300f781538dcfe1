package dev.leeway.routing.connection;

import dev.leeway.gate.ClusterState;
import dev.leeway.gate.ServerState;
import dev.leeway.routing.IntentViolationException;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.Reason;
import dev.leeway.routing.context.CallContext;
import dev.leeway.routing.context.ScopeState;
import dev.leeway.routing.decide.ReadDemand;
import dev.leeway.routing.decide.Route;
import dev.leeway.routing.decide.Router;
import dev.leeway.statement.AnalyzedStatement;
import dev.leeway.statement.StatementKind;
import java.sql.SQLException;

/**
 * Decides where a statement goes, with all that is in force when it runs.
 *
 * <p>Stateless but for the core it belongs to; all state is the connection's and the scope's.
 */
final class StatementRouting {
  /*
   * The life of a statement
   * -----------------------
   * route() decides, with what is in force at this moment: transaction, session, intent, scope. For a
   * read that no replica can take, Fallbacks finds another way. The connection then gets a physical
   * connection, and the statement runs. Outcomes keeps what was learned by it, or turns its error into
   * one that says what it means for the caller. Between the two, retry() may choose another server, once,
   * for a read whose replica was lost before it answered.
   */

  /** A pin can be taken by another thread while we decide; as often as this we decide again. */
  private static final int PIN_ATTEMPTS = 3;

  private final RoutingCore core;
  private final Fallbacks fallbacks;
  private final Outcomes outcomes;

  StatementRouting(RoutingCore core, Outcomes outcomes) {
    this.core = core;
    this.fallbacks = new Fallbacks(core);
    this.outcomes = outcomes;
  }

  /** Decides where a statement goes, and tells everybody. */
  Route route(
      RoutedConnection connection,
      CallContext context,
      AnalyzedStatement statement,
      boolean updatable,
      int timeoutSeconds)
      throws SQLException {
    if (connection.isOrdinary()) {
      return routeAlone(connection, context, statement, updatable, timeoutSeconds, Router.NOBODY);
    }
    if (connection.transaction() != null || !connection.autoCommit()) {
      return routeInTransaction(connection, context, statement, updatable, timeoutSeconds);
    }
    return onPrimary(connection, context, Reason.SESSION_STATE, statement);
  }

  // ---- outside transactions

  private Route routeAlone(
      RoutedConnection connection,
      CallContext context,
      AnalyzedStatement statement,
      boolean updatable,
      int timeoutSeconds,
      int excluded)
      throws SQLException {
    ReadIntent intent = context.intent();
    StatementKind kind = statement.kind();
    boolean plainRead = kind == StatementKind.PLAIN_READ && !updatable;
    if (intent.kind() == ReadIntent.Kind.REPLICA) {
      if (kind == StatementKind.TRANSACTION_START_READ_ONLY && !core.isShadow()) {
        Route route =
            decide(connection, context, intent, statement, true, timeoutSeconds, excluded);
        if (route.toReplica()) {
          connection.begin(Transaction.Kind.READ_ONLY_BY_TEXT, context, route);
        }
        return route;
      }
      if (!plainRead && core.strictGuard() && !isTransactionControl(kind)) {
        throw new IntentViolationException(
            core.name()
                + " - "
                + intent
                + " ran something else than a plain read ("
                + statement.reason()
                + "), and it was not sent. Declare what the method does, or allow such statements to go"
                + " to the primary by leaving strictGuard off.");
      }
    }
    if (connection.readOnly() && isPlainWrite(kind)) {
      throw new IntentViolationException(
          core.name()
              + " - a write ("
              + statement.reason()
              + ") on a connection that was set read-only, and it was not sent. Call"
              + " setReadOnly(false) first.");
    }
    return decide(connection, context, intent, statement, plainRead, timeoutSeconds, excluded);
  }

  private static boolean isTransactionControl(StatementKind kind) {
    return switch (kind) {
      case TRANSACTION_START,
          TRANSACTION_START_READ_ONLY,
          TRANSACTION_END,
          TRANSACTION_CHAIN,
          WITHIN_TRANSACTION,
          AUTOCOMMIT_OFF,
          AUTOCOMMIT_ON ->
          true;
      default -> false;
    };
  }

  private Route decide(
      RoutedConnection connection,
      CallContext context,
      ReadIntent intent,
      AnalyzedStatement statement,
      boolean plainRead,
      int timeoutSeconds,
      int excluded)
      throws SQLException {
    ScopeState scope = context.scope();
    ReadDemand demand = scope != null ? scope : connection;
    for (int attempt = 1; ; attempt++) {
      ClusterState state = core.state();
      long now = System.nanoTime();
      context.decidedAt(now);
      int pinned = demand.pinnedServer();
      Route route = core.router().decide(intent, plainRead, demand, state, excluded, now);
      if (core.isShadow() && intent.kind() == ReadIntent.Kind.REPLICA && plainRead) {
        core.recorder().shadowed(intent, route);
        return onPrimary(connection, context, Reason.SHADOW, statement);
      }
      if (route.reason().isFallback()) {
        route =
            fallbacks.instead(
                connection, intent, demand, state, route, timeoutSeconds, excluded, now);
      }
      if (!route.toReplica()) {
        return recorded(context, intent, route, 0, statement);
      }
      ServerState server = state.server(route.server());
      context.decidedAbout(server.serverUuid());
      if (scope == null
          || scope.pin(route.server(), server.generation(), pinned)
          || attempt == PIN_ATTEMPTS) {
        if (excluded != Router.NOBODY) {
          route = core.routes().of(route.server(), Reason.RETRIED_ON_REPLICA);
        }
        return recorded(context, intent, route, server.stalenessNanos(now), statement);
      }
      // Another thread of this scope was quicker; with its pin the answer may be another one.
    }
  }

  private Route recorded(
      CallContext context,
      ReadIntent intent,
      Route route,
      long stalenessNanos,
      AnalyzedStatement statement) {
    context.decided(route, stalenessNanos);
    core.recorder().decided(context, intent, route, stalenessNanos, statement);
    return route;
  }

  private Route onPrimary(
      RoutedConnection connection,
      CallContext context,
      Reason reason,
      AnalyzedStatement statement) {
    Route route = core.routes().of(connection.primaryIndex(), reason);
    return recorded(context, context.intent(), route, 0, statement);
  }

  // ---- inside transactions

  private Route routeInTransaction(
      RoutedConnection connection,
      CallContext context,
      AnalyzedStatement statement,
      boolean updatable,
      int timeoutSeconds)
      throws SQLException {
    Transaction transaction = connection.transaction();
    if (transaction == null) {
      transaction = connection.begin(Transaction.Kind.ANNOUNCED, context, null);
    }
    return switch (transaction.kind()) {
      case ANNOUNCED ->
          firstInTransaction(
              connection, transaction, context, statement, updatable, timeoutSeconds);
      case READ_WRITE, BY_TEXT -> onPrimary(connection, context, Reason.IN_TRANSACTION, statement);
      case READ_ONLY, READ_ONLY_BY_TEXT ->
          inReadOnlyTransaction(connection, transaction, context, statement, updatable);
    };
  }

  private Route firstInTransaction(
      RoutedConnection connection,
      Transaction transaction,
      CallContext context,
      AnalyzedStatement statement,
      boolean updatable,
      int timeoutSeconds)
      throws SQLException {
    if (!connection.readOnly()) {
      Route route = onPrimary(connection, context, Reason.IN_TRANSACTION, statement);
      transaction.becomes(Transaction.Kind.READ_WRITE, route, 0);
      return route;
    }
    ReadIntent intent = context.intent();
    boolean plainRead = statement.kind() == StatementKind.PLAIN_READ && !updatable;
    if (isPlainWrite(statement.kind())) {
      throw readOnlyTransaction(statement);
    }
    Route route =
        decide(connection, context, intent, statement, plainRead, timeoutSeconds, Router.NOBODY);
    transaction.becomes(Transaction.Kind.READ_ONLY, route, context.lastStalenessNanos());
    return route;
  }

  private Route inReadOnlyTransaction(
      RoutedConnection connection,
      Transaction transaction,
      CallContext context,
      AnalyzedStatement statement,
      boolean updatable)
      throws SQLException {
    Route route = transaction.route();
    StatementKind kind = statement.kind();
    if (route == null || !route.toReplica()) {
      if (isPlainWrite(kind)) {
        throw readOnlyTransaction(statement);
      }
      return onPrimary(connection, context, Reason.IN_TRANSACTION, statement);
    }
    boolean ends = kind == StatementKind.TRANSACTION_END;
    if (!ends && (kind != StatementKind.PLAIN_READ || updatable)) {
      throw new IntentViolationException(
          core.name()
              + " - something else than a plain read ("
              + statement.reason()
              + ") in a read-only transaction that lives on replica "
              + route.serverName()
              + ", and it was not sent. End the transaction first, or begin one that may write.");
    }
    ReadIntent intent = context.intent();
    if (!ends
        && (intent.kind() == ReadIntent.Kind.PRIMARY || intent.kind() == ReadIntent.Kind.WRITE)) {
      throw new IntentViolationException(
          core.name()
              + " - "
              + intent
              + " was called in a read-only transaction that lives on replica "
              + route.serverName()
              + ", and it was not sent. A transaction never spans two servers: end it first, or begin"
              + " one that may write.");
    }
    return recorded(context, intent, route, transaction.stalenessNanos(), statement);
  }

  private static boolean isPlainWrite(StatementKind kind) {
    return kind == StatementKind.WRITE || kind == StatementKind.COMMITTING_WRITE;
  }

  private IntentViolationException readOnlyTransaction(AnalyzedStatement statement) {
    return new IntentViolationException(
        core.name()
            + " - a write ("
            + statement.reason()
            + ") in a read-only transaction, and it was not sent. Begin a transaction that may write.");
  }

  // ---- once more

  /** Whether a failed statement may be run again on another server. */
  boolean mayRetry(
      RoutedConnection connection, Route route, AnalyzedStatement statement, SQLException failure) {
    return route.toReplica()
        && !connection.isClosed()
        && connection.transaction() == null
        && statement.mayBeRunAgain()
        && Failures.isConnectionFailure(failure);
  }

  /** Gives the lost replica up and decides anew without it. */
  Route retry(
      RoutedConnection connection,
      CallContext context,
      AnalyzedStatement statement,
      Route lost,
      int timeoutSeconds)
      throws SQLException {
    outcomes.lostReplica(connection, context, lost.server());
    Route second = routeAlone(connection, context, statement, false, timeoutSeconds, lost.server());
    core.recorder().retried(lost, second);
    return second;
  }
}
