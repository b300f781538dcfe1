package dev.leeway.routing.connection;

import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a statement is made and what was set on it, for making the same one on another server. Most
 * statements need none of this and have no such object.
 */
final class StatementOptions {
  static final int UNSET = -1;

  /** Settings beyond these are rare enough for a list. */
  interface Setting {
    void on(Statement physical) throws SQLException;
  }

  private int resultSetType = UNSET;
  private int concurrency = UNSET;
  private int holdability = UNSET;

  /** An Integer, an int[] of columns or a String[] of names; null for none. */
  private @Nullable Object keys;

  private int fetchSize = UNSET;
  private boolean fetchSizeSet;
  private int fetchSizeBefore = UNSET;
  private int queryTimeoutSeconds;
  private @Nullable List<Setting> settings;
  private @Nullable MoreBindings moreBindings;
  private @Nullable List<String> batch;
  private @Nullable List<Object> rows;
  private long maxRows;
  private int maxFieldSize;
  private boolean poolable;
  private boolean closeOnCompletion;

  static StatementOptions ofRows(int type, int concurrency, int holdability) {
    StatementOptions options = new StatementOptions();
    options.resultSetType = type;
    options.concurrency = concurrency;
    options.holdability = holdability;
    return options;
  }

  static StatementOptions ofKeys(Object keys) {
    StatementOptions options = new StatementOptions();
    options.keys = keys;
    return options;
  }

  Statement create(Connection physical) throws SQLException {
    if (holdability != UNSET) {
      return physical.createStatement(resultSetType, concurrency, holdability);
    }
    return resultSetType != UNSET
        ? physical.createStatement(resultSetType, concurrency)
        : physical.createStatement();
  }

  PreparedStatement prepare(Connection physical, String sql) throws SQLException {
    if (keys instanceof Integer flag) {
      return physical.prepareStatement(sql, flag);
    }
    if (keys instanceof int[] columns) {
      return physical.prepareStatement(sql, columns);
    }
    if (keys instanceof String[] names) {
      return physical.prepareStatement(sql, names);
    }
    if (holdability != UNSET) {
      return physical.prepareStatement(sql, resultSetType, concurrency, holdability);
    }
    return resultSetType != UNSET
        ? physical.prepareStatement(sql, resultSetType, concurrency)
        : physical.prepareStatement(sql);
  }

  CallableStatement prepareCall(Connection physical, String sql) throws SQLException {
    if (holdability != UNSET) {
      return physical.prepareCall(sql, resultSetType, concurrency, holdability);
    }
    return resultSetType != UNSET
        ? physical.prepareCall(sql, resultSetType, concurrency)
        : physical.prepareCall(sql);
  }

  void applyTo(Statement physical) throws SQLException {
    if (fetchSizeSet) {
      fetchSizeBefore = physical.getFetchSize();
      physical.setFetchSize(fetchSize);
    }
    if (queryTimeoutSeconds > 0) {
      physical.setQueryTimeout(queryTimeoutSeconds);
    }
    if (settings != null) {
      for (Setting setting : settings) {
        setting.on(physical);
      }
    }
    if (leavesTraces()) {
      keepToItself(physical);
    }
  }

  /*
   * Connector/J keeps prepared statements for whoever prepares the same text next (cachePrepStmts), and
   * keeps what was set on them: the next one would get no more rows than this one wanted, or stop after
   * this one's time. So what is set here is taken back before a statement is closed, and where it cannot
   * be, or where others close it, the driver is told not to keep it. A statement that has once run with
   * a cursor of the server can never again run without one: the driver waits for rows for ever.
   */

  private boolean leavesTraces() {
    return fetchSizeSet || queryTimeoutSeconds > 0 || settings != null;
  }

  /** Has the driver forget a statement, on which something was set, once it is closed. */
  static void keepToItself(Statement physical) throws SQLException {
    physical.setPoolable(false);
  }

  /**
   * Before a statement is closed on which this was set.
   *
   * @param cursors whether the driver reads rows through cursors where a fetch size is set
   */
  void takeBack(Statement physical, boolean cursors) {
    if (settings != null || !leavesTraces()) {
      return;
    }
    if (fetchSizeSet && (cursors || fetchSizeBefore == UNSET)) {
      return;
    }
    try {
      if (fetchSizeSet) {
        physical.setFetchSize(fetchSizeBefore);
      }
      physical.setQueryTimeout(0);
      physical.setPoolable(true);
    } catch (SQLException e) {
      // It is closed already, and nobody will be given it.
      return;
    }
  }

  /**
   * Whether rows may be changed through the result, which makes reading them a write in waiting.
   */
  boolean isUpdatable() {
    return concurrency == ResultSet.CONCUR_UPDATABLE;
  }

  /** Whether Connector/J is told to hand out rows while the server still sends them. */
  boolean isStreaming() {
    return fetchSizeSet && fetchSize == Integer.MIN_VALUE;
  }

  int resultSetType() {
    return resultSetType == UNSET ? ResultSet.TYPE_FORWARD_ONLY : resultSetType;
  }

  int concurrency() {
    return concurrency == UNSET ? ResultSet.CONCUR_READ_ONLY : concurrency;
  }

  int holdability() {
    return holdability == UNSET ? ResultSet.HOLD_CURSORS_OVER_COMMIT : holdability;
  }

  void fetchSize(int rows) {
    fetchSize = rows;
    fetchSizeSet = true;
  }

  int fetchSize() {
    return fetchSizeSet ? fetchSize : 0;
  }

  void queryTimeoutSeconds(int seconds) {
    queryTimeoutSeconds = seconds;
  }

  int queryTimeoutSeconds() {
    return queryTimeoutSeconds;
  }

  void add(Setting setting) {
    List<Setting> list = settings;
    if (list == null) {
      list = new ArrayList<>(2);
      settings = list;
    }
    list.add(setting);
  }

  @Nullable MoreBindings moreBindings() {
    return moreBindings;
  }

  void moreBindings(MoreBindings bindings) {
    moreBindings = bindings;
  }

  List<String> batch() {
    List<String> texts = batch;
    if (texts == null) {
      texts = new ArrayList<>();
      batch = texts;
    }
    return texts;
  }

  /** What a prepared statement collected for a batch. */
  List<Object> rows() {
    List<Object> collected = rows;
    if (collected == null) {
      collected = new ArrayList<>();
      rows = collected;
    }
    return collected;
  }

  void maxRows(long most) {
    maxRows = most;
  }

  long maxRows() {
    return maxRows;
  }

  void maxFieldSize(int bytes) {
    maxFieldSize = bytes;
  }

  int maxFieldSize() {
    return maxFieldSize;
  }

  void poolable(boolean value) {
    poolable = value;
  }

  boolean poolable() {
    return poolable;
  }

  void closeOnCompletion() {
    closeOnCompletion = true;
  }

  boolean isCloseOnCompletion() {
    return closeOnCompletion;
  }
}
