package dev.leeway.routing.connection;

import dev.leeway.statement.AnalyzedStatement;
import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.net.URL;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.Date;
import java.sql.NClob;
import java.sql.Ref;
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
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call of a stored routine. What a routine does cannot be told from the call, so it runs on the
 * primary; everything bound and registered before is kept until then.
 */
final class RoutedCallableStatement extends RoutedPreparedStatement implements CallableStatement {
  /** Something set by name, or registered. */
  private interface Kept {
    void on(CallableStatement call) throws SQLException;
  }

  private final List<Kept> kept = new ArrayList<>();

  RoutedCallableStatement(
      RoutedConnection connection,
      AnalyzedStatement statement,
      @Nullable StatementOptions options) {
    super(connection, statement, options);
  }

  @Override
  Statement create(Connection server) throws SQLException {
    StatementOptions set = optionsOrNull();
    return set == null
        ? server.prepareCall(statement.sql())
        : set.prepareCall(server, statement.sql());
  }

  @Override
  void bindAll(Statement physical) throws SQLException {
    super.bindAll(physical);
    for (Kept each : kept) {
      each.on((CallableStatement) physical);
    }
  }

  @Override
  boolean mayBindAgain() {
    return false;
  }

  @Override
  public void clearParameters() throws SQLException {
    super.clearParameters();
    kept.clear();
  }

  private void keep(Kept setting) throws SQLException {
    checkOpen();
    kept.add(setting);
  }

  private CallableStatement ran() throws SQLException {
    checkOpen();
    if (physical() instanceof CallableStatement call) {
      return call;
    }
    throw new SQLException(
        connection.core().name()
            + " - an output parameter was read before the call (expected: after)",
        "HY010");
  }

  @Override
  public Array getArray(String name) throws SQLException {
    return ran().getArray(name);
  }

  @Override
  public Array getArray(int index) throws SQLException {
    return ran().getArray(index);
  }

  @Override
  public BigDecimal getBigDecimal(String name) throws SQLException {
    return ran().getBigDecimal(name);
  }

  @Override
  public BigDecimal getBigDecimal(int index) throws SQLException {
    return ran().getBigDecimal(index);
  }

  @Override
  @Deprecated
  public BigDecimal getBigDecimal(int index, int scale) throws SQLException {
    return ran().getBigDecimal(index, scale);
  }

  @Override
  public Blob getBlob(String name) throws SQLException {
    return ran().getBlob(name);
  }

  @Override
  public Blob getBlob(int index) throws SQLException {
    return ran().getBlob(index);
  }

  @Override
  public boolean getBoolean(String name) throws SQLException {
    return ran().getBoolean(name);
  }

  @Override
  public boolean getBoolean(int index) throws SQLException {
    return ran().getBoolean(index);
  }

  @Override
  public byte getByte(String name) throws SQLException {
    return ran().getByte(name);
  }

  @Override
  public byte getByte(int index) throws SQLException {
    return ran().getByte(index);
  }

  @Override
  public byte[] getBytes(String name) throws SQLException {
    return ran().getBytes(name);
  }

  @Override
  public byte[] getBytes(int index) throws SQLException {
    return ran().getBytes(index);
  }

  @Override
  public Reader getCharacterStream(String name) throws SQLException {
    return ran().getCharacterStream(name);
  }

  @Override
  public Reader getCharacterStream(int index) throws SQLException {
    return ran().getCharacterStream(index);
  }

  @Override
  public Clob getClob(String name) throws SQLException {
    return ran().getClob(name);
  }

  @Override
  public Clob getClob(int index) throws SQLException {
    return ran().getClob(index);
  }

  @Override
  public Date getDate(String name) throws SQLException {
    return ran().getDate(name);
  }

  @Override
  public Date getDate(int index) throws SQLException {
    return ran().getDate(index);
  }

  @Override
  public Date getDate(String name, Calendar calendar) throws SQLException {
    return ran().getDate(name, calendar);
  }

  @Override
  public Date getDate(int index, Calendar calendar) throws SQLException {
    return ran().getDate(index, calendar);
  }

  @Override
  public double getDouble(String name) throws SQLException {
    return ran().getDouble(name);
  }

  @Override
  public double getDouble(int index) throws SQLException {
    return ran().getDouble(index);
  }

  @Override
  public float getFloat(String name) throws SQLException {
    return ran().getFloat(name);
  }

  @Override
  public float getFloat(int index) throws SQLException {
    return ran().getFloat(index);
  }

  @Override
  public int getInt(String name) throws SQLException {
    return ran().getInt(name);
  }

  @Override
  public int getInt(int index) throws SQLException {
    return ran().getInt(index);
  }

  @Override
  public long getLong(String name) throws SQLException {
    return ran().getLong(name);
  }

  @Override
  public long getLong(int index) throws SQLException {
    return ran().getLong(index);
  }

  @Override
  public Reader getNCharacterStream(String name) throws SQLException {
    return ran().getNCharacterStream(name);
  }

  @Override
  public Reader getNCharacterStream(int index) throws SQLException {
    return ran().getNCharacterStream(index);
  }

  @Override
  public NClob getNClob(String name) throws SQLException {
    return ran().getNClob(name);
  }

  @Override
  public NClob getNClob(int index) throws SQLException {
    return ran().getNClob(index);
  }

  @Override
  public String getNString(String name) throws SQLException {
    return ran().getNString(name);
  }

  @Override
  public String getNString(int index) throws SQLException {
    return ran().getNString(index);
  }

  @Override
  public Object getObject(String name) throws SQLException {
    return ran().getObject(name);
  }

  @Override
  public Object getObject(int index) throws SQLException {
    return ran().getObject(index);
  }

  @Override
  public <T> T getObject(String name, Class<T> type) throws SQLException {
    return ran().getObject(name, type);
  }

  @Override
  public Object getObject(String name, Map<String, Class<?>> map) throws SQLException {
    return ran().getObject(name, map);
  }

  @Override
  public <T> T getObject(int index, Class<T> type) throws SQLException {
    return ran().getObject(index, type);
  }

  @Override
  public Object getObject(int index, Map<String, Class<?>> map) throws SQLException {
    return ran().getObject(index, map);
  }

  @Override
  public Ref getRef(String name) throws SQLException {
    return ran().getRef(name);
  }

  @Override
  public Ref getRef(int index) throws SQLException {
    return ran().getRef(index);
  }

  @Override
  public RowId getRowId(String name) throws SQLException {
    return ran().getRowId(name);
  }

  @Override
  public RowId getRowId(int index) throws SQLException {
    return ran().getRowId(index);
  }

  @Override
  public SQLXML getSQLXML(String name) throws SQLException {
    return ran().getSQLXML(name);
  }

  @Override
  public SQLXML getSQLXML(int index) throws SQLException {
    return ran().getSQLXML(index);
  }

  @Override
  public short getShort(String name) throws SQLException {
    return ran().getShort(name);
  }

  @Override
  public short getShort(int index) throws SQLException {
    return ran().getShort(index);
  }

  @Override
  public String getString(String name) throws SQLException {
    return ran().getString(name);
  }

  @Override
  public String getString(int index) throws SQLException {
    return ran().getString(index);
  }

  @Override
  public Time getTime(String name) throws SQLException {
    return ran().getTime(name);
  }

  @Override
  public Time getTime(int index) throws SQLException {
    return ran().getTime(index);
  }

  @Override
  public Time getTime(String name, Calendar calendar) throws SQLException {
    return ran().getTime(name, calendar);
  }

  @Override
  public Time getTime(int index, Calendar calendar) throws SQLException {
    return ran().getTime(index, calendar);
  }

  @Override
  public Timestamp getTimestamp(String name) throws SQLException {
    return ran().getTimestamp(name);
  }

  @Override
  public Timestamp getTimestamp(int index) throws SQLException {
    return ran().getTimestamp(index);
  }

  @Override
  public Timestamp getTimestamp(String name, Calendar calendar) throws SQLException {
    return ran().getTimestamp(name, calendar);
  }

  @Override
  public Timestamp getTimestamp(int index, Calendar calendar) throws SQLException {
    return ran().getTimestamp(index, calendar);
  }

  @Override
  public URL getURL(String name) throws SQLException {
    return ran().getURL(name);
  }

  @Override
  public URL getURL(int index) throws SQLException {
    return ran().getURL(index);
  }

  @Override
  public void registerOutParameter(String name, int sqlType) throws SQLException {
    keep(call -> call.registerOutParameter(name, sqlType));
  }

  @Override
  public void registerOutParameter(String name, SQLType sqlType) throws SQLException {
    keep(call -> call.registerOutParameter(name, sqlType));
  }

  @Override
  public void registerOutParameter(int index, int sqlType) throws SQLException {
    keep(call -> call.registerOutParameter(index, sqlType));
  }

  @Override
  public void registerOutParameter(int index, SQLType sqlType) throws SQLException {
    keep(call -> call.registerOutParameter(index, sqlType));
  }

  @Override
  public void registerOutParameter(String name, int sqlType, String typeName) throws SQLException {
    keep(call -> call.registerOutParameter(name, sqlType, typeName));
  }

  @Override
  public void registerOutParameter(String name, int sqlType, int scale) throws SQLException {
    keep(call -> call.registerOutParameter(name, sqlType, scale));
  }

  @Override
  public void registerOutParameter(String name, SQLType sqlType, String typeName)
      throws SQLException {
    keep(call -> call.registerOutParameter(name, sqlType, typeName));
  }

  @Override
  public void registerOutParameter(String name, SQLType sqlType, int scale) throws SQLException {
    keep(call -> call.registerOutParameter(name, sqlType, scale));
  }

  @Override
  public void registerOutParameter(int index, int sqlType, String typeName) throws SQLException {
    keep(call -> call.registerOutParameter(index, sqlType, typeName));
  }

  @Override
  public void registerOutParameter(int index, int sqlType, int scale) throws SQLException {
    keep(call -> call.registerOutParameter(index, sqlType, scale));
  }

  @Override
  public void registerOutParameter(int index, SQLType sqlType, String typeName)
      throws SQLException {
    keep(call -> call.registerOutParameter(index, sqlType, typeName));
  }

  @Override
  public void registerOutParameter(int index, SQLType sqlType, int scale) throws SQLException {
    keep(call -> call.registerOutParameter(index, sqlType, scale));
  }

  @Override
  public void setAsciiStream(String name, InputStream value) throws SQLException {
    keep(call -> call.setAsciiStream(name, value));
  }

  @Override
  public void setAsciiStream(String name, InputStream value, int length) throws SQLException {
    keep(call -> call.setAsciiStream(name, value, length));
  }

  @Override
  public void setAsciiStream(String name, InputStream value, long length) throws SQLException {
    keep(call -> call.setAsciiStream(name, value, length));
  }

  @Override
  public void setBigDecimal(String name, BigDecimal value) throws SQLException {
    keep(call -> call.setBigDecimal(name, value));
  }

  @Override
  public void setBinaryStream(String name, InputStream value) throws SQLException {
    keep(call -> call.setBinaryStream(name, value));
  }

  @Override
  public void setBinaryStream(String name, InputStream value, int length) throws SQLException {
    keep(call -> call.setBinaryStream(name, value, length));
  }

  @Override
  public void setBinaryStream(String name, InputStream value, long length) throws SQLException {
    keep(call -> call.setBinaryStream(name, value, length));
  }

  @Override
  public void setBlob(String name, InputStream value) throws SQLException {
    keep(call -> call.setBlob(name, value));
  }

  @Override
  public void setBlob(String name, Blob value) throws SQLException {
    keep(call -> call.setBlob(name, value));
  }

  @Override
  public void setBlob(String name, InputStream value, long length) throws SQLException {
    keep(call -> call.setBlob(name, value, length));
  }

  @Override
  public void setBoolean(String name, boolean value) throws SQLException {
    keep(call -> call.setBoolean(name, value));
  }

  @Override
  public void setByte(String name, byte value) throws SQLException {
    keep(call -> call.setByte(name, value));
  }

  @Override
  public void setBytes(String name, byte[] value) throws SQLException {
    keep(call -> call.setBytes(name, value));
  }

  @Override
  public void setCharacterStream(String name, Reader value) throws SQLException {
    keep(call -> call.setCharacterStream(name, value));
  }

  @Override
  public void setCharacterStream(String name, Reader value, int length) throws SQLException {
    keep(call -> call.setCharacterStream(name, value, length));
  }

  @Override
  public void setCharacterStream(String name, Reader value, long length) throws SQLException {
    keep(call -> call.setCharacterStream(name, value, length));
  }

  @Override
  public void setClob(String name, Reader value) throws SQLException {
    keep(call -> call.setClob(name, value));
  }

  @Override
  public void setClob(String name, Clob value) throws SQLException {
    keep(call -> call.setClob(name, value));
  }

  @Override
  public void setClob(String name, Reader value, long length) throws SQLException {
    keep(call -> call.setClob(name, value, length));
  }

  @Override
  public void setDate(String name, Date value) throws SQLException {
    keep(call -> call.setDate(name, value));
  }

  @Override
  public void setDate(String name, Date value, Calendar calendar) throws SQLException {
    keep(call -> call.setDate(name, value, calendar));
  }

  @Override
  public void setDouble(String name, double value) throws SQLException {
    keep(call -> call.setDouble(name, value));
  }

  @Override
  public void setFloat(String name, float value) throws SQLException {
    keep(call -> call.setFloat(name, value));
  }

  @Override
  public void setInt(String name, int value) throws SQLException {
    keep(call -> call.setInt(name, value));
  }

  @Override
  public void setLong(String name, long length) throws SQLException {
    keep(call -> call.setLong(name, length));
  }

  @Override
  public void setNCharacterStream(String name, Reader value) throws SQLException {
    keep(call -> call.setNCharacterStream(name, value));
  }

  @Override
  public void setNCharacterStream(String name, Reader value, long length) throws SQLException {
    keep(call -> call.setNCharacterStream(name, value, length));
  }

  @Override
  public void setNClob(String name, Reader value) throws SQLException {
    keep(call -> call.setNClob(name, value));
  }

  @Override
  public void setNClob(String name, NClob value) throws SQLException {
    keep(call -> call.setNClob(name, value));
  }

  @Override
  public void setNClob(String name, Reader value, long length) throws SQLException {
    keep(call -> call.setNClob(name, value, length));
  }

  @Override
  public void setNString(String name, String value) throws SQLException {
    keep(call -> call.setNString(name, value));
  }

  @Override
  public void setNull(String name, int sqlType) throws SQLException {
    keep(call -> call.setNull(name, sqlType));
  }

  @Override
  public void setNull(String name, int sqlType, String typeName) throws SQLException {
    keep(call -> call.setNull(name, sqlType, typeName));
  }

  @Override
  public void setObject(String name, Object value) throws SQLException {
    keep(call -> call.setObject(name, value));
  }

  @Override
  public void setObject(String name, Object value, int sqlType) throws SQLException {
    keep(call -> call.setObject(name, value, sqlType));
  }

  @Override
  public void setObject(String name, Object value, SQLType sqlType) throws SQLException {
    keep(call -> call.setObject(name, value, sqlType));
  }

  @Override
  public void setObject(String name, Object value, int sqlType, int scale) throws SQLException {
    keep(call -> call.setObject(name, value, sqlType, scale));
  }

  @Override
  public void setObject(String name, Object value, SQLType sqlType, int scale) throws SQLException {
    keep(call -> call.setObject(name, value, sqlType, scale));
  }

  @Override
  public void setRowId(String name, RowId value) throws SQLException {
    keep(call -> call.setRowId(name, value));
  }

  @Override
  public void setSQLXML(String name, SQLXML value) throws SQLException {
    keep(call -> call.setSQLXML(name, value));
  }

  @Override
  public void setShort(String name, short value) throws SQLException {
    keep(call -> call.setShort(name, value));
  }

  @Override
  public void setString(String name, String value) throws SQLException {
    keep(call -> call.setString(name, value));
  }

  @Override
  public void setTime(String name, Time value) throws SQLException {
    keep(call -> call.setTime(name, value));
  }

  @Override
  public void setTime(String name, Time value, Calendar calendar) throws SQLException {
    keep(call -> call.setTime(name, value, calendar));
  }

  @Override
  public void setTimestamp(String name, Timestamp value) throws SQLException {
    keep(call -> call.setTimestamp(name, value));
  }

  @Override
  public void setTimestamp(String name, Timestamp value, Calendar calendar) throws SQLException {
    keep(call -> call.setTimestamp(name, value, calendar));
  }

  @Override
  public void setURL(String name, URL value) throws SQLException {
    keep(call -> call.setURL(name, value));
  }

  @Override
  public boolean wasNull() throws SQLException {
    return ran().wasNull();
  }
}
