package dev.leeway.proxy.frontend;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * {@code KILL [CONNECTION | QUERY] n}, which names a client by the number that the proxy gave it.
 *
 * @param query whether only the statement is to end, not the connection
 * @param id the number
 */
record KillStatement(boolean query, long id) {
  private static final int LONGEST = 200;

  /** Reads a text; null if it is none of these or has more to it. */
  static @Nullable KillStatement parse(ByteBuf buffer, int from, int to) {
    if (to - from > LONGEST) {
      return null;
    }
    Reader reader = new Reader(buffer, from, to);
    reader.skipBlanks();
    if (!reader.word("KILL")) {
      return null;
    }
    boolean query = reader.word("QUERY");
    if (!query) {
      reader.word("CONNECTION");
    }
    long id = reader.number();
    reader.skipBlanks();
    if (reader.peek() == ';') {
      reader.at++;
      reader.skipBlanks();
    }
    return id < 0 || reader.at != to ? null : new KillStatement(query, id);
  }

  /** The statement for the server that knows the client by another number. */
  String withId(int serverId) {
    return "KILL " + (query ? "QUERY " : "CONNECTION ") + Integer.toUnsignedString(serverId);
  }

  private static final class Reader {
    final ByteBuf buffer;
    final int to;
    int at;

    Reader(ByteBuf buffer, int from, int to) {
      this.buffer = buffer;
      this.at = from;
      this.to = to;
    }

    int peek() {
      return at < to ? buffer.getUnsignedByte(at) : -1;
    }

    /** Blanks and plain comments; a comment that a server executes is not one. */
    void skipBlanks() {
      while (at < to) {
        int c = peek();
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
          at++;
        } else if (c == '/'
            && at + 2 < to
            && buffer.getByte(at + 1) == '*'
            && buffer.getByte(at + 2) != '!'
            && buffer.getByte(at + 2) != '+') {
          at = endOfComment();
        } else {
          return;
        }
      }
    }

    private int endOfComment() {
      for (int i = at + 2; i + 1 < to; i++) {
        if (buffer.getByte(i) == '*' && buffer.getByte(i + 1) == '/') {
          return i + 2;
        }
      }
      return to;
    }

    /** Reads a word in any case, if it is there, with the blanks after it. */
    boolean word(String capitals) {
      int end = at + capitals.length();
      if (end > to) {
        return false;
      }
      for (int i = 0; i < capitals.length(); i++) {
        if ((buffer.getByte(at + i) & ~0x20) != capitals.charAt(i)) {
          return false;
        }
      }
      int before = at;
      at = end;
      skipBlanks();
      if (at == end) {
        at = before;
        return false;
      }
      return true;
    }

    /** Reads a number of at most ten digits; -1 if there is none. */
    long number() {
      long value = 0;
      int digits = 0;
      while (at < to && peek() >= '0' && peek() <= '9') {
        value = value * 10 + (peek() - '0');
        at++;
        digits++;
        if (digits > 10) {
          return -1;
        }
      }
      return digits == 0 ? -1 : value;
    }
  }
}
