package dev.leeway.proxy.frontend;

import dev.leeway.proxy.wire.Command;
import dev.leeway.proxy.wire.ResponseTracker.Expect;
import org.jspecify.annotations.Nullable;

/** What the proxy does with a command, and what a server answers to it. */
enum Dialogue {
  /** Goes to the server, which answers with results. */
  RESULTS(Expect.RESULTS),
  PREPARED(Expect.PREPARED),
  ROWS(Expect.ROWS),
  ONE_PACKET(Expect.ONE_PACKET),
  TEXT(Expect.TEXT),
  /** Goes to the server, which answers nothing. */
  SILENT(null),
  /** The proxy itself has a part in it. */
  QUIT(null),
  CHANGE_USER(null),
  PROCESS_KILL(null),
  /** Not known here; the client gets an error. */
  REFUSED(null);

  private final @Nullable Expect expect;

  Dialogue(@Nullable Expect expect) {
    this.expect = expect;
  }

  /** What the server answers; null for nothing, or where the command does not go there. */
  @Nullable Expect expect() {
    return expect;
  }

  static Dialogue of(int command) {
    return switch (command) {
      case Command.QUERY, Command.STMT_EXECUTE -> RESULTS;
      case Command.STMT_PREPARE -> PREPARED;
      case Command.STMT_FETCH, Command.FIELD_LIST -> ROWS;
      case Command.INIT_DB,
          Command.PING,
          Command.STMT_RESET,
          Command.SET_OPTION,
          Command.RESET_CONNECTION,
          Command.DEBUG ->
          ONE_PACKET;
      case Command.STATISTICS -> TEXT;
      case Command.STMT_SEND_LONG_DATA, Command.STMT_CLOSE -> SILENT;
      case Command.QUIT -> QUIT;
      case Command.CHANGE_USER -> CHANGE_USER;
      case Command.PROCESS_KILL -> PROCESS_KILL;
      default -> REFUSED;
    };
  }
}
