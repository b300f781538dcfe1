package dev.leeway.routing.connection;

import dev.leeway.statement.AnalyzedStatement;
import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.net.URL;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.Date;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.SQLXML;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement that keeps what is bound, and is prepared when and where it runs.
 *
 * <p>So it may be prepared under one intent and run under another, or be prepared before the
 * transaction it runs in, and what a lost replica did not answer can be bound again elsewhere. Most
 * statements bind one parameter; that one is kept in this object itself.
 */
class RoutedPreparedStatement extends RoutedStatement implements PreparedStatement {
  private static final Call<ResultSet> QUERY =
      physical -> ((PreparedStatement) physical).executeQuery();
  private static final Call<Boolean> EXECUTE = physical -> ((PreparedStatement) physical).execute();
  private static final Call<Integer> UPDATE =
      physical -> ((PreparedStatement) physical).executeUpdate();
  private static final Call<Long> LARGE_UPDATE =
      physical -> ((PreparedStatement) physical).executeLargeUpdate();

  final AnalyzedStatement statement;
  private int firstKind;
  private long firstBits;
  private @Nullable Object firstValue;

  RoutedPreparedStatement(
      RoutedConnection connection,
      AnalyzedStatement statement,
      @Nullable StatementOptions options) {
    super(connection, options);
    this.statement = statement;
  }

  // ---- running

  @Override
  public ResultSet executeQuery() throws SQLException {
    return routed(run(statement, QUERY));
  }

  @Override
  public boolean execute() throws SQLException {
    return run(statement, EXECUTE);
  }

  @Override
  public int executeUpdate() throws SQLException {
    return run(statement, UPDATE);
  }

  @Override
  public long executeLargeUpdate() throws SQLException {
    return run(statement, LARGE_UPDATE);
  }

  @Override
  Statement create(Connection server) throws SQLException {
    StatementOptions set = optionsOrNull();
    return set == null
        ? server.prepareStatement(statement.sql())
        : set.prepare(server, statement.sql());
  }

  @Override
  void bindAll(Statement physical) throws SQLException {
    PreparedStatement prepared = (PreparedStatement) physical;
    Binding.apply(prepared, 1, firstKind, firstBits, firstValue);
    StatementOptions set = optionsOrNull();
    if (set != null) {
      MoreBindings more = set.moreBindings();
      if (more != null) {
        more.applyTo(prepared);
      }
    }
  }

  @Override
  boolean mayBindAgain() {
    if (firstKind == Binding.BINDER_ONCE) {
      return false;
    }
    StatementOptions set = optionsOrNull();
    MoreBindings more = set == null ? null : set.moreBindings();
    return more == null || !more.bindsOnce();
  }

  // ---- batches

  /** One row of a batch. */
  private record Row(int kind, long bits, @Nullable Object value, @Nullable MoreBindings more) {
    void addTo(PreparedStatement prepared) throws SQLException {
      Binding.apply(prepared, 1, kind, bits, value);
      if (more != null) {
        more.applyTo(prepared);
      }
      prepared.addBatch();
    }
  }

  @Override
  public void addBatch() throws SQLException {
    checkOpen();
    StatementOptions set = options();
    MoreBindings more = set.moreBindings();
    set.rows().add(new Row(firstKind, firstBits, firstValue, more == null ? null : more.copy()));
  }

  @Override
  public void clearBatch() throws SQLException {
    checkOpen();
    options().rows().clear();
  }

  @Override
  public int[] executeBatch() throws SQLException {
    List<Object> rows = takeRows();
    return rows.isEmpty()
        ? new int[0]
        : run(statement, physical -> filled(physical, rows).executeBatch());
  }

  @Override
  public long[] executeLargeBatch() throws SQLException {
    List<Object> rows = takeRows();
    return rows.isEmpty()
        ? new long[0]
        : run(statement, physical -> filled(physical, rows).executeLargeBatch());
  }

  private List<Object> takeRows() throws SQLException {
    checkOpen();
    List<Object> collected = options().rows();
    List<Object> rows = new ArrayList<>(collected);
    collected.clear();
    return rows;
  }

  private static PreparedStatement filled(Statement physical, List<Object> rows)
      throws SQLException {
    PreparedStatement prepared = (PreparedStatement) physical;
    prepared.clearBatch();
    for (Object row : rows) {
      ((Row) row).addTo(prepared);
    }
    return prepared;
  }

  // ---- what a prepared statement does not do

  private SQLException textGiven() {
    return new SQLException(
        connection.core().name()
            + " - a prepared statement was given another text (expected: none). Use createStatement.",
        "HY000");
  }

  @Override
  public ResultSet executeQuery(String sql) throws SQLException {
    throw textGiven();
  }

  @Override
  public int executeUpdate(String sql) throws SQLException {
    throw textGiven();
  }

  @Override
  public int executeUpdate(String sql, int autoGeneratedKeys) throws SQLException {
    throw textGiven();
  }

  @Override
  public int executeUpdate(String sql, int[] columnIndexes) throws SQLException {
    throw textGiven();
  }

  @Override
  public int executeUpdate(String sql, String[] columnNames) throws SQLException {
    throw textGiven();
  }

  @Override
  public long executeLargeUpdate(String sql) throws SQLException {
    throw textGiven();
  }

  @Override
  public long executeLargeUpdate(String sql, int autoGeneratedKeys) throws SQLException {
    throw textGiven();
  }

  @Override
  public long executeLargeUpdate(String sql, int[] columnIndexes) throws SQLException {
    throw textGiven();
  }

  @Override
  public long executeLargeUpdate(String sql, String[] columnNames) throws SQLException {
    throw textGiven();
  }

  @Override
  public boolean execute(String sql) throws SQLException {
    throw textGiven();
  }

  @Override
  public boolean execute(String sql, int autoGeneratedKeys) throws SQLException {
    throw textGiven();
  }

  @Override
  public boolean execute(String sql, int[] columnIndexes) throws SQLException {
    throw textGiven();
  }

  @Override
  public boolean execute(String sql, String[] columnNames) throws SQLException {
    throw textGiven();
  }

  @Override
  public void addBatch(String sql) throws SQLException {
    throw textGiven();
  }

  // ---- metadata

  @Override
  public @Nullable ResultSetMetaData getMetaData() throws SQLException {
    checkOpen();
    if (physical() instanceof PreparedStatement prepared) {
      return prepared.getMetaData();
    }
    return connection.preparedSomewhere(statement.sql(), PreparedStatement::getMetaData);
  }

  @Override
  public ParameterMetaData getParameterMetaData() throws SQLException {
    checkOpen();
    if (physical() instanceof PreparedStatement prepared) {
      return prepared.getParameterMetaData();
    }
    return connection.preparedSomewhere(statement.sql(), PreparedStatement::getParameterMetaData);
  }

  // ---- parameters

  private void bind(int index, int kind, long bits, @Nullable Object value) throws SQLException {
    checkOpen();
    if (index == 1) {
      firstKind = kind;
      firstBits = bits;
      firstValue = value;
    } else if (index > 1) {
      more().set(index, kind, bits, value);
    } else {
      throw new SQLException(
          connection.core().name() + " - parameter " + index + " (expected: 1 or more)", "07009");
    }
  }

  private MoreBindings more() {
    StatementOptions set = options();
    MoreBindings more = set.moreBindings();
    if (more == null) {
      more = new MoreBindings();
      set.moreBindings(more);
    }
    return more;
  }

  private void bindBy(int index, Binding.Binder binder) throws SQLException {
    bind(index, Binding.BINDER, 0, binder);
  }

  private void bindOnce(int index, Binding.Binder binder) throws SQLException {
    bind(index, Binding.BINDER_ONCE, 0, binder);
  }

  @Override
  public void clearParameters() throws SQLException {
    checkOpen();
    firstKind = Binding.NOTHING;
    firstValue = null;
    StatementOptions set = optionsOrNull();
    MoreBindings more = set == null ? null : set.moreBindings();
    if (more != null) {
      more.clear();
    }
    if (physical() instanceof PreparedStatement prepared) {
      prepared.clearParameters();
    }
  }

  @Override
  public void setBoolean(int index, boolean value) throws SQLException {
    bind(index, Binding.BOOLEAN, value ? 1 : 0, null);
  }

  @Override
  public void setByte(int index, byte value) throws SQLException {
    bind(index, Binding.BYTE, value, null);
  }

  @Override
  public void setShort(int index, short value) throws SQLException {
    bind(index, Binding.SHORT, value, null);
  }

  @Override
  public void setInt(int index, int value) throws SQLException {
    bind(index, Binding.INT, value, null);
  }

  @Override
  public void setLong(int index, long value) throws SQLException {
    bind(index, Binding.LONG, value, null);
  }

  @Override
  public void setFloat(int index, float value) throws SQLException {
    bind(index, Binding.FLOAT, Float.floatToRawIntBits(value), null);
  }

  @Override
  public void setDouble(int index, double value) throws SQLException {
    bind(index, Binding.DOUBLE, Double.doubleToRawLongBits(value), null);
  }

  @Override
  public void setString(int index, String value) throws SQLException {
    bind(index, Binding.STRING, 0, value);
  }

  @Override
  public void setBigDecimal(int index, BigDecimal value) throws SQLException {
    bind(index, Binding.BIG_DECIMAL, 0, value);
  }

  @Override
  public void setBytes(int index, byte[] value) throws SQLException {
    bind(index, Binding.BYTES, 0, value);
  }

  @Override
  public void setDate(int index, Date value) throws SQLException {
    bind(index, Binding.DATE, 0, value);
  }

  @Override
  public void setTime(int index, Time value) throws SQLException {
    bind(index, Binding.TIME, 0, value);
  }

  @Override
  public void setTimestamp(int index, Timestamp value) throws SQLException {
    bind(index, Binding.TIMESTAMP, 0, value);
  }

  @Override
  public void setObject(int index, Object value) throws SQLException {
    bind(index, Binding.OBJECT, 0, value);
  }

  @Override
  public void setNull(int index, int sqlType) throws SQLException {
    bind(index, Binding.NULL, sqlType, null);
  }

  @Override
  public void setNull(int index, int sqlType, String typeName) throws SQLException {
    bindBy(index, (prepared, at) -> prepared.setNull(at, sqlType, typeName));
  }

  @Override
  public void setObject(int index, Object value, int sqlType) throws SQLException {
    bindBy(index, (prepared, at) -> prepared.setObject(at, value, sqlType));
  }

  @Override
  public void setObject(int index, Object value, int sqlType, int scale) throws SQLException {
    bindBy(index, (prepared, at) -> prepared.setObject(at, value, sqlType, scale));
  }

  @Override
  public void setObject(int index, Object value, SQLType sqlType) throws SQLException {
    bindBy(index, (prepared, at) -> prepared.setObject(at, value, sqlType));
  }

  @Override
  public void setObject(int index, Object value, SQLType sqlType, int scale) throws SQLException {
    bindBy(index, (prepared, at) -> prepared.setObject(at, value, sqlType, scale));
  }

  @Override
  public void setDate(int index, Date value, Calendar calendar) throws SQLException {
    bindBy(index, (prepared, at) -> prepared.setDate(at, value, calendar));
  }

  @Override
  public void setTime(int index, Time value, Calendar calendar) throws SQLException {
    bindBy(index, (prepared, at) -> prepared.setTime(at, value, calendar));
  }

  @Override
  public void setTimestamp(int index, Timestamp value, Calendar calendar) throws SQLException {
    bindBy(index, (prepared, at) -> prepared.setTimestamp(at, value, calendar));
  }

  @Override
  public void setNString(int index, String value) throws SQLException {
    bindBy(index, (prepared, at) -> prepared.setNString(at, value));
  }

  @Override
  public void setURL(int index, URL value) throws SQLException {
    bindBy(index, (prepared, at) -> prepared.setURL(at, value));
  }

  @Override
  public void setArray(int index, Array value) throws SQLException {
    bindBy(index, (prepared, at) -> prepared.setArray(at, value));
  }

  @Override
  public void setRef(int index, Ref value) throws SQLException {
    bindBy(index, (prepared, at) -> prepared.setRef(at, value));
  }

  @Override
  public void setRowId(int index, RowId value) throws SQLException {
    bindBy(index, (prepared, at) -> prepared.setRowId(at, value));
  }

  @Override
  public void setBlob(int index, Blob value) throws SQLException {
    bindBy(index, (prepared, at) -> prepared.setBlob(at, value));
  }

  @Override
  public void setClob(int index, Clob value) throws SQLException {
    bindBy(index, (prepared, at) -> prepared.setClob(at, value));
  }

  @Override
  public void setNClob(int index, NClob value) throws SQLException {
    bindBy(index, (prepared, at) -> prepared.setNClob(at, value));
  }

  @Override
  public void setSQLXML(int index, SQLXML value) throws SQLException {
    bindBy(index, (prepared, at) -> prepared.setSQLXML(at, value));
  }

  @Override
  public void setAsciiStream(int index, InputStream value) throws SQLException {
    bindOnce(index, (prepared, at) -> prepared.setAsciiStream(at, value));
  }

  @Override
  public void setAsciiStream(int index, InputStream value, int length) throws SQLException {
    bindOnce(index, (prepared, at) -> prepared.setAsciiStream(at, value, length));
  }

  @Override
  public void setAsciiStream(int index, InputStream value, long length) throws SQLException {
    bindOnce(index, (prepared, at) -> prepared.setAsciiStream(at, value, length));
  }

  @Override
  public void setBinaryStream(int index, InputStream value) throws SQLException {
    bindOnce(index, (prepared, at) -> prepared.setBinaryStream(at, value));
  }

  @Override
  public void setBinaryStream(int index, InputStream value, int length) throws SQLException {
    bindOnce(index, (prepared, at) -> prepared.setBinaryStream(at, value, length));
  }

  @Override
  public void setBinaryStream(int index, InputStream value, long length) throws SQLException {
    bindOnce(index, (prepared, at) -> prepared.setBinaryStream(at, value, length));
  }

  @Override
  @Deprecated
  public void setUnicodeStream(int index, InputStream value, int length) throws SQLException {
    bindOnce(index, (prepared, at) -> prepared.setUnicodeStream(at, value, length));
  }

  @Override
  public void setCharacterStream(int index, Reader value) throws SQLException {
    bindOnce(index, (prepared, at) -> prepared.setCharacterStream(at, value));
  }

  @Override
  public void setCharacterStream(int index, Reader value, int length) throws SQLException {
    bindOnce(index, (prepared, at) -> prepared.setCharacterStream(at, value, length));
  }

  @Override
  public void setCharacterStream(int index, Reader value, long length) throws SQLException {
    bindOnce(index, (prepared, at) -> prepared.setCharacterStream(at, value, length));
  }

  @Override
  public void setNCharacterStream(int index, Reader value) throws SQLException {
    bindOnce(index, (prepared, at) -> prepared.setNCharacterStream(at, value));
  }

  @Override
  public void setNCharacterStream(int index, Reader value, long length) throws SQLException {
    bindOnce(index, (prepared, at) -> prepared.setNCharacterStream(at, value, length));
  }

  @Override
  public void setBlob(int index, InputStream value) throws SQLException {
    bindOnce(index, (prepared, at) -> prepared.setBlob(at, value));
  }

  @Override
  public void setBlob(int index, InputStream value, long length) throws SQLException {
    bindOnce(index, (prepared, at) -> prepared.setBlob(at, value, length));
  }

  @Override
  public void setClob(int index, Reader value) throws SQLException {
    bindOnce(index, (prepared, at) -> prepared.setClob(at, value));
  }

  @Override
  public void setClob(int index, Reader value, long length) throws SQLException {
    bindOnce(index, (prepared, at) -> prepared.setClob(at, value, length));
  }

  @Override
  public void setNClob(int index, Reader value) throws SQLException {
    bindOnce(index, (prepared, at) -> prepared.setNClob(at, value));
  }

  @Override
  public void setNClob(int index, Reader value, long length) throws SQLException {
    bindOnce(index, (prepared, at) -> prepared.setNClob(at, value, length));
  }
}
