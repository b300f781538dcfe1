package dev.leeway.routing.connection;

import dev.leeway.gate.ServerState;
import dev.leeway.routing.Reason;
import dev.leeway.routing.context.CallContext;
import dev.leeway.routing.decide.Moments;
import dev.leeway.routing.decide.ReadDemand;
import dev.leeway.routing.decide.Route;
import dev.leeway.routing.decide.Writes;
import dev.leeway.statement.AnalyzedStatement;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Struct;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A connection that finds its server when a statement runs.
 *
 * <p>Until then it holds nothing. From then on it holds at most one physical connection to the
 * primary and one to a replica, and gives both back when it is closed. Used by one thread at a
 * time, as JDBC connections are.
 */
final class RoutedConnection implements Connection, ReadDemand {
  /*
   * What is where
   * -------------
   * This class keeps what JDBC calls the connection: autocommit, read-only, settings, and which physical
   * connections are held. StatementRouting decides. A Transaction exists from setAutoCommit(false), or
   * from a text that began one, until its end. Without a scope the connection is its own scope: what it
   * has seen on the primary is in seenAtNanos, and the replica it holds is the one it is pinned to.
   *
   * Fields are few and small on purpose: one of these is made for each borrow.
   */

  private static final int AUTO_COMMIT = 1;
  private static final int READ_ONLY = 1 << 1;
  private static final int CLOSED = 1 << 2;

  /** The session on the primary has something no other has; all statements go there. */
  private static final int SESSION_STATE = 1 << 3;

  /**
   * A transaction or session was lost with its connection; nothing runs until it is rolled back.
   */
  private static final int BROKEN = 1 << 4;

  /** A place in the budget for the primary is taken. */
  private static final int PERMIT = 1 << 5;

  /** A streaming result may still be read from the primary, so the place stays taken. */
  private static final int STREAMING = 1 << 6;

  private static final int REPLICA_SERVED = 1 << 7;

  /** Any of these, or autocommit off, and a statement needs a closer look. */
  private static final int EXTRAORDINARY = SESSION_STATE | BROKEN | CLOSED;

  private static final int NO_REPLICA = -1;

  /** So many connections of a pool are looked at for one that works. */
  private static final int MOST_BROKEN = 8;

  /** No server has this generation. */
  private static final long ANOTHER_SERVER = -1;

  private static final String START_READ_ONLY = "START TRANSACTION READ ONLY";

  private final RoutingCore core;
  private @Nullable ReplicaHold replica;

  /** Null until something is needed that a single read on a replica does not need. */
  private @Nullable BorrowDetails details;

  /** What lives on the replica's connection: null, one statement, or a list of several. */
  private @Nullable Object replicaStatements;

  private short flags = AUTO_COMMIT;

  /**
   * Changes with each physical connection taken, so that statements know whether theirs is still
   * held.
   */
  private short holds;

  RoutedConnection(RoutingCore core) {
    this.core = core;
  }

  // ---- for StatementRouting and statements

  RoutingCore core() {
    return core;
  }

  /** The calling thread's context; fails if this connection is closed or broken. */
  CallContext contextForStatement() throws SQLException {
    if ((flags & (CLOSED | BROKEN)) != 0) {
      throw unusable();
    }
    return core.contexts().current();
  }

  private SQLException unusable() {
    return has(CLOSED)
        ? new SQLException(core.name() + " - the connection is closed (expected: open)", "08003")
        : new SQLException(
            core.name()
                + " - the transaction or session was lost with its connection; nothing more was sent"
                + " (expected: rollback or close)",
            "25000");
  }

  /** Whether only intent, scope and statement decide. */
  boolean isOrdinary() {
    return (flags & (EXTRAORDINARY | AUTO_COMMIT)) == AUTO_COMMIT && transaction() == null;
  }

  private BorrowDetails details() {
    BorrowDetails known = details;
    if (known == null) {
      known = new BorrowDetails();
      details = known;
    }
    return known;
  }

  @Nullable Transaction transaction() {
    BorrowDetails known = details;
    return known == null ? null : known.transaction;
  }

  boolean autoCommit() {
    return has(AUTO_COMMIT);
  }

  boolean readOnly() {
    return has(READ_ONLY);
  }

  @Nullable PrimaryHold primary() {
    BorrowDetails known = details;
    return known == null ? null : known.primary;
  }

  private @Nullable SessionSettings settingsOrNull() {
    BorrowDetails known = details;
    return known == null ? null : known.settings;
  }

  Transaction begin(Transaction.Kind kind, CallContext context, @Nullable Route route) {
    Transaction begun = new Transaction(kind, context);
    if (route != null) {
      begun.becomes(kind, route, context.lastStalenessNanos());
    }
    details().transaction = begun;
    return begun;
  }

  /** The transaction has ended; the next statement begins anew. */
  void end() {
    Transaction ended = transaction();
    if (ended != null) {
      ended.drop("it was rolled back, or its connection was closed");
      ended.count(false);
      details().transaction = null;
    }
    releasePermit();
  }

  void sessionState() {
    set(SESSION_STATE);
  }

  void sawPrimary(long nowNanos) {
    BorrowDetails known = details();
    known.seenAtNanos = Moments.later(known.seenAtNanos, nowNanos);
  }

  void replicaServed() {
    set(REPLICA_SERVED);
  }

  /** The primary that statements of this connection use now: the one held, or the one known. */
  int primaryIndex() {
    PrimaryHold held = primary();
    int known = core.state().primaryIndex();
    return held != null && (livesOnPrimary() || known < 0) ? held.server() : known;
  }

  /** Whether something lives on the held physical connection that no other has. */
  private boolean livesOnPrimary() {
    Transaction running = transaction();
    return has(SESSION_STATE) || (running != null && running.isStarted() && !running.onReplica());
  }

  boolean acquirePermit(long nowNanos) {
    if (has(PERMIT)) {
      return true;
    }
    if (core.budget().tryAcquire(nowNanos)) {
      set(PERMIT);
      return true;
    }
    return false;
  }

  /** The result will be read from the server piece by piece. */
  void streams() {
    set(STREAMING);
  }

  void releasePermitAfterRead() {
    if (has(PERMIT) && transaction() == null && !has(STREAMING)) {
      releasePermit();
    }
  }

  private void releasePermit() {
    if (has(PERMIT)) {
      clear(PERMIT | STREAMING);
      core.budget().release();
    }
  }

  /** Says which physical connection a statement was made on; never zero. */
  int holdOf(Route route) {
    return (holds << 2) | (route.toReplica() ? 2 : 1);
  }

  /**
   * A call of the driver ended in the middle, with an error of the virtual machine or of the driver
   * itself. What the server still sends belongs to nobody, so nobody else is given the connection.
   */
  void brokeOff(Route route) {
    ReplicaHold held = replica;
    PrimaryHold hold = primary();
    if (!route.toReplica() && hold != null) {
      hold.makeDirty();
    } else if (route.toReplica() && held != null) {
      held.distrust();
    }
  }

  /** The replica's statements are ours to close; those of the primary are the pool's. */
  void statementOpened(RoutedStatement statement) {
    replicaStatements = OpenStatements.with(replicaStatements, statement);
  }

  void statementClosed(RoutedStatement statement) {
    BorrowDetails known = details;
    if (known != null && known.setAside != null) {
      takeBackFrom(known.setAside, statement);
    }
    replicaStatements = OpenStatements.without(replicaStatements, statement);
  }

  boolean holds(ReplicaHold hold) {
    return replica == hold;
  }

  /** The connection to a replica on which the statement lives. */
  @Nullable ReplicaHold holdOf(RoutedStatement statement) {
    BorrowDetails known = details;
    if (known != null && known.setAside != null) {
      for (SetAside aside : known.setAside) {
        if (OpenStatements.has(aside.statements, statement)) {
          return aside.hold;
        }
      }
    }
    return replica;
  }

  private void closeReplicaStatements() {
    Object known = replicaStatements;
    replicaStatements = null;
    OpenStatements.close(known);
  }

  /**
   * Rows are still read from the replica while another one takes over: its connection stays until
   * their statements are closed.
   */
  private void setReplicaAside() {
    ReplicaHold held = replica;
    Object statements = replicaStatements;
    if (held == null || statements == null) {
      giveReplicaBack();
      return;
    }
    BorrowDetails known = details();
    List<SetAside> asides = known.setAside;
    if (asides == null) {
      asides = new ArrayList<>(1);
      known.setAside = asides;
    }
    asides.add(new SetAside(held, statements));
    replica = null;
    replicaStatements = null;
    clear(REPLICA_SERVED);
  }

  private void takeBackFrom(List<SetAside> asides, RoutedStatement closed) {
    for (Iterator<SetAside> all = asides.iterator(); all.hasNext(); ) {
      SetAside aside = all.next();
      Object left = OpenStatements.without(aside.statements, closed);
      if (left == null) {
        all.remove();
        giveBack(aside.hold, false);
        return;
      }
      aside.statements = left;
    }
  }

  private void giveAllAsideBack() {
    BorrowDetails known = details;
    List<SetAside> asides = known == null ? null : known.setAside;
    if (known == null || asides == null) {
      return;
    }
    known.setAside = null;
    for (SetAside aside : asides) {
      OpenStatements.close(aside.statements);
      giveBack(aside.hold, false);
    }
  }

  /** The route of what runs on the primary's connection because it belongs to what ran there. */
  Route routeOfPrimary() {
    return core.routes().of(primaryIndex(), Reason.NOT_A_PLAIN_READ);
  }

  /** The physical connection a route leads to, taken now if it is not held yet. */
  Connection connectionFor(Route route, CallContext context) throws SQLException {
    checkOpen();
    if (!route.toReplica()) {
      return primaryConnection();
    }
    ReplicaHold held = replica;
    Transaction running = transaction();
    boolean lives = running != null && running.isStarted() && held != null;
    if (held == null
        || held.server().index() != route.server()
        || !(lives || held.pool().leadsTo(context.decidedAbout()))) {
      held = takeReplica(route, context);
    }
    if (running != null && !running.isStarted()) {
      running.started();
      held = startReadOnly(held, route, context);
    }
    return held.driver();
  }

  /**
   * Takes a connection that is known to work. What broke one connection at rest, such as a firewall
   * that forgot it, may have broken those to other servers as well, and there is no third try.
   */
  void prepareToRepeat(Route route, CallContext context) throws SQLException {
    for (int broken = 0; broken < MOST_BROKEN; broken++) {
      if (connectionFor(route, context).isValid(1)) {
        return;
      }
      if (route.toReplica()) {
        giveReplicaBack(true);
      } else {
        PrimaryHold hold = primary();
        if (hold != null) {
          hold.evict();
        }
        givePrimaryBack();
      }
    }
  }

  /**
   * Nothing was shown yet, so a connection that turns out to have broken while it was at rest is
   * replaced by another one of the same replica.
   */
  private ReplicaHold startReadOnly(ReplicaHold held, Route route, CallContext context)
      throws SQLException {
    try {
      run(held.driver(), START_READ_ONLY);
      return held;
    } catch (SQLException e) {
      if (!Failures.isConnectionFailure(e) || has(REPLICA_SERVED) || has(CLOSED)) {
        throw e;
      }
    }
    giveReplicaBack(true);
    ReplicaHold another = takeReplica(route, context);
    run(another.driver(), START_READ_ONLY);
    return another;
  }

  private ReplicaHold takeReplica(Route route, CallContext context) throws SQLException {
    setReplicaAside();
    ServerPools server = core.pools(route.server());
    ReplicaHold taken =
        server.takeReading(context.decidedAtNanos(), context.decidedAbout(), transaction() == null);
    server.load().begin();
    replica = taken;
    holds++;
    if (has(CLOSED)) {
      // By another thread, while this one waited for the pool; it will not give this one back.
      giveReplicaBack();
      throw unusable();
    }
    SessionSettings set = settingsOrNull();
    if (set != null) {
      set.applyTo(taken.pooled());
    }
    return taken;
  }

  private Connection primaryConnection() throws SQLException {
    PrimaryHold hold = heldOrTakenPrimary();
    Transaction running = transaction();
    if (running == null) {
      hold.readOnly(readOnly());
    } else if (!running.isStarted()) {
      // Only the transaction itself says what it may do; the session says nothing.
      hold.readOnly(false);
      running.started();
      if (running.kind() == Transaction.Kind.READ_WRITE) {
        hold.autocommit(false);
      } else {
        run(hold.connection(), START_READ_ONLY);
      }
    }
    return hold.connection();
  }

  private PrimaryHold heldOrTakenPrimary() throws SQLException {
    PrimaryHold held = primary();
    if (held != null) {
      if (livesOnPrimary() || held.isCurrent(core.state().primaryIndex())) {
        return held;
      }
      givePrimaryBack();
    }
    PrimaryHold taken = PrimaryHold.borrow(core);
    details().primary = taken;
    holds++;
    if (has(CLOSED)) {
      givePrimaryBack();
      throw unusable();
    }
    SessionSettings set = settingsOrNull();
    if (set != null) {
      set.applyTo(taken.connection());
    }
    return taken;
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The replica's connection is lost, or not to be trusted with what comes next. */
  void replicaFailed() {
    if (replica != null) {
      if (has(REPLICA_SERVED)) {
        // Whatever it showed this borrow was there to see before now.
        sawPrimary(System.nanoTime());
      }
      giveReplicaBack(true);
    }
  }

  /**
   * The physical connection is gone and with it what lived there. Nothing may run in its place as
   * if nothing had happened.
   */
  void abandon() {
    Transaction running = transaction();
    if ((running != null && running.kind() != Transaction.Kind.ANNOUNCED) || has(SESSION_STATE)) {
      set(BROKEN);
    }
    if (running == null || !running.onReplica()) {
      givePrimaryBack();
    }
  }

  private void giveReplicaBack() {
    giveReplicaBack(false);
  }

  private void giveReplicaBack(boolean failed) {
    ReplicaHold held = replica;
    if (held == null) {
      return;
    }
    if (replicaStatements != null) {
      closeReplicaStatements();
    }
    replica = null;
    clear(REPLICA_SERVED);
    holds++;
    giveBack(held, failed);
  }

  private void giveBack(ReplicaHold held, boolean failed) {
    held.server().load().end();
    try {
      SessionSettings set = settingsOrNull();
      if (failed || held.isDistrusted()) {
        held.evict();
      } else if (set != null) {
        if (set.cleanBeforeReturn(held.pooled(), core.database())) {
          held.giveBack();
        } else {
          held.evict();
        }
      } else {
        held.server().giveReadingBack(held);
      }
    } catch (SQLException e) {
      core.log().debug("{} - a connection was lost while it was given back", core.name(), e);
    }
  }

  private void givePrimaryBack() {
    PrimaryHold held = primary();
    if (held == null) {
      return;
    }
    details().primary = null;
    holds++;
    try {
      SessionSettings set = settingsOrNull();
      if (set != null && !set.cleanBeforeReturn(held.connection(), core.database())) {
        held.makeDirty();
      }
      held.giveBack();
    } catch (SQLException e) {
      // A connection that cannot be given back clean is not given back.
      held.evict();
    }
  }

  private boolean has(int flag) {
    return (flags & flag) != 0;
  }

  private void set(int flag) {
    flags |= (short) flag;
  }

  private void clear(int flag) {
    flags &= (short) ~flag;
  }

  // ---- what a connection without a scope demands of a replica

  @Override
  public Writes writes() {
    return core.ambient().writes();
  }

  @Override
  public long seenAtNanos() {
    BorrowDetails known = details;
    long ambient = core.ambient().seenAtNanos();
    return known == null ? ambient : Moments.later(known.seenAtNanos, ambient);
  }

  @Override
  public long stickyUntilNanos() {
    return Moments.NEVER;
  }

  @Override
  public int pinnedServer() {
    ReplicaHold held = replica;
    return held == null ? NO_REPLICA : held.server().index();
  }

  @Override
  public long pinnedGeneration() {
    // Whatever happened to the server, the physical connection proves that it is still the same
    // one.
    ReplicaHold held = replica;
    if (held == null) {
      return 0;
    }
    ServerState server = core.state().server(held.server().index());
    return held.pool().leadsTo(server.serverUuid()) ? server.generation() : ANOTHER_SERVER;
  }

  @Override
  public long pinnedServedAtNanos() {
    // An open statement may still be read, so nobody takes the replica's place until it is closed.
    return has(REPLICA_SERVED) || replicaStatements != null ? System.nanoTime() : Moments.NEVER;
  }

  // ---- statements

  @Override
  public PreparedStatement prepareStatement(String sql) throws SQLException {
    return new RoutedPreparedStatement(this, analyzed(sql), null);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int type, int concurrency)
      throws SQLException {
    return new RoutedPreparedStatement(
        this, analyzed(sql), StatementOptions.ofRows(type, concurrency, StatementOptions.UNSET));
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int type, int concurrency, int holdability)
      throws SQLException {
    return new RoutedPreparedStatement(
        this, analyzed(sql), StatementOptions.ofRows(type, concurrency, holdability));
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int autoGeneratedKeys) throws SQLException {
    return new RoutedPreparedStatement(
        this, analyzed(sql), StatementOptions.ofKeys(autoGeneratedKeys));
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int[] columnIndexes) throws SQLException {
    return new RoutedPreparedStatement(
        this, analyzed(sql), StatementOptions.ofKeys(columnIndexes.clone()));
  }

  @Override
  public PreparedStatement prepareStatement(String sql, String[] columnNames) throws SQLException {
    return new RoutedPreparedStatement(
        this, analyzed(sql), StatementOptions.ofKeys(columnNames.clone()));
  }

  @Override
  public CallableStatement prepareCall(String sql) throws SQLException {
    return new RoutedCallableStatement(this, analyzed(sql), null);
  }

  @Override
  public CallableStatement prepareCall(String sql, int type, int concurrency) throws SQLException {
    return new RoutedCallableStatement(
        this, analyzed(sql), StatementOptions.ofRows(type, concurrency, StatementOptions.UNSET));
  }

  @Override
  public CallableStatement prepareCall(String sql, int type, int concurrency, int holdability)
      throws SQLException {
    return new RoutedCallableStatement(
        this, analyzed(sql), StatementOptions.ofRows(type, concurrency, holdability));
  }

  @Override
  public Statement createStatement() throws SQLException {
    checkOpen();
    return new RoutedStatement(this, null);
  }

  @Override
  public Statement createStatement(int type, int concurrency) throws SQLException {
    checkOpen();
    return new RoutedStatement(
        this, StatementOptions.ofRows(type, concurrency, StatementOptions.UNSET));
  }

  @Override
  public Statement createStatement(int type, int concurrency, int holdability) throws SQLException {
    checkOpen();
    return new RoutedStatement(this, StatementOptions.ofRows(type, concurrency, holdability));
  }

  private AnalyzedStatement analyzed(String sql) throws SQLException {
    if (sql == null) {
      throw new SQLException(core.name() + " - no statement (expected: a text, was null)", "HY009");
    }
    checkOpen();
    return core.guard().lookup(sql);
  }

  private void checkOpen() throws SQLException {
    if (has(CLOSED)) {
      throw unusable();
    }
  }

  // ---- transactions

  @Override
  public void setAutoCommit(boolean on) throws SQLException {
    checkOpen();
    CallContext context = core.contexts().current();
    if (on == autoCommit()) {
      if (on && autocommitOffByText()) {
        finish(context, true);
        switchAutocommitOn();
      }
      return;
    }
    if (on) {
      finish(context, true);
      set(AUTO_COMMIT);
      PrimaryHold hold = primary();
      if (hold != null) {
        hold.autocommit(true);
      }
    } else {
      clear(AUTO_COMMIT);
      if (transaction() == null) {
        begin(Transaction.Kind.ANNOUNCED, context, null);
      }
    }
  }

  /**
   * Whether the text of a statement has switched autocommit off, which no method call has undone.
   */
  private boolean autocommitOffByText() {
    Transaction running = transaction();
    PrimaryHold hold = primary();
    return running != null
        && running.kind() == Transaction.Kind.BY_TEXT
        && hold != null
        && hold.session().autocommitOff();
  }

  private void switchAutocommitOn() throws SQLException {
    PrimaryHold hold = primary();
    if (hold != null) {
      run(hold.connection(), "SET autocommit=1");
    }
  }

  @Override
  public boolean getAutoCommit() throws SQLException {
    checkOpen();
    return autoCommit();
  }

  @Override
  public void commit() throws SQLException {
    checkInTransactionMode("commit");
    finish(core.contexts().current(), true);
  }

  @Override
  public void rollback() throws SQLException {
    checkInTransactionMode("rollback");
    finish(core.contexts().current(), false);
  }

  private void checkInTransactionMode(String what) throws SQLException {
    checkOpen();
    if (autoCommit()) {
      throw new SQLException(
          core.name() + " - " + what + " with autocommit on (expected: off)", "25000");
    }
  }

  private void finish(CallContext context, boolean commit) throws SQLException {
    Transaction running = transaction();
    if (has(BROKEN)) {
      if (commit) {
        throw unusable();
      }
      end();
      if (!has(SESSION_STATE)) {
        clear(BROKEN);
      }
      return;
    }
    if (running == null) {
      return;
    }
    try {
      finishPhysical(running, commit);
    } catch (SQLException e) {
      SQLException explained = commit ? core.outcomes().commitFailed(this, context, running, e) : e;
      if (Failures.isConnectionFailure(e)) {
        loseConnectionOf(running);
      }
      end();
      // It was answered: the transaction is over, and the caller knows how.
      clear(BROKEN);
      throw explained;
    }
    Runnable due = null;
    if (commit) {
      core.outcomes().committed(this, context, running);
      due = running.due();
    } else {
      core.outcomes().rolledBack(this, context, running);
    }
    end();
    if (due != null) {
      due.run();
    }
  }

  private void loseConnectionOf(Transaction running) {
    if (running.onReplica()) {
      replicaFailed();
    } else {
      PrimaryHold hold = primary();
      if (hold != null) {
        hold.evict();
      }
      givePrimaryBack();
    }
  }

  private void finishPhysical(Transaction running, boolean commit) throws SQLException {
    switch (running.kind()) {
      case ANNOUNCED -> {
        // No statement has run, so no server knows of it.
      }
      case READ_WRITE -> {
        PrimaryHold hold = primary();
        if (hold != null && running.isStarted()) {
          if (commit) {
            hold.connection().commit();
          } else {
            hold.connection().rollback();
          }
        }
      }
      case READ_ONLY, READ_ONLY_BY_TEXT, BY_TEXT -> {
        Connection where =
            running.onReplica() ? replicaConnectionIfHeld() : primaryConnectionIfHeld();
        if (where != null) {
          run(where, commit ? "COMMIT" : "ROLLBACK");
        }
      }
    }
  }

  private @Nullable Connection replicaConnectionIfHeld() {
    ReplicaHold held = replica;
    return held == null ? null : held.pooled();
  }

  private @Nullable Connection primaryConnectionIfHeld() {
    PrimaryHold hold = primary();
    return hold == null ? null : hold.connection();
  }

  @Override
  public Savepoint setSavepoint() throws SQLException {
    return kept(transactionalConnection("setSavepoint").setSavepoint());
  }

  @Override
  public Savepoint setSavepoint(String name) throws SQLException {
    return kept(transactionalConnection("setSavepoint").setSavepoint(name));
  }

  @Override
  public void rollback(Savepoint savepoint) throws SQLException {
    onTransaction(
        "rollback to a savepoint",
        physical -> {
          physical.rollback(savepoint);
          return savepoint;
        });
    Transaction running = transaction();
    if (running != null) {
      running.rolledBackTo(savepoint.getSavepointName());
    }
  }

  private Savepoint kept(Savepoint savepoint) throws SQLException {
    Transaction running = transaction();
    if (running != null) {
      running.savepoint(savepoint.getSavepointName());
    }
    return savepoint;
  }

  @Override
  public void releaseSavepoint(Savepoint savepoint) throws SQLException {
    onTransaction(
        "releaseSavepoint",
        physical -> {
          physical.releaseSavepoint(savepoint);
          return savepoint;
        });
  }

  private <T> T onTransaction(String what, Local<T> call) throws SQLException {
    Connection physical = transactionalConnection(what);
    try {
      return call.by(physical);
    } catch (SQLException e) {
      PrimaryHold hold = primary();
      if (hold != null && Failures.isConnectionFailure(e)) {
        hold.evict();
        abandon();
      }
      throw e;
    }
  }

  /** A savepoint is a statement: it begins the transaction if nothing has. */
  private Connection transactionalConnection(String what) throws SQLException {
    checkInTransactionMode(what);
    CallContext context = contextForStatement();
    Transaction running = transaction();
    if (running != null && running.kind() == Transaction.Kind.READ_ONLY) {
      throw new SQLException(
          core.name()
              + " - "
              + what
              + " in a read-only transaction (expected: one that may write). There is nothing to undo.",
          "25006");
    }
    Route route =
        core.routing().route(this, context, core.guard().lookup("SAVEPOINT leeway"), false, 0);
    return connectionFor(route, context);
  }

  @Override
  public void setReadOnly(boolean on) throws SQLException {
    checkOpen();
    if (on == readOnly()) {
      return;
    }
    Transaction running = transaction();
    if (running != null && running.kind() != Transaction.Kind.ANNOUNCED) {
      throw new SQLException(
          core.name()
              + " - setReadOnly("
              + on
              + ") while a transaction is open (expected: before its first statement)",
          "25001");
    }
    if (on) {
      set(READ_ONLY);
    } else {
      clear(READ_ONLY);
    }
  }

  @Override
  public boolean isReadOnly() throws SQLException {
    checkOpen();
    return readOnly();
  }

  // ---- settings

  private SessionSettings settings() {
    BorrowDetails known = details();
    SessionSettings set = known.settings;
    if (set == null) {
      set = new SessionSettings();
      known.settings = set;
    }
    return set;
  }

  private <T> @Nullable T known(Function<SessionSettings, @Nullable T> setting) {
    SessionSettings set = settingsOrNull();
    return set == null ? null : setting.apply(set);
  }

  /** Something that is set on one physical connection. */
  private interface Setting {
    void on(Connection physical) throws SQLException;
  }

  private void applyToHeld(Setting setting) throws SQLException {
    ReplicaHold held = replica;
    if (held != null) {
      setting.on(held.pooled());
    }
    PrimaryHold hold = primary();
    if (hold != null) {
      setting.on(hold.connection());
    }
  }

  @Override
  public void setCatalog(String catalog) throws SQLException {
    checkOpen();
    applyToHeld(physical -> physical.setCatalog(catalog));
    settings().catalog(catalog);
  }

  @Override
  public String getCatalog() throws SQLException {
    checkOpen();
    PrimaryHold hold = primary();
    String changed = hold == null ? null : hold.session().changedSchema();
    if (changed != null) {
      // It may have been changed by the text of a statement.
      return changed;
    }
    String catalog = known(SessionSettings::catalog);
    return catalog == null ? core.database() : catalog;
  }

  @Override
  public void setSchema(String schema) throws SQLException {
    checkOpen();
    applyToHeld(physical -> physical.setSchema(schema));
    settings().schema(schema);
  }

  @Override
  public @Nullable String getSchema() throws SQLException {
    checkOpen();
    return known(SessionSettings::schema);
  }

  @Override
  public void setTransactionIsolation(int level) throws SQLException {
    checkOpen();
    applyToHeld(physical -> physical.setTransactionIsolation(level));
    settings().isolation(level);
  }

  @Override
  public int getTransactionIsolation() throws SQLException {
    checkOpen();
    PrimaryHold hold = primary();
    if (has(SESSION_STATE) && hold != null) {
      return hold.connection().getTransactionIsolation();
    }
    Integer isolation = known(SessionSettings::isolation);
    return isolation == null ? core.defaultIsolation() : isolation;
  }

  @Override
  public void setHoldability(int holdability) throws SQLException {
    checkOpen();
    applyToHeld(physical -> physical.setHoldability(holdability));
    settings().holdability(holdability);
  }

  @Override
  public int getHoldability() throws SQLException {
    checkOpen();
    Integer holdability = known(SessionSettings::holdability);
    return holdability == null ? ResultSet.HOLD_CURSORS_OVER_COMMIT : holdability;
  }

  @Override
  public void setNetworkTimeout(Executor executor, int milliseconds) throws SQLException {
    checkOpen();
    applyToHeld(physical -> physical.setNetworkTimeout(executor, milliseconds));
    settings().networkTimeout(executor, milliseconds);
  }

  @Override
  public int getNetworkTimeout() throws SQLException {
    checkOpen();
    Integer millis = known(SessionSettings::networkTimeoutMillis);
    return millis == null ? core.socketTimeoutMillis() : millis;
  }

  @Override
  public void setTypeMap(Map<String, Class<?>> map) throws SQLException {
    checkOpen();
    applyToHeld(physical -> physical.setTypeMap(map));
    settings().typeMap(map);
  }

  @Override
  public Map<String, Class<?>> getTypeMap() throws SQLException {
    checkOpen();
    Map<String, Class<?>> map = known(SessionSettings::typeMap);
    return map == null ? Map.of() : map;
  }

  @Override
  public void setClientInfo(String name, @Nullable String value) throws SQLClientInfoException {
    try {
      checkOpen();
      applyToHeld(physical -> physical.setClientInfo(name, value));
    } catch (SQLClientInfoException e) {
      throw e;
    } catch (SQLException e) {
      throw new SQLClientInfoException(e.getMessage(), e.getSQLState(), Map.of(), e);
    }
    settings().clientInfo(name, value);
  }

  @Override
  public void setClientInfo(Properties properties) throws SQLClientInfoException {
    try {
      checkOpen();
      applyToHeld(physical -> physical.setClientInfo(properties));
    } catch (SQLClientInfoException e) {
      throw e;
    } catch (SQLException e) {
      throw new SQLClientInfoException(e.getMessage(), e.getSQLState(), Map.of(), e);
    }
    settings().clientInfo(properties);
  }

  @Override
  public @Nullable String getClientInfo(String name) throws SQLException {
    checkOpen();
    SessionSettings set = settingsOrNull();
    return set == null ? null : set.clientInfo(name);
  }

  @Override
  public Properties getClientInfo() throws SQLException {
    checkOpen();
    SessionSettings set = settingsOrNull();
    return set == null ? new Properties() : set.clientInfo();
  }

  // ---- what needs no particular server

  /** Something that any connection of the driver can do without asking its server. */
  private interface Local<T> {
    T by(Connection physical) throws SQLException;
  }

  private <T> T locally(Local<T> local) throws SQLException {
    checkOpen();
    ReplicaHold held = replica;
    if (held != null) {
      return local.by(held.pooled());
    }
    PrimaryHold hold = primary();
    if (hold != null) {
      return local.by(hold.connection());
    }
    try (Connection shortLived = core.anyConnection()) {
      return local.by(shortLived);
    }
  }

  /** Something that is asked of a prepared statement without running it. */
  interface Asked<T> {
    T of(PreparedStatement prepared) throws SQLException;
  }

  <T> T preparedSomewhere(String sql, Asked<T> asked) throws SQLException {
    return locally(
        physical -> {
          try (PreparedStatement prepared = physical.prepareStatement(sql)) {
            return asked.of(prepared);
          }
        });
  }

  @Override
  public String nativeSQL(String sql) throws SQLException {
    return locally(physical -> physical.nativeSQL(sql));
  }

  @Override
  public Clob createClob() throws SQLException {
    return locally(Connection::createClob);
  }

  @Override
  public Blob createBlob() throws SQLException {
    return locally(Connection::createBlob);
  }

  @Override
  public NClob createNClob() throws SQLException {
    return locally(Connection::createNClob);
  }

  @Override
  public SQLXML createSQLXML() throws SQLException {
    return locally(Connection::createSQLXML);
  }

  @Override
  public Array createArrayOf(String typeName, Object[] elements) throws SQLException {
    return locally(physical -> physical.createArrayOf(typeName, elements));
  }

  @Override
  public Struct createStruct(String typeName, Object[] attributes) throws SQLException {
    return locally(physical -> physical.createStruct(typeName, attributes));
  }

  @Override
  public DatabaseMetaData getMetaData() throws SQLException {
    checkOpen();
    return core.metaData().of(this);
  }

  /**
   * For metadata that only a server can answer: the primary, without choosing it for statements.
   */
  Connection connectionForMetaData() throws SQLException {
    checkOpen();
    return heldOrTakenPrimary().connection();
  }

  @Override
  public boolean isValid(int timeoutSeconds) throws SQLException {
    if (timeoutSeconds < 0) {
      throw new SQLException(
          core.name() + " - isValid(" + timeoutSeconds + ") (expected: zero or more)", "HY000");
    }
    if ((flags & (CLOSED | BROKEN)) != 0 || core.isClosed()) {
      return false;
    }
    PrimaryHold hold = primary();
    ReplicaHold held = replica;
    return (held == null || held.driver().isValid(timeoutSeconds))
        && (hold == null || hold.connection().isValid(timeoutSeconds));
  }

  @Override
  public @Nullable SQLWarning getWarnings() throws SQLException {
    checkOpen();
    ReplicaHold held = replica;
    SQLWarning warnings = held == null ? null : held.driver().getWarnings();
    PrimaryHold hold = primary();
    return warnings != null || hold == null ? warnings : hold.connection().getWarnings();
  }

  @Override
  public void clearWarnings() throws SQLException {
    checkOpen();
    applyToHeld(Connection::clearWarnings);
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    Connection held = held();
    if (held == null) {
      throw new SQLException(
          core.name()
              + " - unwrap("
              + type.getName()
              + ") before a statement has chosen a server (expected: after one)",
          "HY000");
    }
    return held.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    Connection held = held();
    return type.isInstance(this) || (held != null && held.isWrapperFor(type));
  }

  private @Nullable Connection held() {
    PrimaryHold hold = primary();
    return hold != null ? hold.connection() : replicaConnectionIfHeld();
  }

  // ---- the end

  @Override
  public boolean isClosed() {
    return has(CLOSED);
  }

  @Override
  public void close() throws SQLException {
    if (has(CLOSED)) {
      return;
    }
    Transaction running = transaction();
    try {
      if (running != null && !has(BROKEN)) {
        rollBackBeforeClosing(running);
      }
    } finally {
      set(CLOSED);
      end();
      giveReplicaBack();
      giveAllAsideBack();
      givePrimaryBack();
    }
  }

  private void rollBackBeforeClosing(Transaction running) {
    try {
      finish(core.contexts().current(), false);
    } catch (SQLException e) {
      // The server rolls back by itself when the connection goes; it must not be used again.
      loseConnectionOf(running);
    }
  }

  @Override
  public void abort(Executor executor) throws SQLException {
    if (has(CLOSED)) {
      return;
    }
    set(BROKEN | CLOSED);
    ReplicaHold held = replica;
    PrimaryHold hold = primary();
    // Another thread may be in the middle of a statement and hold the driver's locks, so nothing is
    // closed in order here: the pools let go, and the driver cuts when the executor runs.
    replicaStatements = null;
    replica = null;
    holds++;
    if (held != null) {
      abort(held, executor);
    }
    BorrowDetails known = details;
    if (known != null && known.setAside != null) {
      for (SetAside aside : known.setAside) {
        abort(aside.hold, executor);
      }
      known.setAside = null;
    }
    if (hold != null) {
      details().primary = null;
      hold.evict();
      hold.connection().abort(executor);
    }
    end();
  }

  private static void abort(ReplicaHold held, Executor executor) throws SQLException {
    held.server().load().end();
    held.letGo();
    held.driver().abort(executor);
  }

  @Override
  public String toString() {
    return core.name()
        + " connection ("
        + (has(CLOSED) ? "closed" : held() == null ? "no server yet" : held().toString())
        + ")";
  }
}
