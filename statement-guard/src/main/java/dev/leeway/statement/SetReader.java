package dev.leeway.statement;

import static dev.leeway.statement.StatementKind.AUTOCOMMIT_OFF;
import static dev.leeway.statement.StatementKind.AUTOCOMMIT_ON;
import static dev.leeway.statement.StatementKind.COMMITTING_WRITE;
import static dev.leeway.statement.StatementKind.SESSION_CHANGE;
import static dev.leeway.statement.StatementKind.SESSION_SETTING;
import static dev.leeway.statement.StatementKind.UNKNOWN;
import static dev.leeway.statement.StatementKind.WRITE;

import dev.leeway.statement.Lexer.Token;
import org.jspecify.annotations.Nullable;

/** Reads the assignments of a {@code SET} statement. Mutable, for one thread. */
final class SetReader {
  private enum Scope {
    SESSION,
    SERVER
  }

  private final Lexer lexer;
  private final Finding finding;

  private boolean setsServer;
  private boolean setsSession;
  private @Nullable StatementKind autocommit;
  private int autocommitStart;
  private int autocommitEnd;

  SetReader(Lexer lexer, Finding finding) {
    this.lexer = lexer;
    this.finding = finding;
  }

  /** Reads from the word after {@code SET} to the end of the statement. */
  void read() {
    autocommit = null;
    if (readSpecialForm()) {
      skipToEnd();
    } else {
      setsServer = false;
      setsSession = false;
      readAssignments();
      if (setsServer) {
        raise(setsSession ? SESSION_CHANGE : WRITE);
      } else {
        raise(SESSION_SETTING);
      }
      if (autocommit != null && finding.kind != UNKNOWN) {
        finding.set(autocommit, autocommitStart, autocommitEnd);
      }
    }
    if (lexer.token == Token.BROKEN) {
      raise(UNKNOWN);
    }
  }

  private void raise(StatementKind kind) {
    finding.raise(kind, lexer.start, lexer.end);
  }

  /** The forms that are no list of assignments. */
  private boolean readSpecialForm() {
    if (lexer.is("PASSWORD")) {
      finding.set(COMMITTING_WRITE, lexer.start, lexer.end);
      return true;
    }
    if (lexer.is("RESOURCE")) {
      raise(SESSION_CHANGE);
      return true;
    }
    if (lexer.is("ROLE")) {
      raise(SESSION_SETTING);
      return true;
    }
    if (lexer.is("DEFAULT")) {
      finding.set(COMMITTING_WRITE, lexer.start, lexer.end);
      return true;
    }
    return false;
  }

  private void readAssignments() {
    Scope scope = Scope.SESSION;
    while (true) {
      if (lexer.is("GLOBAL") || lexer.is("PERSIST") || lexer.is("PERSIST_ONLY")) {
        scope = Scope.SERVER;
        lexer.next();
      } else if (lexer.is("SESSION") || lexer.is("LOCAL")) {
        scope = Scope.SESSION;
        lexer.next();
      }
      readAssignment(scope);
      if (!lexer.isSymbol(',')) {
        break;
      }
      lexer.next();
    }
    if (!lexer.isEnd()) {
      raise(UNKNOWN);
      skipToEnd();
    }
  }

  private void readAssignment(Scope scope) {
    if (lexer.token == Token.USER_VARIABLE) {
      raise(SESSION_CHANGE);
      readAssigned(false);
      return;
    }
    if (lexer.is("TRANSACTION")) {
      note(scope);
      // Its characteristics are a list of their own, separated by commas.
      skipToEnd();
      return;
    }
    if (lexer.is("NAMES") || lexer.is("CHARACTER") || lexer.is("CHARSET") || lexer.is("CHAR")) {
      note(Scope.SESSION);
      readValue();
      return;
    }
    int start = lexer.start;
    if (lexer.token == Token.SYSTEM_VARIABLE) {
      readSystemVariable();
    } else if (lexer.isName()) {
      readVariable(scope, start, start, lexer.end);
    } else {
      raise(UNKNOWN);
      skipToEnd();
    }
  }

  /** Reads {@code @@name} or {@code @@scope.name}, which may have blanks around the dot. */
  private void readSystemVariable() {
    int start = lexer.start;
    int nameStart = start + 2;
    int nameEnd = lexer.end;
    boolean namesScope =
        isServerScope(nameStart, nameEnd)
            || isNamed(nameStart, nameEnd, "SESSION")
            || isNamed(nameStart, nameEnd, "LOCAL");
    if (!namesScope) {
      readVariable(Scope.SESSION, start, nameStart, nameEnd);
      return;
    }
    lexer.next();
    boolean dot = lexer.isSymbol('.');
    lexer.next();
    if (!dot || !lexer.isName()) {
      raise(UNKNOWN);
      skipToEnd();
      return;
    }
    Scope scope = isServerScope(nameStart, nameEnd) ? Scope.SERVER : Scope.SESSION;
    readVariable(scope, start, lexer.start, lexer.end);
  }

  private void readVariable(Scope scope, int start, int nameStart, int nameEnd) {
    note(scope);
    if (scope == Scope.SERVER) {
      readAssigned(false);
      return;
    }
    if (isNamed(nameStart, nameEnd, "AUTOCOMMIT")) {
      readAssigned(true);
      autocommitStart = start;
      autocommitEnd = lexer.start;
      return;
    }
    if (livesInOneSession(nameStart, nameEnd)) {
      raise(SESSION_CHANGE);
    }
    readAssigned(false);
  }

  private boolean isServerScope(int start, int end) {
    return isNamed(start, end, "GLOBAL")
        || isNamed(start, end, "PERSIST")
        || isNamed(start, end, "PERSIST_ONLY");
  }

  private void note(Scope scope) {
    setsServer |= scope == Scope.SERVER;
    setsSession |= scope == Scope.SESSION;
  }

  /** Variables that another connection must not be given, even by the same text. */
  private boolean livesInOneSession(int start, int end) {
    return isNamed(start, end, "INSERT_ID")
        || isNamed(start, end, "LAST_INSERT_ID")
        || isNamed(start, end, "IDENTITY")
        || isNamed(start, end, "GTID_NEXT")
        || isNamed(start, end, "SQL_LOG_BIN")
        || isNamed(start, end, "RAND_SEED1")
        || isNamed(start, end, "RAND_SEED2")
        || isNamed(start, end, "PSEUDO_THREAD_ID")
        || isNamed(start, end, "PSEUDO_REPLICA_MODE")
        || isNamed(start, end, "PSEUDO_SLAVE_MODE");
  }

  private boolean isNamed(int start, int end, String capitals) {
    return Names.same(lexer.text(), start, end, capitals);
  }

  /** Reads the rest of one assignment, from after its variable to the comma that ends it. */
  private void readAssigned(boolean toAutocommit) {
    lexer.next();
    while (lexer.isSymbol('.')) {
      // The variables of components and key caches have two parts.
      lexer.next();
      lexer.next();
    }
    if (!lexer.isSymbol('=') && lexer.token != Token.ASSIGNMENT) {
      raise(UNKNOWN);
      skipToEnd();
      return;
    }
    lexer.next();
    StatementKind first = meansOn() ? AUTOCOMMIT_ON : AUTOCOMMIT_OFF;
    int tokens = readValue();
    if (toAutocommit) {
      autocommit = tokens == 1 ? first : AUTOCOMMIT_OFF;
    }
  }

  /** Reads the tokens up to the comma or the end; returns how many there are. */
  private int readValue() {
    int depth = 0;
    int tokens = 0;
    while (lexer.token != Token.END && lexer.token != Token.BROKEN) {
      if (depth == 0 && (lexer.isSymbol(',') || lexer.isSymbol(';'))) {
        break;
      }
      if (lexer.isSymbol('(')) {
        depth++;
        raise(SESSION_CHANGE);
      } else if (lexer.isSymbol(')')) {
        depth--;
      } else if (lexer.token == Token.USER_VARIABLE) {
        raise(SESSION_CHANGE);
      }
      tokens++;
      lexer.next();
    }
    if (depth != 0) {
      raise(UNKNOWN);
    }
    return tokens;
  }

  /** Whether the current token alone switches autocommit on. */
  private boolean meansOn() {
    if (lexer.is("ON") || lexer.is("TRUE")) {
      return true;
    }
    if (lexer.token == Token.STRING) {
      return Names.matches(lexer.text(), lexer.start + 1, lexer.end - 1, "ON");
    }
    if (lexer.token != Token.NUMBER) {
      return false;
    }
    int i = lexer.start;
    while (i < lexer.end - 1 && lexer.text().charAt(i) == '0') {
      i++;
    }
    return i == lexer.end - 1 && lexer.text().charAt(i) == '1';
  }

  private void skipToEnd() {
    while (!lexer.isEnd()) {
      lexer.next();
    }
  }
}
