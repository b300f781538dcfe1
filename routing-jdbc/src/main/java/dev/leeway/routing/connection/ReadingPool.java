package dev.leeway.routing.connection;

import com.zaxxer.hikari.HikariDataSource;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Connections for reading, all to one server: the one that answered at its address when the pool
 * was made. Thread-safe.
 */
final class ReadingPool {
  private final HikariDataSource connections;
  private final ConnectionShelf shelf;
  private final OpenedConnections opened;
  private final @Nullable UUID server;

  ReadingPool(HikariDataSource connections, OpenedConnections opened, @Nullable UUID server) {
    this.connections = connections;
    this.opened = opened;
    this.shelf = new ConnectionShelf(connections);
    this.server = server;
  }

  HikariDataSource connections() {
    return connections;
  }

  ConnectionShelf shelf() {
    return shelf;
  }

  OpenedConnections opened() {
    return opened;
  }

  /** Whether its connections lead to the server of this {@code server_uuid}. */
  boolean leadsTo(@Nullable UUID uuid) {
    return server == uuid || Objects.equals(server, uuid);
  }
}
