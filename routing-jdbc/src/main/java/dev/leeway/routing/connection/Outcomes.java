package dev.leeway.routing.connection;

import dev.leeway.gate.EntityKey;
import dev.leeway.gate.GtidSet;
import dev.leeway.routing.OutcomeUnknownException;
import dev.leeway.routing.ReadOnlyServerException;
import dev.leeway.routing.Reason;
import dev.leeway.routing.context.CallContext;
import dev.leeway.routing.context.ScopeState;
import dev.leeway.routing.decide.Route;
import dev.leeway.statement.AnalyzedStatement;
import dev.leeway.statement.StatementKind;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what a statement or a commit has shown, and says what its failure means.
 *
 * <p>Stateless but for the core it belongs to; all state is the connection's and the scope's.
 */
final class Outcomes {
  /*
   * What counts as having seen
   * --------------------------
   * A write whose GTID is known needs nothing else: whoever holds the GTID shows the write. Everything
   * else that ran on the primary may have shown data that no GTID of ours stands for: a read, a write
   * that changed nothing, a write that failed on a duplicate. From then on only a replica that is fresh
   * as of that moment may serve the same scope.
   */

  /** The time of a read in this many is measured, to tell slow replicas from quick ones. */
  private static final int MEASURE_ONE_IN = 16;

  private static final String OUTCOME_UNKNOWN = "whether it was committed is not known";

  private final RoutingCore core;

  Outcomes(RoutingCore core) {
    this.core = core;
  }

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
        Runnable due = isRollback(statement) ? null : transaction.due();
        connection.end();
        run(due);
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
      wrote(connection, context, transaction, gtids, concerned(context, transaction, kind), now);
    }
    Runnable due = null;
    if (transaction != null && transaction.kind() != Transaction.Kind.ANNOUNCED) {
      due = noteInTransaction(connection, context, transaction, statement, gtids, now);
    } else {
      noteAlone(connection, context, route, kind, gtids, now);
    }
    if (kind != StatementKind.PLAIN_READ) {
      if (kind == StatementKind.AUTOCOMMIT_ON
          && transaction != null
          && !hold.session().inTransaction()) {
        due = transaction.due();
      }
      followSession(connection, hold, context, kind);
    }
    run(due);
  }

  /** What was to be done after a commit, once nothing else is left to be noted about it. */
  private static void run(@Nullable Runnable due) {
    if (due != null) {
      due.run();
    }
  }

  /** The entities that a commit concerns; empty if it may be anything. */
  private static List<EntityKey> concerned(
      CallContext context, @Nullable Transaction transaction, StatementKind kind) {
    if (transaction == null || transaction.kind() == Transaction.Kind.ANNOUNCED) {
      EntityKey entity = context.intent().entity();
      return entity == null ? List.of() : List.of(entity);
    }
    // A transaction begun by text may have written in the same text; a statement that commits by
    // itself has not been noted yet.
    return transaction.kind() == Transaction.Kind.BY_TEXT || kind.mayWrite()
        ? List.of()
        : transaction.concerned().keys();
  }

  private @Nullable Runnable noteInTransaction(
      RoutedConnection connection,
      CallContext context,
      Transaction transaction,
      AnalyzedStatement statement,
      @Nullable GtidSet gtids,
      long now) {
    StatementKind kind = statement.kind();
    if (kind.mayWrite()) {
      transaction.ranAWrite(context.intent().entity());
    }
    if (showsData(kind)) {
      transaction.showedData();
    }
    Runnable due = null;
    if (kind.endsTransaction()) {
      boolean rolledBack = isRollback(statement);
      ended(connection, context, transaction, gtids != null, rolledBack, now);
      if (rolledBack) {
        transaction.drop("it was rolled back");
      } else {
        due = transaction.due();
      }
      transaction.beginsAnew();
    } else if (kind == StatementKind.WITHIN_TRANSACTION) {
      transaction.ranWithin(statement.sql());
    }
    return due;
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
      List<EntityKey> concerned =
          transaction.kind() == Transaction.Kind.BY_TEXT
              ? List.of()
              : transaction.concerned().keys();
      wrote(connection, context, transaction, gtids, concerned, now);
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
      List<EntityKey> concerned,
      long now) {
    context.wrote(gtids);
    ScopeState scope = context.scope();
    ScopeState begun = null;
    if (transaction != null) {
      begun = transaction.scope();
      transaction.committedAs(gtids);
    }
    if (scope == null && begun == null) {
      core.ambient().wrote(gtids, now);
      core.recorder().unscopedWrite(context.intent());
      return;
    }
    // The connection may outlive the scope, and must not forget what was written on it.
    connection.sawPrimary(now);
    if (scope != null) {
      scope.wrote(gtids, now, concerned);
    }
    if (begun != null && begun != scope) {
      begun.wrote(gtids, now, concerned);
    }
  }

  private void wroteUnknown(
      RoutedConnection connection,
      CallContext context,
      @Nullable Transaction transaction,
      long now) {
    context.wrote(GtidSet.EMPTY);
    ScopeState scope = context.scope();
    ScopeState begun = null;
    if (transaction != null) {
      begun = transaction.scope();
      transaction.committedUnknown();
    }
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

  /** The moment, if statements are timed. */
  long timeIfWanted() {
    return core.timesStatements() ? System.nanoTime() : 0;
  }

  /** Tells how long a statement took, if anybody wants to know. */
  void finished(CallContext context, Route route, long sentAtNanos, boolean failed) {
    if (core.timesStatements()) {
      core.recorder().finished(context.intent(), route, System.nanoTime() - sentAtNanos, failed);
    }
  }

  // ---- failures

  /** Keeps what a failed statement means, and says it. */
  SQLException failed(
      RoutedConnection connection,
      CallContext context,
      Route route,
      AnalyzedStatement statement,
      SQLException failure) {
    if (route.toReplica()) {
      if (Failures.isConnectionFailure(failure)) {
        lostReplica(connection, context, route.server());
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
      if (Failures.isRollbackByServer(failure)) {
        transaction.drop("the server rolled it back: " + failure.getMessage());
      }
      transaction.concerned().add(null);
    }
    boolean lost = Failures.isConnectionFailure(failure);
    if (kind.mayWrite() && (alone || ends)) {
      GtidSet gtids = hold.session().takeGtids();
      if (gtids != null) {
        wrote(connection, context, transaction, gtids, List.of(), now);
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
    if (!commitSent || transaction == null) {
      // What was written before is rolled back with the connection.
      return failure;
    }
    wroteUnknown(connection, context, transaction, now);
    transaction.drop(OUTCOME_UNKNOWN);
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
    transaction.drop(OUTCOME_UNKNOWN);
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

  /**
   * Reading rows failed after their statement had succeeded.
   *
   * @param replica the connection they came from; null if that was the primary's
   */
  void readingFailed(
      RoutedConnection connection, @Nullable ReplicaHold replica, Throwable failure) {
    // What the driver says by itself, without a number, comes of a connection that is out of step.
    boolean lost =
        !(failure instanceof SQLException reading)
            || reading.getErrorCode() == 0
            || Failures.isConnectionFailure(reading);
    PrimaryHold primary = connection.primary();
    if (replica != null) {
      replica.distrust();
      if (lost && connection.holds(replica)) {
        lostReplica(connection, core.contexts().current(), replica.server().index());
        connection.abandon();
      }
    } else if (primary != null && lost) {
      primary.evict();
      connection.abandon();
    }
  }

  /** A replica's connection broke: it is given up, and the monitor is asked to look. */
  void lostReplica(RoutedConnection connection, CallContext context, int server) {
    connection.replicaFailed();
    ScopeState scope = context.scope();
    if (scope != null) {
      scope.lostPin(server);
    }
    core.pollNow(server);
  }
}
