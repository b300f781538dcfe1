package dev.leeway.routing.connection;

import java.sql.Connection;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What was set on a connection that may have no physical one yet, so that whichever it gets is set
 * the same way. Made when something is set for the first time.
 */
final class SessionSettings {
  private @Nullable String catalog;
  private @Nullable String schema;
  private @Nullable Integer isolation;
  private @Nullable Integer holdability;
  private @Nullable Integer networkTimeoutMillis;
  private @Nullable Executor networkTimeoutExecutor;
  private @Nullable Map<String, Class<?>> typeMap;
  private final Map<String, String> clientInfo = new LinkedHashMap<>();

  /** Sets everything that was set so far. */
  void applyTo(Connection physical) throws SQLException {
    if (catalog != null) {
      physical.setCatalog(catalog);
    }
    if (schema != null) {
      physical.setSchema(schema);
    }
    if (isolation != null) {
      physical.setTransactionIsolation(isolation);
    }
    if (holdability != null) {
      physical.setHoldability(holdability);
    }
    if (networkTimeoutMillis != null && networkTimeoutExecutor != null) {
      physical.setNetworkTimeout(networkTimeoutExecutor, networkTimeoutMillis);
    }
    if (typeMap != null) {
      physical.setTypeMap(typeMap);
    }
    for (Map.Entry<String, String> entry : clientInfo.entrySet()) {
      physical.setClientInfo(entry.getKey(), entry.getValue());
    }
  }

  /**
   * Undoes what the pool does not undo by itself, so that the next borrower finds it clean.
   *
   * @param database the schema that connections begin with; empty for none, to which no connection
   *     can be brought back
   * @return whether it is clean now; if not, it must not be used again
   */
  boolean cleanBeforeReturn(Connection physical, String database) throws SQLException {
    if (typeMap != null) {
      physical.setTypeMap(Map.of());
    }
    if (!clientInfo.isEmpty()) {
      physical.setClientInfo(new Properties());
    }
    if (schema != null && !database.isEmpty()) {
      // Means the database where the URL says databaseTerm=SCHEMA, and nothing elsewhere.
      physical.setSchema(database);
    }
    return !database.isEmpty()
        || (catalog == null && (schema == null || physical.getSchema() == null));
  }

  void catalog(String value) {
    catalog = value;
  }

  @Nullable String catalog() {
    return catalog;
  }

  void schema(@Nullable String value) {
    schema = value;
  }

  @Nullable String schema() {
    return schema;
  }

  void isolation(int value) {
    isolation = value;
  }

  @Nullable Integer isolation() {
    return isolation;
  }

  void holdability(int value) {
    holdability = value;
  }

  @Nullable Integer holdability() {
    return holdability;
  }

  void networkTimeout(Executor executor, int millis) {
    networkTimeoutExecutor = executor;
    networkTimeoutMillis = millis;
  }

  @Nullable Integer networkTimeoutMillis() {
    return networkTimeoutMillis;
  }

  void typeMap(Map<String, Class<?>> value) {
    typeMap = value;
  }

  @Nullable Map<String, Class<?>> typeMap() {
    return typeMap;
  }

  void clientInfo(String name, @Nullable String value) {
    if (value == null) {
      clientInfo.remove(name);
    } else {
      clientInfo.put(name, value);
    }
  }

  void clientInfo(Properties properties) throws SQLClientInfoException {
    clientInfo.clear();
    for (String name : properties.stringPropertyNames()) {
      clientInfo.put(name, properties.getProperty(name));
    }
  }

  @Nullable String clientInfo(String name) {
    return clientInfo.get(name);
  }

  Properties clientInfo() {
    Properties properties = new Properties();
    properties.putAll(clientInfo);
    return properties;
  }
}
