package dev.leeway.statement;

/**
 * What an unquoted word means to us. Words that are handled alike share a constant; a word that
 * needs its own rule has its own.
 */
enum Word {
  /** Not a keyword, or one that may name things: harmless, unless a parenthesis follows. */
  NAME(Part.NAME),
  /** A reserved word that has its place in plain reads and is never a stored function's name. */
  QUERY_WORD(Part.QUERY),
  /** A reserved word that has no place in a plain read. */
  FORBIDDEN(Part.FORBIDDEN),

  // Functions that are not reserved words; each is a plain name unless a parenthesis follows.
  /**
   * A built-in function whose value depends on nothing but its arguments, the data and the clock.
   */
  FUNCTION(Part.NAME),
  SUBSTRING(Part.NAME),
  SESSION_FUNCTION(Part.NAME),
  /** Asks with empty parentheses, sets with an argument. */
  LAST_INSERT_ID(Part.NAME),
  SESSION_CHANGING_FUNCTION(Part.NAME),
  INSTANCE_FUNCTION(Part.NAME),

  // Words of queries with a rule of their own.
  SELECT(Part.QUERY),
  TABLE(Part.QUERY),
  VALUES(Part.QUERY),
  WITH(Part.QUERY),
  FROM(Part.QUERY),
  JOIN(Part.QUERY),
  AS(Part.QUERY),
  FOR(Part.QUERY),
  INTO(Part.QUERY),
  LOCK(Part.QUERY),
  SET(Part.QUERY),
  CHARACTER(Part.QUERY),
  INDEX(Part.QUERY),
  ORDER_OR_GROUP(Part.QUERY),
  ENDS_FROM_LIST(Part.QUERY),
  CONVERT(Part.QUERY),
  JSON_TABLE(Part.QUERY),
  MATCH(Part.QUERY),
  SQL_CALC_FOUND_ROWS(Part.QUERY),
  DESC(Part.QUERY),
  /** {@code INSERT} and {@code REPLACE}: statements, and functions where a parenthesis follows. */
  INSERT_OR_REPLACE(Part.QUERY),
  UPDATE(Part.FORBIDDEN),
  DELETE(Part.FORBIDDEN),
  USE(Part.QUERY),
  USING(Part.QUERY),
  RELEASE(Part.FORBIDDEN),
  EXPLAIN(Part.FORBIDDEN),
  SHOW(Part.FORBIDDEN),
  CALL(Part.FORBIDDEN),
  LOAD(Part.FORBIDDEN),
  CREATE(Part.FORBIDDEN),
  DROP(Part.FORBIDDEN),
  ALTER(Part.FORBIDDEN),
  UNLOCK(Part.FORBIDDEN),
  GET(Part.FORBIDDEN),
  KILL_OR_PURGE(Part.FORBIDDEN),
  /** Reserved words that open a statement which defines or administers. */
  COMMITTING_RESERVED(Part.FORBIDDEN),

  // Words that are names inside a query.
  ANY_OR_SOME(Part.NAME),
  AGAINST(Part.NAME),
  COLUMNS(Part.NAME),
  /** A type that takes a length in parentheses and may be a function's name elsewhere. */
  TYPE(Part.NAME),
  TRUNCATE(Part.NAME),
  COMMITTING(Part.NAME),
  /** Words that open a statement which changes the server and commits nothing. */
  ADMINISTRATION(Part.NAME),
  CHECKSUM(Part.NAME),
  FLUSH(Part.NAME),
  BEGIN(Part.NAME),
  START(Part.NAME),
  COMMIT(Part.NAME),
  ROLLBACK(Part.NAME),
  SAVEPOINT(Part.NAME),
  XA(Part.NAME),
  DO(Part.NAME),
  HANDLER(Part.NAME),
  PREPARE(Part.NAME),
  EXECUTE(Part.NAME),
  DEALLOCATE(Part.NAME);

  private enum Part {
    NAME,
    QUERY,
    FORBIDDEN
  }

  private final Part part;

  Word(Part part) {
    this.part = part;
  }

  /** Whether the word, where no dot stands before it, may be the name of something. */
  boolean mayBeName() {
    return part == Part.NAME;
  }

  boolean isForbiddenInReads() {
    return part == Part.FORBIDDEN;
  }
}
