package dev.leeway.routing.connection;

import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Savepoint;
import java.sql.ShardingKey;
import java.sql.Statement;
import java.sql.Struct;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executor;

/** Passes every call on. */
abstract class DelegatingConnection implements Connection {
  final Connection connection;

  DelegatingConnection(Connection connection) {
    this.connection = connection;
  }

  @Override
  public void abort(Executor executor) throws SQLException {
    connection.abort(executor);
  }

  @Override
  public void beginRequest() throws SQLException {
    connection.beginRequest();
  }

  @Override
  public void clearWarnings() throws SQLException {
    connection.clearWarnings();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }

  @Override
  public void commit() throws SQLException {
    connection.commit();
  }

  @Override
  public Array createArrayOf(String name, Object[] value) throws SQLException {
    return connection.createArrayOf(name, value);
  }

  @Override
  public Blob createBlob() throws SQLException {
    return connection.createBlob();
  }

  @Override
  public Clob createClob() throws SQLException {
    return connection.createClob();
  }

  @Override
  public NClob createNClob() throws SQLException {
    return connection.createNClob();
  }

  @Override
  public SQLXML createSQLXML() throws SQLException {
    return connection.createSQLXML();
  }

  @Override
  public Statement createStatement() throws SQLException {
    return connection.createStatement();
  }

  @Override
  public Statement createStatement(int value, int value2) throws SQLException {
    return connection.createStatement(value, value2);
  }

  @Override
  public Statement createStatement(int value, int value2, int length) throws SQLException {
    return connection.createStatement(value, value2, length);
  }

  @Override
  public Struct createStruct(String name, Object[] value) throws SQLException {
    return connection.createStruct(name, value);
  }

  @Override
  public void endRequest() throws SQLException {
    connection.endRequest();
  }

  @Override
  public boolean getAutoCommit() throws SQLException {
    return connection.getAutoCommit();
  }

  @Override
  public String getCatalog() throws SQLException {
    return connection.getCatalog();
  }

  @Override
  public Properties getClientInfo() throws SQLException {
    return connection.getClientInfo();
  }

  @Override
  public String getClientInfo(String name) throws SQLException {
    return connection.getClientInfo(name);
  }

  @Override
  public int getHoldability() throws SQLException {
    return connection.getHoldability();
  }

  @Override
  public DatabaseMetaData getMetaData() throws SQLException {
    return connection.getMetaData();
  }

  @Override
  public int getNetworkTimeout() throws SQLException {
    return connection.getNetworkTimeout();
  }

  @Override
  public String getSchema() throws SQLException {
    return connection.getSchema();
  }

  @Override
  public int getTransactionIsolation() throws SQLException {
    return connection.getTransactionIsolation();
  }

  @Override
  public Map<String, Class<?>> getTypeMap() throws SQLException {
    return connection.getTypeMap();
  }

  @Override
  public SQLWarning getWarnings() throws SQLException {
    return connection.getWarnings();
  }

  @Override
  public boolean isClosed() throws SQLException {
    return connection.isClosed();
  }

  @Override
  public boolean isReadOnly() throws SQLException {
    return connection.isReadOnly();
  }

  @Override
  public boolean isValid(int value) throws SQLException {
    return connection.isValid(value);
  }

  @Override
  public String nativeSQL(String sql) throws SQLException {
    return connection.nativeSQL(sql);
  }

  @Override
  public CallableStatement prepareCall(String sql) throws SQLException {
    return connection.prepareCall(sql);
  }

  @Override
  public CallableStatement prepareCall(String sql, int value, int length) throws SQLException {
    return connection.prepareCall(sql, value, length);
  }

  @Override
  public CallableStatement prepareCall(String sql, int value, int length, int length2)
      throws SQLException {
    return connection.prepareCall(sql, value, length, length2);
  }

  @Override
  public PreparedStatement prepareStatement(String sql) throws SQLException {
    return connection.prepareStatement(sql);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int[] columnIndexes) throws SQLException {
    return connection.prepareStatement(sql, columnIndexes);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, String[] columnNames) throws SQLException {
    return connection.prepareStatement(sql, columnNames);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int autoGeneratedKeys) throws SQLException {
    return connection.prepareStatement(sql, autoGeneratedKeys);
  }

  @Override
  public PreparedStatement prepareStatement(
      String sql, int autoGeneratedKeys, int autoGeneratedKeys2) throws SQLException {
    return connection.prepareStatement(sql, autoGeneratedKeys, autoGeneratedKeys2);
  }

  @Override
  public PreparedStatement prepareStatement(
      String sql, int autoGeneratedKeys, int autoGeneratedKeys2, int autoGeneratedKeys3)
      throws SQLException {
    return connection.prepareStatement(
        sql, autoGeneratedKeys, autoGeneratedKeys2, autoGeneratedKeys3);
  }

  @Override
  public void releaseSavepoint(Savepoint value) throws SQLException {
    connection.releaseSavepoint(value);
  }

  @Override
  public void rollback() throws SQLException {
    connection.rollback();
  }

  @Override
  public void rollback(Savepoint value) throws SQLException {
    connection.rollback(value);
  }

  @Override
  public void setAutoCommit(boolean value) throws SQLException {
    connection.setAutoCommit(value);
  }

  @Override
  public void setCatalog(String name) throws SQLException {
    connection.setCatalog(name);
  }

  @Override
  public void setClientInfo(Properties value) throws SQLClientInfoException {
    connection.setClientInfo(value);
  }

  @Override
  public void setClientInfo(String name, String value) throws SQLClientInfoException {
    connection.setClientInfo(name, value);
  }

  @Override
  public void setHoldability(int value) throws SQLException {
    connection.setHoldability(value);
  }

  @Override
  public void setNetworkTimeout(Executor executor, int value) throws SQLException {
    connection.setNetworkTimeout(executor, value);
  }

  @Override
  public void setReadOnly(boolean value) throws SQLException {
    connection.setReadOnly(value);
  }

  @Override
  public Savepoint setSavepoint() throws SQLException {
    return connection.setSavepoint();
  }

  @Override
  public Savepoint setSavepoint(String name) throws SQLException {
    return connection.setSavepoint(name);
  }

  @Override
  public void setSchema(String name) throws SQLException {
    connection.setSchema(name);
  }

  @Override
  public void setShardingKey(ShardingKey value) throws SQLException {
    connection.setShardingKey(value);
  }

  @Override
  public void setShardingKey(ShardingKey value, ShardingKey value2) throws SQLException {
    connection.setShardingKey(value, value2);
  }

  @Override
  public boolean setShardingKeyIfValid(ShardingKey value, int value2) throws SQLException {
    return connection.setShardingKeyIfValid(value, value2);
  }

  @Override
  public boolean setShardingKeyIfValid(ShardingKey value, ShardingKey value2, int length)
      throws SQLException {
    return connection.setShardingKeyIfValid(value, value2, length);
  }

  @Override
  public void setTransactionIsolation(int value) throws SQLException {
    connection.setTransactionIsolation(value);
  }

  @Override
  public void setTypeMap(Map<String, Class<?>> map) throws SQLException {
    connection.setTypeMap(map);
  }
}
