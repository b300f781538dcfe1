package dev.leeway.statement;

/**
 * What a SQL text does, as far as a router must know.
 *
 * <p>Only {@link #PLAIN_READ} is ever recognised positively. Every other kind, and above all {@link
 * #UNKNOWN}, means that a replica must not be given the text.
 *
 * <p>Where a text does several things, the kind is the one that asks for most care. The kind says
 * what the <em>text</em> does: a routine it calls, a trigger or a view behind a table may do more,
 * which is why {@link #CALL} and {@link #FUNCTION_CALL} are kinds of their own.
 */
public enum StatementKind {
  /**
   * Reads rows, locks none, changes nothing, and any server with the same data gives the same
   * answer.
   *
   * <p>Facts of the answering server that a reader asks for on purpose count as plain too: {@code
   * VERSION()}, {@code @@global.…} and read-only variables such as {@code @@server_uuid}.
   */
  PLAIN_READ,

  /**
   * Reads what is true of one server, such as its process list or its replication status: harmless
   * anywhere, but another server answers something else.
   */
  INSTANCE_READ,

  /**
   * Reads what only the caller's own server session knows: {@code LAST_INSERT_ID()}, a user
   * variable, {@code @@autocommit}, {@code SHOW WARNINGS}. Must run on the connection that ran the
   * statements before it.
   */
  SESSION_READ,

  /**
   * Reads and takes row locks: {@code FOR UPDATE}, {@code FOR SHARE}, {@code LOCK IN SHARE MODE}.
   */
  LOCKING_READ,

  /**
   * Would be a read, but calls a function that is neither built in nor declared read-only, which
   * may write.
   */
  FUNCTION_CALL,

  /** Runs a stored procedure or a prepared text, which may do anything. */
  CALL,

  /** Changes rows, writes a file, or changes a setting of the whole server. */
  WRITE,

  /**
   * Defines or administers something, and commits whatever transaction is open by doing so: {@code
   * CREATE}, {@code ALTER}, {@code TRUNCATE}, {@code GRANT}, {@code ANALYZE TABLE}…
   */
  COMMITTING_WRITE,

  /**
   * Opens a transaction that may write: {@code BEGIN}, {@code START TRANSACTION}, {@code XA START}.
   */
  TRANSACTION_START,

  /**
   * Opens a transaction that the server keeps from writing: {@code START TRANSACTION READ ONLY}.
   */
  TRANSACTION_START_READ_ONLY,

  /**
   * Ends the transaction: {@code COMMIT}, {@code ROLLBACK}.
   *
   * <p>A session whose {@code completion_type} was set to {@code CHAIN} opens the next one at once,
   * which the text does not show.
   */
  TRANSACTION_END,

  /** Ends the transaction and opens the next in one step: {@code COMMIT AND CHAIN}. */
  TRANSACTION_CHAIN,

  /**
   * Belongs to the transaction that is open and leaves it open: {@code SAVEPOINT}, {@code ROLLBACK
   * TO}, {@code RELEASE SAVEPOINT}, {@code XA END}, {@code XA PREPARE}.
   */
  WITHIN_TRANSACTION,

  /**
   * Switches autocommit off, alone or among other settings: a transaction in waiting, and the next
   * one begins at every commit.
   *
   * <p>A value that the text does not show ({@code SET autocommit = ?}) counts as off, since the
   * other guess would split a transaction over two servers.
   */
  AUTOCOMMIT_OFF,

  /**
   * Switches autocommit on. If it was off, that commits the open transaction; if it was on already,
   * a transaction that {@code BEGIN} opened stays open.
   */
  AUTOCOMMIT_ON,

  /**
   * Sets what another connection can be given by sending it the same text: session variables with
   * literal values, {@code SET NAMES}, {@code SET ROLE}, {@code USE}.
   */
  SESSION_SETTING,

  /**
   * Leaves something on this connection that no other can be given: a user variable, a temporary
   * table, a lock, a prepared text. May also write, as in {@code SET @x = next_no()}.
   */
  SESSION_CHANGE,

  /**
   * Not recognised, not finished, or several statements of unlike kinds in one text. Anything may
   * be in it.
   */
  UNKNOWN;

  /** Whether any replica that is fresh enough may be given the text: true of a plain read only. */
  public boolean mayUseReplica() {
    return this == PLAIN_READ;
  }

  /** Whether the text may change data, a routine it calls by name included. */
  public boolean mayWrite() {
    return switch (this) {
      case WRITE, COMMITTING_WRITE, CALL, FUNCTION_CALL, SESSION_CHANGE, UNKNOWN -> true;
      default -> false;
    };
  }

  /**
   * Whether a transaction is open, or opens with the next statement, after the text ran.
   *
   * <p>False for {@link #CALL} and {@link #UNKNOWN}, whose effect on the transaction only the
   * server's answer shows.
   */
  public boolean startsTransaction() {
    return switch (this) {
      case TRANSACTION_START, TRANSACTION_START_READ_ONLY, TRANSACTION_CHAIN, AUTOCOMMIT_OFF ->
          true;
      default -> false;
    };
  }

  /**
   * Whether the transaction that was open before the text has ended once it ran, be it that the
   * next one began at once. With autocommit off, the next one begins with the next statement.
   *
   * <p>False for {@link #AUTOCOMMIT_ON}, which ends a transaction only where autocommit was off,
   * and for every kind whose texts do not all end one. To believe in a transaction that has ended
   * costs a read on the primary; the other way round it is split over two servers.
   */
  public boolean endsTransaction() {
    return switch (this) {
      case TRANSACTION_START,
          TRANSACTION_START_READ_ONLY,
          TRANSACTION_END,
          TRANSACTION_CHAIN,
          COMMITTING_WRITE ->
          true;
      default -> false;
    };
  }

  /**
   * Whether the text itself leaves state on its connection, so that later statements of the same
   * caller belong there. A routine that the text calls is not looked into.
   */
  public boolean leavesSessionState() {
    return switch (this) {
      case SESSION_SETTING, SESSION_CHANGE, AUTOCOMMIT_OFF, AUTOCOMMIT_ON, UNKNOWN -> true;
      default -> false;
    };
  }
}
