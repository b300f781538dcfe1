package dev.leeway.routing.connection;

import dev.leeway.annotation.Fallback;
import dev.leeway.gate.ClusterState;
import dev.leeway.gate.GtidSet;
import dev.leeway.gate.ServerState;
import dev.leeway.routing.IntentViolationException;
import dev.leeway.routing.NoEligibleReplicaException;
import dev.leeway.routing.OutcomeUnknownException;
import dev.leeway.routing.PrimaryBudgetExhaustedException;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.ReadOnlyServerException;
import dev.leeway.routing.Reason;
import dev.leeway.routing.context.CallContext;
import dev.leeway.routing.context.ScopeState;
import dev.leeway.routing.decide.ReadDemand;
import dev.leeway.routing.decide.Route;
import dev.leeway.routing.decide.Router;
import dev.leeway.statement.AnalyzedStatement;
import dev.leeway.statement.StatementKind;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What happens before a statement runs, after it ran, and when it failed.
 *
 * <p>Stateless but for the core it belongs to; all state is the connection's and the scope's.
 */
final class StatementRouting {
  /*
   * The life of a statement
   * -----------------------
   * route() decides, with what is in force at this moment: transaction, session, intent, scope. For a
   * read that no replica can take it goes through the fallbacks: wait for a replica, the primary within
   * its budget, a stale replica, an error. The connection then gets a physical connection, and the
   * statement runs. succeeded() keeps what was learned: the GTIDs of a write, that the primary was
   * seen, that a transaction was begun by text. failed() turns an error into one that says what it means
   * for the caller. Between them retry() may choose another server, once, for a read whose replica was
   * lost before it answered.
   *
   * What counts as having seen
   * --------------------------
   * A write whose GTID is known needs nothing else: whoever holds the GTID shows the write. Everything
   * else that ran on the primary may have shown data that no GTID of ours stands for: a read, a write
   * that changed nothing, a write that failed on a duplicate. From then on only a replica that is fresh
   * as of that moment may serve the same scope.
   */

  /** A pin can be taken by another thread while we decide; as often as this we decide again. */
  private static final int PIN_ATTEMPTS = 3;

  /** The time of a read in this many is measured, to tell slow replicas from quick ones. */
  private static final int MEASURE_ONE_IN = 16;

  private final RoutingCore core;
  private final boolean timed;

  StatementRouting(RoutingCore core) {
    this.core = core;
    this.timed = core.recorder().timesStatements();
  }

  /** The moment, if statements are timed. */
  long timeIfWanted() {
    return timed ? System.nanoTime() : 0;
  }

  /** Tells how long a statement took, if statements are timed. */
  void finished(CallContext context, Route route, long sentAtNanos, boolean failed) {
    if (timed) {
      core.recorder().finished(context.intent(), route, System.nanoTime() - sentAtNanos, failed);
    }
  }

  /** Decides where a statement goes, and tells everybody. */
  Route route(
      RoutedConnection connection,
      CallContext context,
      AnalyzedStatement statement,
      boolean updatable,
      int timeoutSeconds)
      throws SQLException {
    if (core.timesStatements()) {
      context.startedAt(System.nanoTime());
    }
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
        route = fallBack(connection, intent, demand, state, route, timeoutSeconds, excluded, now);
      }
      if (!route.toReplica()) {
        return recorded(context, intent, route, 0, statement);
      }
      ServerState server = state.server(route.server());
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

  // ---- fallbacks

  private Route fallBack(
      RoutedConnection connection,
      ReadIntent intent,
      ReadDemand demand,
      ClusterState state,
      Route toPrimary,
      int timeoutSeconds,
      int excluded,
      long now)
      throws SQLException {
    if (toPrimary.reason() == Reason.NO_REPLICA_REACHED_POSITION) {
      Route waited = waitForReplica(intent, demand, state, timeoutSeconds, excluded, now);
      if (waited != null) {
        return waited;
      }
    }
    if (intent.fallback() == Fallback.FAIL) {
      throw new NoEligibleReplicaException(
          core.name()
              + " - "
              + intent
              + " was not sent anywhere: "
              + toPrimary.reason().sentence()
              + " ("
              + core.describeReplicas(state, now)
              + "). Allow more staleness or catchUp, or another fallback than FAIL.",
          toPrimary.reason());
    }
    if (connection.acquirePermit(now)) {
      return excluded == Router.NOBODY
          ? toPrimary
          : core.routes().of(toPrimary.server(), Reason.RETRIED_ON_PRIMARY);
    }
    if (intent.fallback() == Fallback.STALE) {
      int stale = core.router().leastStale(demand, state, excluded);
      if (stale >= 0) {
        return core.routes().of(stale, Reason.SERVED_STALE);
      }
    }
    core.recorder().budgetExhausted(intent);
    throw new PrimaryBudgetExhaustedException(
        core.name()
            + " - "
            + intent
            + " was not sent anywhere: "
            + toPrimary.reason().sentence()
            + " ("
            + core.describeReplicas(state, now)
            + "), and the budget for the primary is used up: "
            + core.budget()
            + ". Retry later, raise the budget, or allow the fallback STALE.",
        toPrimary.reason());
  }

  private @Nullable Route waitForReplica(
      ReadIntent intent,
      ReadDemand demand,
      ClusterState state,
      int timeoutSeconds,
      int excluded,
      long now) {
    long patience =
        intent.catchUpNanos() == ReadIntent.CONFIGURED
            ? core.catchUpNanos()
            : intent.catchUpNanos();
    if (timeoutSeconds > 0) {
      patience = Math.min(patience, TimeUnit.SECONDS.toNanos(timeoutSeconds));
    }
    if (patience <= 0) {
      return null;
    }
    long behindAtMost = patience + core.measureSlackNanos();
    int candidate =
        core.router()
            .worthWaitingFor(
                intent,
                demand,
                state,
                excluded,
                behindAtMost < 0 ? Long.MAX_VALUE : behindAtMost,
                now);
    if (candidate < 0) {
      return null;
    }
    boolean reached = core.catchUp().awaitOn(candidate, demand.written(), patience);
    long after = System.nanoTime();
    core.recorder().waited(after - now, reached);
    if (!reached) {
      return null;
    }
    // What was true before the wait may have ended during it.
    ClusterState newer = core.state();
    ServerState server = newer.server(candidate);
    if (candidate == newer.primaryIndex()
        || !server.mayServe()
        || server.generation() != state.server(candidate).generation()
        || server.stalenessNanos(after) > intent.maxStalenessNanos()) {
      return null;
    }
    return core.routes()
        .of(
            candidate,
            candidate == demand.pinnedServer() ? Reason.PINNED_REPLICA : Reason.REPLICA_CAUGHT_UP);
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

  // ---- after the statement

  /** Keeps what a statement that ran has shown. */
  void succeeded(
      RoutedConnection connection, CallContext context, Route route, AnalyzedStatement statement)
      throws SQLException {
    if (route.toReplica()) {
      ScopeState scope = context.scope();
      long decidedAt = context.decidedAtNanos();
      if (scope != null || (decidedAt & (MEASURE_ONE_IN - 1)) == 0) {
        long now = System.nanoTime();
        core.pools(route.server()).load().took(now - decidedAt);
        if (scope != null) {
          scope.served(route.server(), now);
        }
      }
      connection.replicaServed();
      Transaction transaction = connection.transaction();
      if (transaction != null && statement.kind() == StatementKind.TRANSACTION_END) {
        connection.end();
      }
      return;
    }
    succeededOnPrimary(connection, context, route, statement);
  }

  private void succeededOnPrimary(
      RoutedConnection connection, CallContext context, Route route, AnalyzedStatement statement)
      throws SQLException {
    connection.releasePermitAfterRead();
    PrimaryHold hold = connection.primary();
    if (hold == null) {
      return;
    }
    StatementKind kind = statement.kind();
    GtidSet gtids = hold.session().takeGtids();
    long now = System.nanoTime();
    Transaction transaction = connection.transaction();
    if (gtids != null) {
      wrote(connection, context, transaction, gtids, now);
    }
    if (transaction != null && transaction.kind() != Transaction.Kind.ANNOUNCED) {
      noteInTransaction(connection, context, transaction, statement, gtids, now);
    } else {
      noteAlone(connection, context, route, kind, gtids, now);
    }
    if (kind != StatementKind.PLAIN_READ) {
      followSession(connection, hold, context, kind);
    }
  }

  private void noteInTransaction(
      RoutedConnection connection,
      CallContext context,
      Transaction transaction,
      AnalyzedStatement statement,
      @Nullable GtidSet gtids,
      long now) {
    StatementKind kind = statement.kind();
    if (kind.mayWrite()) {
      transaction.ranAWrite();
    }
    if (showsData(kind)) {
      transaction.showedData();
    }
    if (kind.endsTransaction()) {
      ended(connection, context, transaction, gtids != null, isRollback(statement), now);
      transaction.beginsAnew();
    }
  }

  /** Where this is not sure, the end counts as a commit, of which less may be assumed. */
  private static boolean isRollback(AnalyzedStatement statement) {
    return statement.kind() == StatementKind.TRANSACTION_END
        && statement.sql().stripLeading().regionMatches(true, 0, "ROLLBACK", 0, 8);
  }

  private void noteAlone(
      RoutedConnection connection,
      CallContext context,
      Route route,
      StatementKind kind,
      @Nullable GtidSet gtids,
      long now) {
    ScopeState scope = context.scope();
    if (gtids == null && kind.mayWrite()) {
      wroteUnknown(connection, context, null, now);
    }
    if (showsData(kind) && route.reason() != Reason.SHADOW) {
      connection.sawPrimary(now);
      if (scope != null) {
        scope.sawPrimary(now);
      }
    }
  }

  /** A plain write shows no more than its own effect, which its GTID stands for. */
  private static boolean showsData(StatementKind kind) {
    return switch (kind) {
      case WRITE,
          COMMITTING_WRITE,
          SESSION_SETTING,
          AUTOCOMMIT_OFF,
          AUTOCOMMIT_ON,
          TRANSACTION_START,
          TRANSACTION_START_READ_ONLY,
          TRANSACTION_END,
          TRANSACTION_CHAIN,
          WITHIN_TRANSACTION ->
          false;
      default -> true;
    };
  }

  /** The server's own flags tell whether a transaction is open, however the text spelled it. */
  private void followSession(
      RoutedConnection connection, PrimaryHold hold, CallContext context, StatementKind kind) {
    boolean open = hold.session().inTransaction();
    Transaction transaction = connection.transaction();
    if (transaction == null) {
      if (connection.autoCommit() && (open || hold.session().autocommitOff())) {
        transaction = connection.begin(Transaction.Kind.BY_TEXT, context, null);
        transaction.count(open);
      }
    } else if (transaction.kind() == Transaction.Kind.BY_TEXT) {
      if (!open && !hold.session().autocommitOff()) {
        connection.end();
      } else {
        transaction.count(open);
      }
    }
    if (kind == StatementKind.CALL) {
      // The routine may have left a temporary table or a variable that the next statement names.
      connection.sessionState();
    } else if (kind.leavesSessionState()
        && kind != StatementKind.AUTOCOMMIT_OFF
        && kind != StatementKind.AUTOCOMMIT_ON) {
      connection.sessionState();
      hold.makeDirty();
    }
  }

  /** A commit was answered, by whatever means it was asked for. */
  void committed(RoutedConnection connection, CallContext context, Transaction transaction) {
    PrimaryHold hold = connection.primary();
    if (hold == null || transaction.onReplica()) {
      return;
    }
    GtidSet gtids = hold.session().takeGtids();
    long now = System.nanoTime();
    if (gtids != null) {
      wrote(connection, context, transaction, gtids, now);
    }
    ended(connection, context, transaction, gtids != null, false, now);
  }

  /** A transaction was rolled back: nothing was written, but what it read has been seen. */
  void rolledBack(RoutedConnection connection, CallContext context, Transaction transaction) {
    if (!transaction.onReplica() && transaction.kind() != Transaction.Kind.ANNOUNCED) {
      ended(connection, context, transaction, false, true, System.nanoTime());
    }
  }

  private void ended(
      RoutedConnection connection,
      CallContext context,
      Transaction transaction,
      boolean gtidsCame,
      boolean rolledBack,
      long now) {
    if (!gtidsCame && transaction.wrote() && !rolledBack) {
      wroteUnknown(connection, context, transaction, now);
    }
    if (transaction.sawData() || (rolledBack && transaction.wrote())) {
      connection.sawPrimary(now);
      seen(context.scope(), now);
      seen(transaction.scope(), now);
    }
  }

  private static void seen(@Nullable ScopeState scope, long now) {
    if (scope != null) {
      scope.sawPrimary(now);
    }
  }

  private void wrote(
      RoutedConnection connection,
      CallContext context,
      @Nullable Transaction transaction,
      GtidSet gtids,
      long now) {
    ScopeState scope = context.scope();
    ScopeState begun = transaction == null ? null : transaction.scope();
    if (scope == null && begun == null) {
      core.ambient().wrote(gtids, now);
      core.recorder().unscopedWrite(context.intent());
      return;
    }
    // The connection may outlive the scope, and must not forget what was written on it.
    connection.sawPrimary(now);
    if (scope != null) {
      scope.wrote(gtids, now);
    }
    if (begun != null && begun != scope) {
      begun.wrote(gtids, now);
    }
  }

  private void wroteUnknown(
      RoutedConnection connection,
      CallContext context,
      @Nullable Transaction transaction,
      long now) {
    ScopeState scope = context.scope();
    ScopeState begun = transaction == null ? null : transaction.scope();
    connection.sawPrimary(now);
    if (scope == null && begun == null) {
      core.ambient().wroteUnknown(now);
      core.recorder().unscopedWrite(context.intent());
      return;
    }
    if (scope != null) {
      scope.wroteUnknown(now);
    }
    if (begun != null && begun != scope) {
      begun.wroteUnknown(now);
    }
  }

  /** Tells how long a statement took, if anybody wants to know. */
  void finished(CallContext context, Route route, boolean failed) {
    if (core.timesStatements()) {
      long nanos = System.nanoTime() - context.startedAtNanos();
      core.recorder().finished(context.intent(), route, nanos, failed);
    }
  }

  // ---- failures

  /** Whether a failed statement may be run again on another server. */
  boolean mayRetry(
      RoutedConnection connection, Route route, AnalyzedStatement statement, SQLException failure) {
    return route.toReplica()
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
    lostReplica(connection, context, lost);
    Route second = routeAlone(connection, context, statement, false, timeoutSeconds, lost.server());
    core.recorder().retried(lost, second);
    return second;
  }

  private void lostReplica(RoutedConnection connection, CallContext context, Route lost) {
    connection.replicaFailed();
    ScopeState scope = context.scope();
    if (scope != null) {
      scope.lostPin(lost.server());
    }
    core.pollNow(lost.server());
  }

  /** Keeps what a failed statement means, and says it. */
  SQLException failed(
      RoutedConnection connection,
      CallContext context,
      Route route,
      AnalyzedStatement statement,
      SQLException failure) {
    if (route.toReplica()) {
      if (Failures.isConnectionFailure(failure)) {
        lostReplica(connection, context, route);
        connection.abandon();
      }
      return failure;
    }
    connection.releasePermitAfterRead();
    StatementKind kind = statement.kind();
    PrimaryHold hold = connection.primary();
    if (hold == null) {
      // It was never sent.
      return failure;
    }
    Transaction transaction = connection.transaction();
    boolean alone = transaction == null || transaction.kind() == Transaction.Kind.ANNOUNCED;
    boolean ends = kind.endsTransaction();
    if (Failures.isReadOnlyServer(failure) && !connection.readOnly()) {
      return readOnlyServer(connection, hold, failure);
    }
    long now = System.nanoTime();
    if (transaction != null) {
      transaction.showedData();
    }
    boolean lost = Failures.isConnectionFailure(failure);
    if (kind.mayWrite() && (alone || ends)) {
      GtidSet gtids = hold.session().takeGtids();
      if (gtids != null) {
        wrote(connection, context, transaction, gtids, now);
      }
      // Some of it may have been committed, or a duplicate was met that others wrote.
      wroteUnknown(connection, context, transaction, now);
    }
    if (!lost) {
      return failure;
    }
    hold.evict();
    connection.abandon();
    if (alone) {
      return kind.mayWrite() ? outcomeUnknown(hold, "the statement", failure) : failure;
    }
    boolean commitSent = ends && transaction != null && (transaction.wrote() || kind.mayWrite());
    if (!commitSent) {
      // What was written before is rolled back with the connection.
      return failure;
    }
    wroteUnknown(connection, context, transaction, now);
    return outcomeUnknown(hold, "the statement", failure);
  }

  /** A commit failed: says whether it may have been carried out. */
  SQLException commitFailed(
      RoutedConnection connection,
      CallContext context,
      Transaction transaction,
      SQLException failure) {
    PrimaryHold hold = connection.primary();
    if (hold == null || transaction.onReplica()) {
      return failure;
    }
    if (Failures.isReadOnlyServer(failure)) {
      return readOnlyServer(connection, hold, failure);
    }
    if (!Failures.isConnectionFailure(failure)) {
      return failure;
    }
    hold.evict();
    if (!transaction.wrote()) {
      return failure;
    }
    wroteUnknown(connection, context, transaction, System.nanoTime());
    return outcomeUnknown(hold, "the commit", failure);
  }

  private OutcomeUnknownException outcomeUnknown(
      PrimaryHold hold, String what, SQLException failure) {
    return new OutcomeUnknownException(
        core.name()
            + " - the connection to "
            + hold.serverName()
            + " broke after "
            + what
            + " was sent and before its answer came, so its outcome is unknown: it may have been carried"
            + " out. It was not repeated. Read the primary to find out. ("
            + failure.getMessage()
            + ")",
        failure);
  }

  private ReadOnlyServerException readOnlyServer(
      RoutedConnection connection, PrimaryHold hold, SQLException failure) {
    // Every connection of the pool leads to the same server, so each would fail once as well.
    hold.evictAll();
    core.recorder().connectionRefused(hold.serverName(), "read-only");
    core.pollNow(hold.server());
    connection.abandon();
    return new ReadOnlyServerException(
        core.name()
            + " - server "
            + hold.serverName()
            + " refused to write because it is read-only: it is not the primary any more, or not yet."
            + " Nothing was written, and its connections are being replaced. Retry the whole unit of"
            + " work. ("
            + failure.getMessage()
            + ")",
        failure);
  }
}
