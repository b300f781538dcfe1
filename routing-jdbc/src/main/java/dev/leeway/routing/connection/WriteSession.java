package dev.leeway.routing.connection;

import dev.leeway.gate.GtidSet;
import org.jspecify.annotations.Nullable;

/**
 * What a server tells about a session besides rows: what it committed, and whether it is in a
 * transaction.
 */
public interface WriteSession {
  /** The GTIDs that came with the answers since the last call; null if none came. */
  @Nullable GtidSet takeGtids();

  /** The schema that the server last said the session has changed to; null if it has not. */
  @Nullable String changedSchema();

  /** Whether the server said, with its last answer, that a transaction is open. */
  boolean inTransaction();

  /** Whether the server said, with its last answer, that autocommit is off. */
  boolean autocommitOff();
}
