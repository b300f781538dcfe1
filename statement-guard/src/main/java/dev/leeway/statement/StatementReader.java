package dev.leeway.statement;

import static dev.leeway.statement.StatementKind.CALL;
import static dev.leeway.statement.StatementKind.COMMITTING_WRITE;
import static dev.leeway.statement.StatementKind.INSTANCE_READ;
import static dev.leeway.statement.StatementKind.PLAIN_READ;
import static dev.leeway.statement.StatementKind.SESSION_CHANGE;
import static dev.leeway.statement.StatementKind.SESSION_READ;
import static dev.leeway.statement.StatementKind.SESSION_SETTING;
import static dev.leeway.statement.StatementKind.TRANSACTION_CHAIN;
import static dev.leeway.statement.StatementKind.TRANSACTION_END;
import static dev.leeway.statement.StatementKind.TRANSACTION_START;
import static dev.leeway.statement.StatementKind.TRANSACTION_START_READ_ONLY;
import static dev.leeway.statement.StatementKind.UNKNOWN;
import static dev.leeway.statement.StatementKind.WITHIN_TRANSACTION;
import static dev.leeway.statement.StatementKind.WRITE;

import dev.leeway.statement.Lexer.Token;
import dev.leeway.statement.QueryReader.TableUse;
import org.jspecify.annotations.Nullable;

/**
 * Reads a whole text, statement by statement, and finds out what it does.
 *
 * <p>The first word decides how the rest of a statement is read. Mutable, and reused from text to
 * text so that reading allocates nothing; for one thread at a time.
 */
final class StatementReader {
  private final Lexer lexer;

  /** What the statement does that is being read. */
  private final Finding statement = new Finding();

  /** What the statements read so far do together. */
  private final Finding text = new Finding();

  private final QueryReader query;
  private final SetReader set;
  private final ShowReader show;

  private @Nullable TableNames tables;
  private int statements;

  StatementReader(
      boolean ansiQuotes, boolean backslashEscapes, ReadOnlyFunctions readOnlyFunctions) {
    lexer = new Lexer(ansiQuotes, backslashEscapes);
    query = new QueryReader(lexer, statement, readOnlyFunctions);
    set = new SetReader(lexer, statement);
    show = new ShowReader(lexer, statement, query);
  }

  /**
   * Reads the text.
   *
   * @param newTables takes the names of its tables; null if nobody asks for them
   * @return the finding, which stays valid until the next text is read
   */
  Finding read(String sql, @Nullable TableNames newTables) {
    this.tables = newTables;
    query.collectInto(newTables);
    readAs(sql, false);
    if (text.kind == PLAIN_READ && lexer.sawNewerComment()) {
      // Some servers read the comment and some skip it, so the text must be harmless both ways.
      boolean moreThanTwoWays = lexer.sawSeveralNewerVersions();
      readAs(sql, true);
      if (moreThanTwoWays) {
        text.raise(UNKNOWN, 0, 0);
      }
    }
    lexer.release();
    query.collectInto(null);
    this.tables = null;
    return text;
  }

  /** How many statements the text holds that was read last; empty ones do not count. */
  int statements() {
    return statements;
  }

  private void readAs(String sql, boolean oldServer) {
    lexer.begin(sql, oldServer);
    lexer.next();
    statements = 0;
    text.reset();
    while (lexer.token != Token.END) {
      if (lexer.isSymbol(';')) {
        lexer.next();
        continue;
      }
      statement.reset();
      readStatement();
      statements++;
      if (statements == 1) {
        text.set(statement.kind, statement.causeStart, statement.causeEnd);
      } else {
        text.combine(statement);
      }
      if (lexer.token == Token.BROKEN) {
        text.set(UNKNOWN, lexer.start, lexer.end);
        return;
      }
    }
    if (statements == 0) {
      text.set(UNKNOWN, 0, 0);
    }
  }

  private void is(StatementKind kind) {
    statement.set(kind, lexer.start, lexer.end);
  }

  private void readStatement() {
    if (lexer.isSymbol('(')) {
      query.readQuery();
      return;
    }
    if (lexer.isSymbol('{')) {
      readEscape();
      return;
    }
    if (lexer.token != Token.WORD) {
      is(UNKNOWN);
      skipToEnd();
      return;
    }
    switch (lexer.word) {
      case SELECT, WITH, TABLE, VALUES -> query.readQuery();
      case INSERT_OR_REPLACE -> readInsert();
      case UPDATE -> readUpdate();
      case DELETE -> readDelete();
      case TRUNCATE -> readTruncate();
      case LOAD -> readLoad();
      case SET -> {
        lexer.next();
        set.read();
      }
      case SHOW -> {
        lexer.next();
        show.read();
      }
      case EXPLAIN, DESC -> readExplain();
      case BEGIN -> readBegin();
      case START -> readStart();
      case COMMIT, ROLLBACK -> readTransactionEnd();
      case SAVEPOINT -> isWhole(WITHIN_TRANSACTION);
      case RELEASE -> readRelease();
      case XA -> readXa();
      case CALL, EXECUTE -> {
        is(CALL);
        query.readRest();
      }
      case DO -> readDo();
      case USE -> isWhole(SESSION_SETTING);
      case LOCK, UNLOCK, HANDLER, PREPARE, DEALLOCATE, GET -> isWhole(SESSION_CHANGE);
      case FLUSH -> readFlush();
      case CREATE -> readCreate();
      case DROP -> readDrop();
      case ALTER, COMMITTING, COMMITTING_RESERVED -> readDefinition();
      case KILL_OR_PURGE, ADMINISTRATION -> isWhole(WRITE);
      case CHECKSUM -> isWhole(INSTANCE_READ);
      default -> isWhole(UNKNOWN);
    }
  }

  /** Says what the statement is, whatever follows its first word. */
  private void isWhole(StatementKind kind) {
    is(kind);
    skipToEnd();
  }

  private void skipToEnd() {
    while (!lexer.isEnd()) {
      lexer.next();
    }
  }

  /** Goes over one token of the statement, whatever it is. */
  private void skipOne() {
    if (!lexer.isEnd()) {
      lexer.next();
    }
  }

  private boolean skip(String capitals) {
    if (lexer.is(capitals)) {
      lexer.next();
      return true;
    }
    return false;
  }

  // ---- writes ----

  private void readInsert() {
    is(WRITE);
    lexer.next();
    skipModifiers();
    skip("INTO");
    query.readRestFromTables(TableUse.WRITTEN);
  }

  private void readUpdate() {
    is(WRITE);
    lexer.next();
    skipModifiers();
    query.readRestFromTables(TableUse.READ_AND_WRITTEN);
  }

  private void readDelete() {
    is(WRITE);
    lexer.next();
    skipModifiers();
    query.readRestOfDelete();
  }

  private void readTruncate() {
    is(COMMITTING_WRITE);
    lexer.next();
    skip("TABLE");
    readDefinedNames();
  }

  private void readLoad() {
    is(WRITE);
    while (!lexer.isEnd() && !lexer.is("TABLE")) {
      lexer.next();
    }
    skip("TABLE");
    query.readRestFromTables(TableUse.WRITTEN);
  }

  private void skipModifiers() {
    while (lexer.is("LOW_PRIORITY")
        || lexer.is("HIGH_PRIORITY")
        || lexer.is("DELAYED")
        || lexer.is("QUICK")
        || lexer.is("IGNORE")) {
      lexer.next();
    }
  }

  private void readDefinition() {
    is(COMMITTING_WRITE);
    lexer.next();
    if (lexer.is("PERSIST")) {
      // RESET PERSIST, the one of these that commits nothing.
      is(WRITE);
    }
    readDefinitionTables();
  }

  private void readFlush() {
    is(COMMITTING_WRITE);
    lexer.next();
    boolean lockedTables = false;
    while (!lexer.isEnd()) {
      lockedTables |= lexer.is("WITH") || lexer.is("FOR");
      lexer.next();
    }
    if (lockedTables) {
      statement.set(SESSION_CHANGE, statement.causeStart, statement.causeEnd);
    }
  }

  private void readCreate() {
    is(COMMITTING_WRITE);
    lexer.next();
    boolean routine = false;
    while (!lexer.isEnd() && !lexer.isSymbol('(') && !lexer.is("AS") && !lexer.is("TABLE")) {
      if (lexer.is("TEMPORARY")) {
        is(SESSION_CHANGE);
      }
      routine |=
          lexer.is("PROCEDURE") || lexer.is("FUNCTION") || lexer.is("TRIGGER") || lexer.is("EVENT");
      lexer.next();
    }
    if (routine) {
      // The semicolons in its body end no statement of ours.
      while (lexer.token != Token.END && lexer.token != Token.BROKEN) {
        lexer.next();
      }
      return;
    }
    readDefinitionTables();
  }

  private void readDrop() {
    is(COMMITTING_WRITE);
    lexer.next();
    if (lexer.is("TEMPORARY") || lexer.is("PREPARE")) {
      is(SESSION_CHANGE);
      lexer.next();
    }
    readDefinitionTables();
  }

  /** Notes the tables after the word TABLE, and goes to the end of the statement. */
  private void readDefinitionTables() {
    while (!lexer.isEnd() && !lexer.is("TABLE") && !lexer.is("TABLES")) {
      lexer.next();
    }
    if (!lexer.isEnd()) {
      lexer.next();
      readDefinedNames();
    }
  }

  /** Notes the names of a list of tables as written, and goes to the end of the statement. */
  private void readDefinedNames() {
    while (lexer.is("IF") || lexer.is("NOT") || lexer.is("EXISTS")) {
      lexer.next();
    }
    boolean nameNext = true;
    int start = -1;
    int end = -1;
    while (true) {
      boolean continues = lexer.isSymbol('.') || (lexer.isName() && nameNext);
      if (!continues || lexer.isEnd()) {
        if (start >= 0 && tables != null) {
          tables.writes(lexer.text().substring(start, end).replace("`", ""));
        }
        start = -1;
        nameNext = false;
        if (!lexer.isSymbol(',') && !lexer.is("TO")) {
          break;
        }
        nameNext = true;
      } else if (lexer.isName()) {
        start = start < 0 ? lexer.start : start;
        end = lexer.end;
        nameNext = false;
      } else {
        nameNext = true;
      }
      lexer.next();
    }
    skipToEnd();
  }

  // ---- transactions ----

  private void readBegin() {
    is(TRANSACTION_START);
    lexer.next();
    skip("WORK");
    unknownUnlessAtEnd();
  }

  private void unknownUnlessAtEnd() {
    if (!lexer.isEnd()) {
      is(UNKNOWN);
      skipToEnd();
    }
  }

  private void readStart() {
    is(COMMITTING_WRITE);
    lexer.next();
    if (!lexer.is("TRANSACTION")) {
      // START REPLICA, START GROUP_REPLICATION.
      skipToEnd();
      return;
    }
    statement.set(TRANSACTION_START, statement.causeStart, lexer.end);
    lexer.next();
    if (lexer.isEnd()) {
      return;
    }
    while (readCharacteristic() && lexer.isSymbol(',')) {
      lexer.next();
    }
    unknownUnlessAtEnd();
  }

  /** Reads one of the comma-separated properties of a new transaction. */
  private boolean readCharacteristic() {
    boolean known;
    if (skip("READ")) {
      if (lexer.is("ONLY")) {
        statement.set(TRANSACTION_START_READ_ONLY, statement.causeStart, lexer.end);
      }
      known = skip("ONLY") || skip("WRITE");
    } else {
      known = skip("WITH") && skip("CONSISTENT") && skip("SNAPSHOT");
    }
    if (!known) {
      is(UNKNOWN);
      skipToEnd();
    }
    return known;
  }

  private void readTransactionEnd() {
    boolean rollback = lexer.word == Word.ROLLBACK;
    is(TRANSACTION_END);
    lexer.next();
    skip("WORK");
    if (rollback && lexer.is("TO")) {
      statement.set(WITHIN_TRANSACTION, statement.causeStart, lexer.end);
      skipToEnd();
      return;
    }
    if (skip("AND") && !skip("NO")) {
      statement.set(TRANSACTION_CHAIN, statement.causeStart, lexer.end);
    }
    skip("CHAIN");
    skip("NO");
    skip("RELEASE");
    unknownUnlessAtEnd();
  }

  private void readRelease() {
    is(WITHIN_TRANSACTION);
    lexer.next();
    if (!lexer.is("SAVEPOINT")) {
      is(UNKNOWN);
    }
    skipToEnd();
  }

  private void readXa() {
    is(UNKNOWN);
    lexer.next();
    if (lexer.is("START") || lexer.is("BEGIN")) {
      is(TRANSACTION_START);
    } else if (lexer.is("END") || lexer.is("PREPARE")) {
      is(WITHIN_TRANSACTION);
    } else if (lexer.is("COMMIT") || lexer.is("ROLLBACK")) {
      is(TRANSACTION_END);
    } else if (lexer.is("RECOVER")) {
      is(INSTANCE_READ);
    }
    skipToEnd();
  }

  // ---- the rest ----

  private void readDo() {
    lexer.next();
    query.readCondition();
    if (statement.kind == PLAIN_READ) {
      // It has no result to be read from anywhere.
      statement.set(UNKNOWN, 0, 0);
    } else if (statement.kind == SESSION_READ || statement.kind == INSTANCE_READ) {
      statement.set(SESSION_CHANGE, statement.causeStart, statement.causeEnd);
    }
  }

  /** The escape of JDBC and ODBC: <code>{call p()}</code>, <code>{? = call f()}</code>. */
  private void readEscape() {
    is(UNKNOWN);
    lexer.next();
    if (lexer.token == Token.PARAMETER) {
      lexer.next();
      if (lexer.isSymbol('=')) {
        lexer.next();
      }
    }
    if (lexer.is("CALL")) {
      is(CALL);
    }
    skipToEnd();
  }

  /**
   * An explained statement is taken as the statement itself: {@code EXPLAIN ANALYZE} runs it, and
   * even a plain {@code EXPLAIN} may evaluate what it calls.
   */
  private void readExplain() {
    lexer.next();
    boolean intoVariable = false;
    skip("ANALYZE");
    skip("EXTENDED");
    skip("PARTITIONS");
    if (skip("FORMAT")) {
      if (lexer.isSymbol('=')) {
        lexer.next();
      }
      skipOne();
    }
    if (skip("INTO")) {
      intoVariable = true;
      skipOne();
    }
    if (skip("FOR")) {
      if (lexer.is("CONNECTION")) {
        is(INSTANCE_READ);
        skipToEnd();
        return;
      }
      skipOne();
      skipOne();
    }
    if (isExplainable()) {
      readStatement();
    } else {
      query.readDescribedTable();
    }
    if (intoVariable) {
      statement.raise(SESSION_CHANGE, statement.causeStart, statement.causeEnd);
    }
  }

  private boolean isExplainable() {
    if (lexer.isSymbol('(')) {
      return true;
    }
    if (lexer.token != Token.WORD) {
      return false;
    }
    return switch (lexer.word) {
      case SELECT, WITH, TABLE, VALUES, INSERT_OR_REPLACE, UPDATE, DELETE -> true;
      default -> false;
    };
  }
}
