package dev.leeway.statement;

import static dev.leeway.statement.StatementKind.INSTANCE_READ;
import static dev.leeway.statement.StatementKind.PLAIN_READ;
import static dev.leeway.statement.StatementKind.SESSION_READ;

/**
 * Tells what a {@code SHOW} statement asks for: a definition, which every server has alike; or what
 * is true of one session or of one server. Anything not known is taken as true of one session,
 * which goes where the session's other statements went.
 */
final class ShowReader {
  private static final String[] DEFINITIONS = {
    "TABLES",
    "DATABASES",
    "SCHEMAS",
    "COLUMNS",
    "FIELDS",
    "INDEX",
    "INDEXES",
    "KEYS",
    "TRIGGERS",
    "EVENTS",
    "CREATE",
    "COLLATION",
    "PRIVILEGES"
  };

  private static final String[] OF_ONE_SERVER = {
    "PROCESSLIST",
    "REPLICA",
    "REPLICAS",
    "SLAVE",
    "MASTER",
    "BINARY",
    "BINLOG",
    "RELAYLOG",
    "ENGINE",
    "ENGINES",
    "STORAGE",
    "OPEN",
    "PLUGINS",
    "GLOBAL"
  };

  private final Lexer lexer;
  private final Finding finding;
  private final QueryReader query;

  ShowReader(Lexer lexer, Finding finding, QueryReader query) {
    this.lexer = lexer;
    this.finding = finding;
    this.query = query;
  }

  /** Reads from the word after {@code SHOW} to the end of the statement. */
  void read() {
    while (lexer.is("FULL") || lexer.is("EXTENDED")) {
      lexer.next();
    }
    int start = lexer.start;
    int end = lexer.end;
    StatementKind kind = readHead();
    finding.raise(kind, start, end);
    if (kind == PLAIN_READ) {
      query.readCondition();
    } else {
      query.readRest();
    }
  }

  /** Reads the words that tell what is shown, up to where names and conditions begin. */
  private StatementKind readHead() {
    if (lexer.is("CREATE")) {
      lexer.next();
      if (!lexer.isEnd()) {
        lexer.next();
      }
      return PLAIN_READ;
    }
    if (lexer.is("TABLE") || lexer.is("PROCEDURE") || lexer.is("FUNCTION")) {
      return readPair("STATUS");
    }
    if (lexer.is("CHARACTER")) {
      return readPair("SET");
    }
    if (isOneOf(DEFINITIONS)) {
      lexer.next();
      return PLAIN_READ;
    }
    return isOneOf(OF_ONE_SERVER) ? INSTANCE_READ : SESSION_READ;
  }

  private StatementKind readPair(String second) {
    lexer.next();
    if (!lexer.is(second)) {
      return SESSION_READ;
    }
    lexer.next();
    return PLAIN_READ;
  }

  private boolean isOneOf(String[] words) {
    for (String word : words) {
      if (lexer.is(word)) {
        return true;
      }
    }
    return false;
  }
}
