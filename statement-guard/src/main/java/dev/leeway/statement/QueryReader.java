package dev.leeway.statement;

import static dev.leeway.statement.StatementKind.FUNCTION_CALL;
import static dev.leeway.statement.StatementKind.INSTANCE_READ;
import static dev.leeway.statement.StatementKind.LOCKING_READ;
import static dev.leeway.statement.StatementKind.SESSION_CHANGE;
import static dev.leeway.statement.StatementKind.SESSION_READ;
import static dev.leeway.statement.StatementKind.UNKNOWN;
import static dev.leeway.statement.StatementKind.WRITE;

import dev.leeway.statement.Lexer.Token;
import org.jspecify.annotations.Nullable;

/**
 * Reads a query, or the part of another statement that may hold expressions and queries, up to its
 * end, and reports what makes it more than a plain read.
 *
 * <p>Mutable, for one thread and one text at a time.
 */
final class QueryReader {
  /*
   * How a query is recognised
   * -------------------------
   * No syntax tree is built. MySQL keeps its reserved words out of every place where a name may
   * stand, so a reserved word without a dot before it is that keyword wherever it stands, in a
   * subquery or a common table expression too. A query that begins with a query's verb and holds
   * nothing but words of queries, names, values and known functions can only read. What a few words
   * mean depends on their neighbours (FOR, INTO, WITH, INSERT); they wait in `pending` for the next
   * token.
   *
   * Which parentheses call a function
   * ---------------------------------
   * A name in front of a parenthesis is a call, except in the places listed in `open`. A place is
   * listed only if the grammar allows no call there, so that a mistake here can make a plain read
   * look like a call, but no call like a plain read.
   *
   * Why a stack, and why it ends
   * ----------------------------
   * Each open parenthesis has one int of flags. The stack is an array, so deep nesting costs no
   * recursion; and it is bounded, because the server refuses such texts long before.
   */

  /** More than the server's own parser takes. */
  private static final int DEEPEST = 4096;

  // What a pair of parentheses (or the statement itself) holds.
  private static final int FRESH = 1;
  private static final int QUERY = 1 << 1;
  private static final int HOLDS_QUERY = 1 << 2;
  private static final int NEEDS_QUERY = 1 << 3;
  private static final int FROM_LIST = 1 << 4;
  private static final int TABLES = 1 << 5;
  private static final int ARGUMENTS = 1 << 6;
  private static final int SUBSTRING_ARGUMENTS = 1 << 7;
  private static final int CONVERT_ARGUMENTS = 1 << 8;
  private static final int JSON_TABLE_ARGUMENTS = 1 << 9;
  private static final int COLUMN_LIST = 1 << 10;
  private static final int SETS_WITH_ARGUMENT = 1 << 11;
  private static final int MATCH_SEEN = 1 << 12;

  // Where a WITH clause stands; the grammar of its list is followed step by step, since a name and
  // a
  // parenthesis mean a column list in it and a call everywhere else.
  private static final int WITH_SHIFT = 16;
  private static final int WITH_MASK = 7 << WITH_SHIFT;
  private static final int WITH_NAME = 1 << WITH_SHIFT;
  private static final int WITH_COLUMNS_OR_AS = 2 << WITH_SHIFT;
  private static final int WITH_AS = 3 << WITH_SHIFT;
  private static final int WITH_BODY = 4 << WITH_SHIFT;
  private static final int WITH_COMMA_OR_VERB = 5 << WITH_SHIFT;

  /** What stands before a name, as far as it tells whether the name can be a function's. */
  private enum Lead {
    OTHER,
    AS,
    CLOSED_QUERY,
    COMMA,
    RETURNING
  }

  /** What happens to the tables that are named next. */
  enum TableUse {
    READ,
    WRITTEN,
    READ_AND_WRITTEN
  }

  private final Lexer lexer;
  private final Finding finding;
  private final ReadOnlyFunctions readOnlyFunctions;
  private final int[] outerFrames = new int[DEEPEST];

  private @Nullable TableNames tables;

  private boolean mustBeQuery;
  private boolean leading;
  private int depth;
  private int frame;

  /** A word whose meaning the next token decides; {@link Word#NAME} if there is none. */
  private Word pending = Word.NAME;

  private int pendingStart;
  private int pendingEnd;
  private boolean pendingAfterIndex;

  private Token previousToken = Token.END;
  private char previousSymbol;
  private Word previousWord = Word.NAME;
  private boolean previousClosedQuery;
  private boolean previousIsReturning;

  private final DottedName name = new DottedName();
  private Lead nameLead = Lead.OTHER;
  private boolean nameIsTable;

  private boolean tableNext;
  private TableUse use = TableUse.READ;
  private boolean tableSeen;

  /** Whether the tables that are named first are deleted from, and how many is not known yet. */
  private boolean deleting;

  QueryReader(Lexer lexer, Finding finding, ReadOnlyFunctions readOnlyFunctions) {
    this.lexer = lexer;
    this.finding = finding;
    this.readOnlyFunctions = readOnlyFunctions;
  }

  void collectInto(@Nullable TableNames newTables) {
    this.tables = newTables;
  }

  /** Reads a query that begins at the current token. */
  void readQuery() {
    reset();
    mustBeQuery = true;
    leading = true;
    frame = FRESH;
    readToEnd();
  }

  /** Reads the expressions of a statement that may be as harmless as a query. */
  void readCondition() {
    reset();
    mustBeQuery = true;
    readToEnd();
  }

  /** Like {@link #readCondition}, where a table's name comes first. */
  void readDescribedTable() {
    reset();
    mustBeQuery = true;
    tableNext = true;
    readToEnd();
  }

  /** Reads what follows in a statement whose kind is known already and can only get worse. */
  void readRest() {
    reset();
    readToEnd();
  }

  /**
   * Reads the rest of a statement that begins with the tables it uses.
   *
   * @param firstUse what it does to them
   */
  void readRestFromTables(TableUse firstUse) {
    reset();
    tableNext = true;
    use = firstUse;
    // The target of an INSERT is one table; the comma in its column list begins no second one.
    frame = firstUse == TableUse.WRITTEN ? 0 : FROM_LIST;
    readToEnd();
  }

  /**
   * Like {@link #readRestFromTables}, for a DELETE, which may name several tables to delete from.
   */
  void readRestOfDelete() {
    reset();
    tableNext = true;
    use = TableUse.WRITTEN;
    frame = FROM_LIST;
    deleting = true;
    readToEnd();
  }

  private void reset() {
    mustBeQuery = false;
    leading = false;
    deleting = false;
    depth = 0;
    frame = 0;
    pending = Word.NAME;
    previousToken = Token.END;
    previousSymbol = 0;
    previousWord = Word.NAME;
    previousClosedQuery = false;
    previousIsReturning = false;
    name.forget();
    nameIsTable = false;
    tableNext = false;
    tableSeen = false;
    use = TableUse.READ;
  }

  private void readToEnd() {
    while (lexer.token != Token.END && lexer.token != Token.BROKEN) {
      if (depth == 0 && lexer.isSymbol(';')) {
        break;
      }
      step();
      lexer.next();
    }
    endName();
    resolvePending();
    boolean unfinishedWith = (frame & WITH_MASK) != 0;
    if (depth > 0 || leading || unfinishedWith || lexer.token == Token.BROKEN) {
      raiseHere(UNKNOWN);
    }
  }

  private void step() {
    boolean called = endName();
    boolean consumed = resolvePending();
    boolean closesQuery = false;
    if (!consumed) {
      checkFirstToken();
      checkWithClause();
      switch (lexer.token) {
        case WORD -> readWord();
        case QUOTED_NAME -> readName(Word.NAME);
        case USER_VARIABLE -> raiseHere(SESSION_READ);
        case SYSTEM_VARIABLE -> readSystemVariable();
        case ASSIGNMENT -> readAssignment();
        case SYMBOL -> {
          switch (lexer.symbol) {
            case '(' -> open(called);
            case ')' -> closesQuery = close();
            case ',' -> tableNext = (frame & FROM_LIST) != 0;
            case ';' -> raiseHere(UNKNOWN);
            default -> {}
          }
        }
        default -> {}
      }
    }
    previousToken = lexer.token;
    previousSymbol = lexer.token == Token.SYMBOL ? lexer.symbol : 0;
    previousWord = lexer.token == Token.WORD && !lexer.afterDot ? lexer.word : Word.NAME;
    previousClosedQuery = closesQuery;
    previousIsReturning = lexer.is("RETURNING");
  }

  private void readWord() {
    if (lexer.afterDot) {
      readName(Word.NAME);
    } else if (lexer.word.mayBeName()) {
      readName(lexer.word);
    } else {
      readKeyword();
    }
  }

  private void readSystemVariable() {
    if (!SystemVariables.isFactOfTheServer(lexer.text(), lexer.start, lexer.end)) {
      raiseHere(SESSION_READ);
    }
  }

  private void readAssignment() {
    if (previousToken == Token.USER_VARIABLE) {
      raiseHere(SESSION_CHANGE);
    } else if (mustBeQuery) {
      raiseHere(UNKNOWN);
    }
  }

  private void raiseHere(StatementKind kind) {
    finding.raise(kind, lexer.start, lexer.end);
  }

  // ---- words that wait for their neighbour ----

  private void await(Word word) {
    pending = word;
    pendingStart = lexer.start;
    pendingEnd = lexer.end;
    pendingAfterIndex = previousWord == Word.INDEX;
  }

  /** Decides about the waiting word; returns whether the current token belongs to it. */
  private boolean resolvePending() {
    Word waiting = pending;
    pending = Word.NAME;
    switch (waiting) {
      case FOR -> {
        return resolveFor();
      }
      case INTO -> resolveInto();
      case WITH -> resolveWith();
      case INSERT_OR_REPLACE -> {
        if (!lexer.isSymbol('(')) {
          finding.raise(WRITE, pendingStart, pendingEnd);
        }
      }
      default -> {}
    }
    return false;
  }

  private boolean resolveFor() {
    if ((frame & SUBSTRING_ARGUMENTS) != 0) {
      return false;
    }
    if (isKeyword(Word.UPDATE) || lexer.is("SHARE")) {
      finding.raise(LOCKING_READ, pendingStart, lexer.end);
      return true;
    }
    boolean indexHint =
        pendingAfterIndex && (isKeyword(Word.JOIN) || isKeyword(Word.ORDER_OR_GROUP));
    boolean columnOfJsonTable = (frame & COLUMN_LIST) != 0 && lexer.is("ORDINALITY");
    if (!indexHint && !columnOfJsonTable) {
      finding.raise(UNKNOWN, pendingStart, lexer.end);
    }
    // Neither JOIN nor ORDER begins anything in an index hint.
    return indexHint;
  }

  private void resolveInto() {
    if (lexer.token == Token.USER_VARIABLE) {
      finding.raise(SESSION_CHANGE, pendingStart, lexer.end);
    } else if (lexer.is("OUTFILE") || lexer.is("DUMPFILE")) {
      finding.raise(WRITE, pendingStart, lexer.end);
      // The words that describe the file's format follow.
      mustBeQuery = false;
    } else {
      finding.raise(UNKNOWN, pendingStart, lexer.end);
    }
  }

  private void resolveWith() {
    if (lexer.is("ROLLUP") || lexer.is("QUERY")) {
      return;
    }
    if (mustBeQuery) {
      finding.raise(UNKNOWN, pendingStart, pendingEnd);
    } else {
      // INSERT INTO t WITH c AS (…) SELECT …
      moveWith(WITH_NAME);
    }
  }

  private boolean isKeyword(Word word) {
    return lexer.token == Token.WORD && !lexer.afterDot && lexer.word == word;
  }

  // ---- where a query begins ----

  private boolean isQueryVerb() {
    return isKeyword(Word.SELECT)
        || isKeyword(Word.WITH)
        || isKeyword(Word.TABLE)
        || isKeyword(Word.VALUES);
  }

  private void checkFirstToken() {
    if (leading && !lexer.isSymbol('(')) {
      leading = false;
      if (!isQueryVerb()) {
        raiseWriteOrUnknown();
      }
    }
    if ((frame & FRESH) == 0) {
      return;
    }
    frame &= ~FRESH;
    if (isQueryVerb()) {
      // No function takes a query without parentheses of its own.
      frame = QUERY;
      if (lexer.word == Word.WITH) {
        frame |= WITH_NAME;
      }
    } else if ((frame & NEEDS_QUERY) != 0) {
      raiseHere(FUNCTION_CALL);
    } else if ((frame & SETS_WITH_ARGUMENT) != 0 && !lexer.isSymbol(')')) {
      raiseHere(SESSION_CHANGE);
    }
  }

  private void checkWithClause() {
    switch (frame & WITH_MASK) {
      case WITH_NAME -> readWithName();
      case WITH_COLUMNS_OR_AS -> {
        if (isKeyword(Word.AS)) {
          moveWith(WITH_BODY);
        } else if (!lexer.isSymbol('(')) {
          leaveWith();
        }
      }
      case WITH_AS -> {
        if (isKeyword(Word.AS)) {
          moveWith(WITH_BODY);
        } else {
          leaveWith();
        }
      }
      case WITH_BODY -> {
        if (!lexer.isSymbol('(')) {
          leaveWith();
        }
      }
      case WITH_COMMA_OR_VERB -> {
        if (lexer.isSymbol(',')) {
          moveWith(WITH_NAME);
        } else {
          frame &= ~WITH_MASK;
          if (!isQueryVerb() && !lexer.isSymbol('(')) {
            raiseWriteOrUnknown();
          }
        }
      }
      default -> {}
    }
  }

  private void readWithName() {
    if (lexer.is("WITH") || lexer.is("RECURSIVE")) {
      return;
    }
    if (lexer.token == Token.QUOTED_NAME || (lexer.token == Token.WORD && lexer.word.mayBeName())) {
      if (tables != null) {
        tables.defines(Names.unquoted(lexer.text(), lexer.start, lexer.end));
      }
      moveWith(WITH_COLUMNS_OR_AS);
    } else {
      leaveWith();
    }
  }

  /** Says that the current word is no part of a query: the verb of a write, or anything else. */
  private void raiseWriteOrUnknown() {
    boolean delete = isKeyword(Word.DELETE);
    if (!delete && !isKeyword(Word.UPDATE) && !isKeyword(Word.INSERT_OR_REPLACE)) {
      raiseHere(UNKNOWN);
      return;
    }
    raiseHere(WRITE);
    // From here on the words of a write are in their place, and its tables come first.
    mustBeQuery = false;
    deleting = delete;
    use = isKeyword(Word.UPDATE) ? TableUse.READ_AND_WRITTEN : TableUse.WRITTEN;
    frame |= FROM_LIST;
    tableNext = true;
  }

  private void moveWith(int state) {
    frame = (frame & ~WITH_MASK) | state;
  }

  private void leaveWith() {
    frame &= ~WITH_MASK;
    if (mustBeQuery) {
      raiseHere(UNKNOWN);
    }
  }

  // ---- words ----

  private void readKeyword() {
    Word word = lexer.word;
    switch (word) {
      case SELECT -> {
        frame &= ~(FROM_LIST | TABLES);
        tableNext = false;
        use = depth == 0 ? TableUse.READ : use;
      }
      case FROM -> readFrom();
      case JOIN -> tableNext = (frame & FROM_LIST) != 0;
      case TABLE -> tableNext = true;
      case ORDER_OR_GROUP, ENDS_FROM_LIST -> {
        frame &= ~FROM_LIST;
        tableNext = false;
      }
      case WITH -> {
        if ((frame & WITH_MASK) == 0) {
          await(word);
        }
      }
      case FOR, INTO, INSERT_OR_REPLACE -> {
        if (mustBeQuery) {
          await(word);
        }
      }
      case LOCK -> {
        if (mustBeQuery) {
          raiseHere(LOCKING_READ);
        }
      }
      case SET -> readSet();
      case MATCH -> frame |= MATCH_SEEN;
      case SQL_CALC_FOUND_ROWS -> raiseHere(SESSION_CHANGE);
      case USING -> {
        if (deleting && depth == 0) {
          use = TableUse.READ;
          tableNext = true;
        }
      }
      default -> {
        if (mustBeQuery && word.isForbiddenInReads()) {
          raiseWriteOrUnknown();
        }
      }
    }
  }

  private void readFrom() {
    if ((frame & ARGUMENTS) != 0) {
      return;
    }
    if (deleting && depth == 0 && tableSeen) {
      use = TableUse.READ;
    }
    frame |= FROM_LIST;
    tableNext = true;
  }

  private void readSet() {
    if (depth == 0) {
      frame &= ~FROM_LIST;
      tableNext = false;
      use = TableUse.READ;
    }
    if (mustBeQuery && previousWord != Word.CHARACTER) {
      raiseHere(UNKNOWN);
    }
  }

  // ---- names ----

  private void readName(Word word) {
    if (name.parts > 0 && previousSymbol == '.') {
      name.add(lexer, word);
      return;
    }
    name.begin(lexer, word);
    nameLead = lead();
    nameIsTable = tableNext;
    tableNext = false;
  }

  private Lead lead() {
    if (previousWord == Word.AS) {
      return Lead.AS;
    }
    if (previousClosedQuery) {
      return Lead.CLOSED_QUERY;
    }
    if (previousSymbol == ',') {
      return Lead.COMMA;
    }
    return previousIsReturning ? Lead.RETURNING : Lead.OTHER;
  }

  /**
   * Ends the name before the current token, unless that continues it; returns whether the name, and
   * no table, stands in front of a parenthesis.
   */
  private boolean endName() {
    boolean afterDot = previousSymbol == '.';
    if (name.parts == 0 || (afterDot ? lexer.isName() : lexer.isSymbol('.'))) {
      return false;
    }
    boolean parenthesis = lexer.isSymbol('(');
    boolean table = nameIsTable && (!parenthesis || use == TableUse.WRITTEN);
    if (table) {
      recordTable();
    }
    if (!parenthesis || table) {
      name.forget();
    }
    return parenthesis && !table;
  }

  private void recordTable() {
    tableSeen = true;
    String text = lexer.text();
    finding.raise(SystemSchemas.kindOf(text, name), name.from(), name.end);
    TableUse here = depth == 0 || (frame & TABLES) != 0 ? use : TableUse.READ;
    if (use == TableUse.WRITTEN && !deleting) {
      use = TableUse.READ;
    }
    if (tables == null) {
      return;
    }
    if (here != TableUse.WRITTEN) {
      tables.reads(name.unquoted(text));
    }
    if (here != TableUse.READ) {
      tables.writes(name.unquoted(text));
    }
  }

  // ---- parentheses ----

  private void open(boolean called) {
    int inner = FRESH;
    if (called) {
      inner |= afterName();
      name.forget();
    } else if (previousToken == Token.STRING) {
      // A name in double quotes, if the session's sql_mode says so.
      raiseHere(FUNCTION_CALL);
    } else if (previousWord == Word.CONVERT) {
      inner |= ARGUMENTS | CONVERT_ARGUMENTS;
    } else if (previousWord == Word.JSON_TABLE) {
      inner |= ARGUMENTS | JSON_TABLE_ARGUMENTS;
    } else if (previousToken == Token.WORD && lexerWordTakesArguments()) {
      inner |= ARGUMENTS;
    } else if (tableNext && previousWord != Word.USING) {
      inner |= TABLES | FROM_LIST;
    }
    if ((frame & WITH_MASK) == WITH_COLUMNS_OR_AS) {
      moveWith(WITH_AS);
    } else if ((frame & WITH_MASK) == WITH_BODY) {
      moveWith(WITH_COMMA_OR_VERB);
    }
    if ((inner & TABLES) == 0) {
      tableNext = false;
    }
    if (depth == DEEPEST) {
      raiseHere(UNKNOWN);
      return;
    }
    outerFrames[depth++] = frame;
    frame = inner;
  }

  /** Reserved words that are functions too; inside their parentheses FROM begins no table list. */
  private boolean lexerWordTakesArguments() {
    return previousWord == Word.INSERT_OR_REPLACE || previousWord == Word.CHARACTER;
  }

  /** What a parenthesis opens that follows a name. */
  private int afterName() {
    boolean alone = name.parts == 1;
    if (alone && (frame & WITH_MASK) == WITH_COLUMNS_OR_AS) {
      return 0;
    }
    switch (alone ? meaningOfCalled() : Word.NAME) {
      case FUNCTION, TRUNCATE -> {
        return ARGUMENTS;
      }
      case SUBSTRING -> {
        return ARGUMENTS | SUBSTRING_ARGUMENTS;
      }
      case SESSION_FUNCTION -> {
        finding.raise(SESSION_READ, name.start, name.end);
        return ARGUMENTS;
      }
      case LAST_INSERT_ID -> {
        finding.raise(SESSION_READ, name.start, name.end);
        return ARGUMENTS | (mustBeQuery ? SETS_WITH_ARGUMENT : 0);
      }
      case SESSION_CHANGING_FUNCTION -> {
        finding.raise(SESSION_CHANGE, name.start, name.end);
        return ARGUMENTS;
      }
      case INSTANCE_FUNCTION -> {
        finding.raise(INSTANCE_READ, name.start, name.end);
        return ARGUMENTS;
      }
      case ANY_OR_SOME -> {
        return NEEDS_QUERY;
      }
      case AGAINST -> {
        if ((frame & MATCH_SEEN) != 0) {
          frame &= ~MATCH_SEEN;
          return ARGUMENTS;
        }
      }
      case COLUMNS -> {
        if ((frame & (JSON_TABLE_ARGUMENTS | COLUMN_LIST)) != 0) {
          return ARGUMENTS | COLUMN_LIST;
        }
      }
      case TYPE -> {
        if (isPlaceOfType()) {
          return ARGUMENTS;
        }
      }
      default -> {}
    }
    if (alone && (nameLead == Lead.AS || nameLead == Lead.CLOSED_QUERY)) {
      // The columns of a derived table, which has this name.
      return 0;
    }
    if (!readOnlyFunctions.contains(lexer.text(), name)) {
      finding.raise(FUNCTION_CALL, name.from(), name.end);
    }
    return ARGUMENTS;
  }

  /**
   * A name in quotes can be a stored function's, so none that only reads is trusted. But the server
   * calls its own function of that name, and what that leaves in the session counts.
   */
  private Word meaningOfCalled() {
    if (!name.quoted) {
      return name.word;
    }
    Word builtIn = Vocabulary.find(lexer.text(), name.start + 1, name.end - 1);
    return builtIn == Word.SESSION_CHANGING_FUNCTION
            || (builtIn == Word.LAST_INSERT_ID && mustBeQuery)
        ? Word.SESSION_CHANGING_FUNCTION
        : Word.NAME;
  }

  private boolean isPlaceOfType() {
    return (frame & COLUMN_LIST) != 0
        || nameLead == Lead.RETURNING
        || ((frame & CONVERT_ARGUMENTS) != 0 && nameLead == Lead.COMMA);
  }

  private boolean close() {
    if (depth == 0) {
      raiseHere(UNKNOWN);
      return false;
    }
    boolean holdsQuery = (frame & (QUERY | HOLDS_QUERY)) != 0;
    boolean onlyGroups = (frame & ARGUMENTS) == 0;
    frame = outerFrames[--depth];
    if (holdsQuery && onlyGroups && (frame & QUERY) == 0) {
      frame |= HOLDS_QUERY;
    }
    tableNext = false;
    return holdsQuery && onlyGroups;
  }
}
