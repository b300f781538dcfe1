package dev.leeway.routing.connection;

import dev.leeway.routing.context.CallContext;
import dev.leeway.routing.decide.Route;
import dev.leeway.statement.AnalyzedStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A statement that is made on a server when it runs, and anew on another one when the next run
 * belongs there.
 */
class RoutedStatement implements Statement {
  /** One way to run a statement. */
  interface Call<R> {
    R on(Statement physical) throws SQLException;
  }

  /** Changes a row through a result. */
  interface RowChange {
    void run() throws SQLException;
  }

  private static final String LIKE_A_ROW_CHANGE = "UPDATE a_row SET a_column = 0";

  private static final int CLOSED = -1;
  private static final int ON_REPLICA = 2;

  final RoutedConnection connection;
  private @Nullable Statement physical;
  private @Nullable StatementOptions options;

  /**
   * See {@link RoutedConnection#holdOf}; zero while there is no physical statement, {@link #CLOSED}
   * for good. One field for both keeps the object small.
   */
  private int hold;

  RoutedStatement(RoutedConnection connection, @Nullable StatementOptions options) {
    this.connection = connection;
    this.options = options;
  }

  // ---- running

  /**
   * Decides, runs, and if the chosen replica is lost before it answers, runs once more elsewhere.
   */
  final <R> R run(AnalyzedStatement statement, Call<R> call) throws SQLException {
    checkOpen();
    if (SaidAlready.by(connection, statement)) {
      return call.on(SaidAlready.ANSWER);
    }
    CallContext context = connection.contextForStatement();
    StatementRouting routing = connection.core().routing();
    Outcomes outcomes = connection.core().outcomes();
    StatementOptions set = options;
    boolean updatable = set != null && set.isUpdatable();
    int timeoutSeconds = set == null ? 0 : set.queryTimeoutSeconds();
    Route route = routing.route(connection, context, statement, updatable, timeoutSeconds);
    long sentAt = outcomes.timeIfWanted();
    R result;
    try {
      Statement made = physicalFor(route, context);
      bindAll(made);
      result = call.on(made);
    } catch (SQLException e) {
      outcomes.finished(context, route, sentAt, true);
      return recover(context, statement, route, timeoutSeconds, call, e);
    } catch (RuntimeException | Error e) {
      connection.brokeOff(route);
      throw e;
    }
    outcomes.succeeded(connection, context, route, statement);
    outcomes.finished(context, route, sentAt, false);
    return result;
  }

  private <R> R recover(
      CallContext context,
      AnalyzedStatement statement,
      Route route,
      int timeoutSeconds,
      Call<R> call,
      SQLException failure)
      throws SQLException {
    StatementRouting routing = connection.core().routing();
    Outcomes outcomes = connection.core().outcomes();
    int secondsLeft = secondsLeft(context, timeoutSeconds);
    if (secondsLeft < 0
        || !mayBindAgain()
        || !routing.mayRetry(connection, route, statement, failure)) {
      throw outcomes.failed(connection, context, route, statement, failure);
    }
    Route second;
    try {
      second = routing.retry(connection, context, statement, route, secondsLeft);
    } catch (SQLException e) {
      e.addSuppressed(failure);
      throw e;
    }
    long sentAt = outcomes.timeIfWanted();
    R result;
    try {
      connection.prepareToRepeat(second, context);
      Statement again = physicalFor(second, context);
      bindAll(again);
      if (secondsLeft > 0) {
        again.setQueryTimeout(secondsLeft);
      }
      result = call.on(again);
      if (secondsLeft > 0) {
        again.setQueryTimeout(timeoutSeconds);
      }
    } catch (SQLException e) {
      outcomes.finished(context, second, sentAt, true);
      e.addSuppressed(failure);
      throw outcomes.failed(connection, context, second, statement, e);
    } catch (RuntimeException | Error e) {
      connection.brokeOff(second);
      throw e;
    }
    outcomes.succeeded(connection, context, second, statement);
    outcomes.finished(context, second, sentAt, false);
    return result;
  }

  /** Zero if there is no limit, less if it has passed. */
  private static int secondsLeft(CallContext context, int timeoutSeconds) {
    if (timeoutSeconds == 0) {
      return 0;
    }
    long left =
        TimeUnit.SECONDS.toNanos(timeoutSeconds) - (System.nanoTime() - context.decidedAtNanos());
    // Rounded down, so that both attempts together keep within the limit.
    int seconds = (int) TimeUnit.NANOSECONDS.toSeconds(left);
    return seconds <= 0 ? -1 : seconds;
  }

  /** Binds everything that was bound so far. */
  void bindAll(Statement made) throws SQLException {
    // A text has no parameters.
  }

  /** Whether what was bound can be bound a second time. */
  boolean mayBindAgain() {
    return true;
  }

  /** The physical statement on the route's server, made now if there is none. */
  Statement physicalFor(Route route, CallContext context) throws SQLException {
    Connection server = connection.connectionFor(route, context);
    int wanted = connection.holdOf(route);
    Statement made = physical;
    if (made != null && hold == wanted) {
      return made;
    }
    closeLost();
    made = create(server);
    physical = made;
    hold = wanted;
    if (route.toReplica()) {
      connection.statementOpened(this);
    }
    StatementOptions set = options;
    if (set != null) {
      if (set.isStreaming()) {
        connection.streams();
      }
      set.applyTo(made);
    }
    return made;
  }

  Statement create(Connection server) throws SQLException {
    StatementOptions set = options;
    return set == null ? server.createStatement() : set.create(server);
  }

  /** Another server takes over; what the old one answers to being closed does not matter. */
  final void closeLost() {
    try {
      closePhysical();
    } catch (SQLException e) {
      connection.core().log().debug("{} - closing a statement", connection.core().name(), e);
    }
  }

  private void closePhysical() throws SQLException {
    Statement made = physical;
    if (made != null) {
      physical = null;
      boolean onReplica = (hold & ON_REPLICA) != 0;
      ReplicaHold on = onReplica ? connection.holdOf(this) : null;
      hold = 0;
      StatementOptions set = options;
      if (set != null) {
        set.takeBack(made, connection.core().usesCursors());
      }
      try {
        made.close();
      } catch (SQLException | RuntimeException | Error e) {
        if (on != null) {
          on.distrust();
        }
        throw e;
      } finally {
        if (onReplica) {
          connection.statementClosed(this);
        }
      }
    }
  }

  /** The server did not give, or not rightly, what it had promised. */
  final void readingFailed(Throwable failure) {
    if (physical != null) {
      connection
          .core()
          .outcomes()
          .readingFailed(
              connection, (hold & ON_REPLICA) != 0 ? connection.holdOf(this) : null, failure);
    }
  }

  /** A row was changed through the rows of this statement, which no text says. */
  final void changesRow(RowChange change) throws SQLException {
    checkOpen();
    CallContext context = connection.contextForStatement();
    Outcomes outcomes = connection.core().outcomes();
    Route route = connection.routeOfPrimary();
    AnalyzedStatement like = connection.core().guard().lookup(LIKE_A_ROW_CHANGE);
    try {
      change.run();
    } catch (SQLException e) {
      throw outcomes.failed(connection, context, route, like, e);
    }
    outcomes.succeeded(connection, context, route, like);
  }

  final @Nullable Statement physical() {
    return physical;
  }

  final @Nullable StatementOptions optionsOrNull() {
    return options;
  }

  final StatementOptions options() {
    StatementOptions set = options;
    if (set == null) {
      set = new StatementOptions();
      options = set;
    }
    return set;
  }

  final void checkOpen() throws SQLException {
    if (hold == CLOSED) {
      throw new SQLException(
          connection.core().name() + " - the statement is closed (expected: open)", "HY010");
    }
  }

  final ResultSet routed(ResultSet rows) {
    return new RoutedResultSet(rows, this);
  }

  private AnalyzedStatement analyzed(String sql) throws SQLException {
    if (sql == null) {
      throw new SQLException(
          connection.core().name() + " - no statement (expected: a text, was null)", "HY009");
    }
    return connection.core().guard().lookup(sql);
  }

  // ---- running texts

  @Override
  public ResultSet executeQuery(String sql) throws SQLException {
    return routed(run(analyzed(sql), statement -> statement.executeQuery(sql)));
  }

  @Override
  public int executeUpdate(String sql) throws SQLException {
    return run(analyzed(sql), statement -> statement.executeUpdate(sql));
  }

  @Override
  public int executeUpdate(String sql, int autoGeneratedKeys) throws SQLException {
    return run(analyzed(sql), statement -> statement.executeUpdate(sql, autoGeneratedKeys));
  }

  @Override
  public int executeUpdate(String sql, int[] columnIndexes) throws SQLException {
    return run(analyzed(sql), statement -> statement.executeUpdate(sql, columnIndexes));
  }

  @Override
  public int executeUpdate(String sql, String[] columnNames) throws SQLException {
    return run(analyzed(sql), statement -> statement.executeUpdate(sql, columnNames));
  }

  @Override
  public long executeLargeUpdate(String sql) throws SQLException {
    return run(analyzed(sql), statement -> statement.executeLargeUpdate(sql));
  }

  @Override
  public long executeLargeUpdate(String sql, int autoGeneratedKeys) throws SQLException {
    return run(analyzed(sql), statement -> statement.executeLargeUpdate(sql, autoGeneratedKeys));
  }

  @Override
  public long executeLargeUpdate(String sql, int[] columnIndexes) throws SQLException {
    return run(analyzed(sql), statement -> statement.executeLargeUpdate(sql, columnIndexes));
  }

  @Override
  public long executeLargeUpdate(String sql, String[] columnNames) throws SQLException {
    return run(analyzed(sql), statement -> statement.executeLargeUpdate(sql, columnNames));
  }

  @Override
  public boolean execute(String sql) throws SQLException {
    return run(analyzed(sql), statement -> statement.execute(sql));
  }

  @Override
  public boolean execute(String sql, int autoGeneratedKeys) throws SQLException {
    return run(analyzed(sql), statement -> statement.execute(sql, autoGeneratedKeys));
  }

  @Override
  public boolean execute(String sql, int[] columnIndexes) throws SQLException {
    return run(analyzed(sql), statement -> statement.execute(sql, columnIndexes));
  }

  @Override
  public boolean execute(String sql, String[] columnNames) throws SQLException {
    return run(analyzed(sql), statement -> statement.execute(sql, columnNames));
  }

  // ---- batches of texts

  @Override
  public void addBatch(String sql) throws SQLException {
    checkOpen();
    if (sql == null) {
      throw new SQLException(
          connection.core().name() + " - no statement (expected: a text, was null)", "HY009");
    }
    options().batch().add(sql);
  }

  @Override
  public void clearBatch() throws SQLException {
    checkOpen();
    if (options != null) {
      options.batch().clear();
    }
  }

  @Override
  public int[] executeBatch() throws SQLException {
    List<String> texts = takeBatch();
    return texts.isEmpty()
        ? new int[0]
        : run(batched(texts), statement -> filled(statement, texts).executeBatch());
  }

  @Override
  public long[] executeLargeBatch() throws SQLException {
    List<String> texts = takeBatch();
    return texts.isEmpty()
        ? new long[0]
        : run(batched(texts), statement -> filled(statement, texts).executeLargeBatch());
  }

  private List<String> takeBatch() throws SQLException {
    checkOpen();
    List<String> collected = options().batch();
    List<String> texts = new ArrayList<>(collected);
    collected.clear();
    return texts;
  }

  /** One text that does all that the batch does: as careful as the most careful of them. */
  private AnalyzedStatement batched(List<String> texts) {
    AnalyzedStatement first = connection.core().guard().lookup(texts.get(0));
    for (String text : texts) {
      AnalyzedStatement next = connection.core().guard().lookup(text);
      if (next.kind() != first.kind()) {
        return connection.core().guard().analyze(String.join(";", texts));
      }
    }
    return first;
  }

  private static Statement filled(Statement statement, List<String> texts) throws SQLException {
    statement.clearBatch();
    for (String text : texts) {
      statement.addBatch(text);
    }
    return statement;
  }

  // ---- results

  @Override
  public @Nullable ResultSet getResultSet() throws SQLException {
    checkOpen();
    Statement made = physical;
    ResultSet rows = made == null ? null : made.getResultSet();
    return rows == null ? null : routed(rows);
  }

  @Override
  public int getUpdateCount() throws SQLException {
    checkOpen();
    Statement made = physical;
    return made == null ? -1 : made.getUpdateCount();
  }

  @Override
  public long getLargeUpdateCount() throws SQLException {
    checkOpen();
    Statement made = physical;
    return made == null ? -1 : made.getLargeUpdateCount();
  }

  @Override
  public boolean getMoreResults() throws SQLException {
    checkOpen();
    Statement made = physical;
    return made != null && more(made, Statement.CLOSE_CURRENT_RESULT);
  }

  @Override
  public boolean getMoreResults(int current) throws SQLException {
    checkOpen();
    Statement made = physical;
    return made != null && more(made, current);
  }

  private boolean more(Statement made, int current) throws SQLException {
    try {
      return made.getMoreResults(current);
    } catch (SQLException | RuntimeException | Error e) {
      readingFailed(e);
      throw e;
    }
  }

  @Override
  public ResultSet getGeneratedKeys() throws SQLException {
    checkOpen();
    Statement made = physical;
    if (made == null) {
      throw new SQLException(
          connection.core().name() + " - generated keys before the statement ran", "HY010");
    }
    return routed(made.getGeneratedKeys());
  }

  @Override
  public @Nullable SQLWarning getWarnings() throws SQLException {
    checkOpen();
    Statement made = physical;
    return made == null ? null : made.getWarnings();
  }

  @Override
  public void clearWarnings() throws SQLException {
    checkOpen();
    Statement made = physical;
    if (made != null) {
      made.clearWarnings();
    }
  }

  // ---- settings

  private void set(StatementOptions.Setting setting) throws SQLException {
    checkOpen();
    Statement made = physical;
    if (made != null) {
      setting.on(made);
      StatementOptions.keepToItself(made);
    }
    options().add(setting);
  }

  @Override
  public void setFetchSize(int rows) throws SQLException {
    checkOpen();
    if (rows < 0 && rows != Integer.MIN_VALUE) {
      throw new SQLException(
          connection.core().name()
              + " - fetch size "
              + rows
              + " (expected: zero or more, or Integer.MIN_VALUE to stream)",
          "HY024");
    }
    options().fetchSize(rows);
    Statement made = physical;
    if (made != null) {
      made.setFetchSize(rows);
      StatementOptions.keepToItself(made);
    }
  }

  @Override
  public int getFetchSize() throws SQLException {
    checkOpen();
    return options == null ? 0 : options.fetchSize();
  }

  @Override
  public void setQueryTimeout(int seconds) throws SQLException {
    checkOpen();
    if (seconds < 0) {
      throw new SQLException(
          connection.core().name()
              + " - query time-out of "
              + seconds
              + " s (expected: zero or more; zero for none)",
          "HY024");
    }
    options().queryTimeoutSeconds(seconds);
    Statement made = physical;
    if (made != null) {
      made.setQueryTimeout(seconds);
      StatementOptions.keepToItself(made);
    }
  }

  @Override
  public int getQueryTimeout() throws SQLException {
    checkOpen();
    return options == null ? 0 : options.queryTimeoutSeconds();
  }

  @Override
  public void setMaxRows(int max) throws SQLException {
    set(statement -> statement.setMaxRows(max));
    options().maxRows(max);
  }

  @Override
  public int getMaxRows() throws SQLException {
    checkOpen();
    return options == null ? 0 : (int) Math.min(Integer.MAX_VALUE, options.maxRows());
  }

  @Override
  public void setLargeMaxRows(long max) throws SQLException {
    set(statement -> statement.setLargeMaxRows(max));
    options().maxRows(max);
  }

  @Override
  public long getLargeMaxRows() throws SQLException {
    checkOpen();
    return options == null ? 0 : options.maxRows();
  }

  @Override
  public void setMaxFieldSize(int max) throws SQLException {
    set(statement -> statement.setMaxFieldSize(max));
    options().maxFieldSize(max);
  }

  @Override
  public int getMaxFieldSize() throws SQLException {
    checkOpen();
    Statement made = physical;
    return made != null ? made.getMaxFieldSize() : options == null ? 0 : options.maxFieldSize();
  }

  @Override
  public void setEscapeProcessing(boolean enable) throws SQLException {
    set(statement -> statement.setEscapeProcessing(enable));
  }

  @Override
  public void setCursorName(String name) throws SQLException {
    set(statement -> statement.setCursorName(name));
  }

  @Override
  public void setFetchDirection(int direction) throws SQLException {
    set(statement -> statement.setFetchDirection(direction));
  }

  @Override
  public int getFetchDirection() throws SQLException {
    checkOpen();
    return ResultSet.FETCH_FORWARD;
  }

  @Override
  public void setPoolable(boolean poolable) throws SQLException {
    set(statement -> statement.setPoolable(poolable));
    options().poolable(poolable);
  }

  @Override
  public boolean isPoolable() throws SQLException {
    checkOpen();
    return options != null && options.poolable();
  }

  @Override
  public void closeOnCompletion() throws SQLException {
    set(Statement::closeOnCompletion);
    options().closeOnCompletion();
  }

  @Override
  public boolean isCloseOnCompletion() throws SQLException {
    checkOpen();
    return options != null && options.isCloseOnCompletion();
  }

  @Override
  public int getResultSetType() throws SQLException {
    checkOpen();
    return options == null ? ResultSet.TYPE_FORWARD_ONLY : options.resultSetType();
  }

  @Override
  public int getResultSetConcurrency() throws SQLException {
    checkOpen();
    return options == null ? ResultSet.CONCUR_READ_ONLY : options.concurrency();
  }

  @Override
  public int getResultSetHoldability() throws SQLException {
    checkOpen();
    return options == null ? ResultSet.HOLD_CURSORS_OVER_COMMIT : options.holdability();
  }

  // ---- the rest

  @Override
  public void cancel() throws SQLException {
    Statement made = physical;
    if (made != null) {
      made.cancel();
    }
  }

  @Override
  public Connection getConnection() throws SQLException {
    checkOpen();
    return connection;
  }

  @Override
  public boolean isClosed() throws SQLException {
    return hold == CLOSED
        || connection.isClosed()
        || (options != null
            && options.isCloseOnCompletion()
            && physical != null
            && physical.isClosed());
  }

  @Override
  public void close() throws SQLException {
    if (hold != CLOSED) {
      try {
        closePhysical();
      } finally {
        hold = CLOSED;
      }
    }
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    Statement made = physical;
    if (made == null) {
      throw new SQLException(
          connection.core().name()
              + " - unwrap("
              + type.getName()
              + ") before the statement has chosen a server (expected: after it ran)",
          "HY000");
    }
    return made.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    Statement made = physical;
    return type.isInstance(this) || (made != null && made.isWrapperFor(type));
  }
}
