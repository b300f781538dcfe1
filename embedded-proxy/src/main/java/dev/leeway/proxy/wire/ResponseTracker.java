package dev.leeway.proxy.wire;

import io.netty.buffer.ByteBuf;

/**
 * Follows the bytes of a server's response and knows where it ends, without keeping, moving or
 * copying them.
 *
 * <p>Rows are stepped over by their headers alone. Of the packets that steer a response (OK, EOF,
 * ERR, the number of columns) the first {@value #HEAD_BYTES} bytes are looked at. Nothing is
 * allocated after construction.
 *
 * <pre>
 *   FIRST -+- OK ------------------------------------------+- more results: FIRST
 *          +- ERR ------------------------------------- DONE+- else: DONE
 *          +- file request: (the client sends the file) FIRST
 *          +- n columns: DEFINITIONS - EOF * - ROWS - EOF/OK +
 *   * only without DEPRECATE_EOF
 * </pre>
 *
 * <p>Mutable, for one thread.
 */
public final class ResponseTracker {
  static final int HEAD_BYTES = 64;

  private static final int OK = 0x00;
  private static final int EOF = 0xFE;
  private static final int LOCAL_FILE = 0xFB;
  private static final int LONGEST_EOF = 8;

  /** What a command is answered with. */
  public enum Expect {
    /** OK, ERR, a file request, or result sets, any number of them. */
    RESULTS,
    /** A prepared statement and its definitions, or ERR. */
    PREPARED,
    /** Rows without definitions, or definitions alone: packets up to EOF, OK or ERR. */
    ROWS,
    /** One packet: OK, EOF or ERR. */
    ONE_PACKET,
    /** One packet of text without any header. */
    TEXT
  }

  private enum State {
    FIRST,
    FIRST_PREPARED,
    DEFINITIONS,
    EOF_AFTER_DEFINITIONS,
    ROWS,
    ONE_PACKET,
    TEXT,
    DONE
  }

  private final byte[] head = new byte[HEAD_BYTES];

  private State state = State.DONE;
  private boolean deprecateEof;
  private boolean optionalMetadata;
  private boolean cursorWanted;

  /** The packet under way. */
  private int headerBytes;

  private int header;
  private int payloadLeft;
  private int headLength;
  private boolean continuation;
  private boolean keepHead;

  private long definitionsLeft;
  private int columnsAfterParameters;
  private int groupsLeft;
  private boolean described;
  private boolean preparing;

  private boolean fileWanted;
  private int status;
  private int warnings;
  private int errorCode;
  private long affectedRows;
  private long insertId;
  private boolean anyInsertId;
  private long rows;
  private int results;
  private int statementId;
  private int nextSequence;
  private boolean afterClient;

  /**
   * Begins to follow the response to a command.
   *
   * @param capabilities of the server connection
   * @param cursorWanted whether the command asks for a cursor, so that rows may be left out
   */
  public void begin(Expect expect, int capabilities, boolean cursorWanted) {
    this.state =
        switch (expect) {
          case RESULTS -> State.FIRST;
          case PREPARED -> State.FIRST_PREPARED;
          case ROWS -> State.ROWS;
          case ONE_PACKET -> State.ONE_PACKET;
          case TEXT -> State.TEXT;
        };
    this.deprecateEof = Capabilities.has(capabilities, Capabilities.DEPRECATE_EOF);
    this.optionalMetadata =
        Capabilities.has(capabilities, Capabilities.OPTIONAL_RESULTSET_METADATA);
    this.cursorWanted = cursorWanted;
    headerBytes = 0;
    header = 0;
    payloadLeft = 0;
    continuation = false;
    preparing = false;
    fileWanted = false;
    warnings = 0;
    errorCode = 0;
    affectedRows = 0;
    insertId = 0;
    anyInsertId = false;
    rows = 0;
    results = 0;
    statementId = 0;
    nextSequence = 1;
    afterClient = false;
  }

  /**
   * Follows bytes up to the end of the response or of the bytes.
   *
   * @return the index after the last byte that belongs to the response; less than {@code to} only
   *     if {@link #isDone()}
   * @throws MalformedPacketException if they cannot be a response; the connection is lost then
   */
  public int scan(ByteBuf in, int from, int to) {
    int at = from;
    while (at < to && state != State.DONE) {
      if (headerBytes < PacketWriter.HEADER_BYTES) {
        if (headerBytes == 0 && to - at >= PacketWriter.HEADER_BYTES) {
          header = in.getIntLE(at);
          at += PacketWriter.HEADER_BYTES;
          headerBytes = PacketWriter.HEADER_BYTES;
        } else {
          header |= in.getUnsignedByte(at++) << (8 * headerBytes++);
          if (headerBytes < PacketWriter.HEADER_BYTES) {
            continue;
          }
        }
        beginPacket();
        if (payloadLeft == 0) {
          endPacket();
        }
      } else {
        int take = Math.min(payloadLeft, to - at);
        if (keepHead) {
          keep(in, at, take);
        }
        at += take;
        payloadLeft -= take;
        if (payloadLeft == 0) {
          endPacket();
        }
      }
    }
    return at;
  }

  private void beginPacket() {
    payloadLeft = header & PacketWriter.MAX_PAYLOAD_BYTES;
    int sequence = header >>> 24;
    if (afterClient && !continuation) {
      // The server may have answered before it had read all that the client sent.
      nextSequence = sequence;
      afterClient = false;
    }
    if (sequence != (nextSequence & 0xFF)) {
      throw new MalformedPacketException(
          "server's packet number %d (expected: %d)".formatted(sequence, nextSequence & 0xFF));
    }
    nextSequence++;
    if (!continuation) {
      headLength = 0;
      keepHead = true;
    }
  }

  private void keep(ByteBuf in, int at, int available) {
    // A row and a definition are told from what ends them by one byte.
    if (headLength == 0 && (state == State.ROWS || state == State.DEFINITIONS)) {
      int first = in.getUnsignedByte(at);
      if (first < EOF) {
        head[0] = (byte) first;
        headLength = 1;
        keepHead = false;
        return;
      }
    }
    int wanted = Math.min(available, HEAD_BYTES - headLength);
    in.getBytes(at, head, headLength, wanted);
    headLength += wanted;
    keepHead = headLength < HEAD_BYTES;
  }

  private void endPacket() {
    int length = header & PacketWriter.MAX_PAYLOAD_BYTES;
    headerBytes = 0;
    header = 0;
    if (length == PacketWriter.MAX_PAYLOAD_BYTES) {
      continuation = true;
      keepHead = false;
      return;
    }
    boolean large = continuation;
    continuation = false;
    endPayload(large ? Integer.MAX_VALUE : length);
  }

  /** A payload is complete, all packets of it; {@code length} is only exact where it is small. */
  private void endPayload(int length) {
    int first = headLength == 0 ? -1 : head[0] & 0xFF;
    switch (state) {
      case FIRST -> firstOfResult(first, length);
      case FIRST_PREPARED -> firstOfPrepared(first);
      case DEFINITIONS -> definition(first);
      case EOF_AFTER_DEFINITIONS -> eofAfterDefinitions(first, length);
      case ROWS -> row(first, length);
      case ONE_PACKET -> onlyPacket(first, length);
      case TEXT -> {
        if (first == ErrPacket.HEADER) {
          error();
        } else {
          state = State.DONE;
        }
      }
      case DONE -> throw new IllegalStateException("a response that is done goes on");
    }
  }

  private void firstOfResult(int first, int length) {
    if (first == ErrPacket.HEADER) {
      error();
    } else if (first == OK) {
      ok();
      endResult();
    } else if (first == LOCAL_FILE) {
      fileWanted = true;
    } else if (first == -1 || first == EOF) {
      throw new MalformedPacketException(
          "response begins with %s (expected: OK, ERR, a file request or a number of columns)"
              .formatted(first == -1 ? "nothing" : "EOF"));
    } else {
      long columns = lengthEncoded(0);
      described = true;
      if (optionalMetadata) {
        int flag = lengthEncodedBytes(0);
        need(flag + 1);
        described = head[flag] != 0;
      }
      beginDefinitions(columns);
    }
  }

  private void firstOfPrepared(int first) {
    if (first == ErrPacket.HEADER) {
      error();
      return;
    }
    if (first != OK || headLength < 9) {
      throw new MalformedPacketException(
          "answer to a prepare of %d bytes that begins with %d (expected: OK of 12 bytes)"
              .formatted(headLength, first));
    }
    statementId = int4(1);
    int columns = int2(5);
    int parameters = int2(7);
    warnings = headLength >= 12 ? int2(10) : 0;
    described = !(optionalMetadata && headLength >= 13 && head[12] == 0);
    preparing = true;
    groupsLeft = 0;
    if (parameters > 0 && columns > 0) {
      groupsLeft = 1;
      columnsAfterParameters = columns;
    }
    beginDefinitions(parameters > 0 ? parameters : columns);
  }

  /** Definitions that are left out still leave their EOF, where there is one. */
  private void beginDefinitions(long count) {
    if (count == 0 && preparing) {
      state = State.DONE;
    } else if (described && count > 0) {
      definitionsLeft = count;
      state = State.DEFINITIONS;
    } else {
      afterDefinitions();
    }
  }

  private void definition(int first) {
    if (first == ErrPacket.HEADER) {
      error();
      return;
    }
    definitionsLeft--;
    if (definitionsLeft == 0) {
      afterDefinitions();
    }
  }

  private void afterDefinitions() {
    if (!deprecateEof) {
      state = State.EOF_AFTER_DEFINITIONS;
    } else {
      endDefinitions();
    }
  }

  private void eofAfterDefinitions(int first, int length) {
    if (first == ErrPacket.HEADER) {
      error();
      return;
    }
    if (first != EOF || length > LONGEST_EOF) {
      throw new MalformedPacketException(
          "packet of %d bytes that begins with %d after the definitions (expected: EOF)"
              .formatted(length, first));
    }
    eof();
    if (cursorWanted && (status & ServerStatus.CURSOR_EXISTS) != 0) {
      endResult();
    } else {
      endDefinitions();
    }
  }

  private void endDefinitions() {
    if (!preparing) {
      state = State.ROWS;
    } else if (groupsLeft > 0) {
      groupsLeft--;
      beginDefinitions(columnsAfterParameters);
    } else {
      state = State.DONE;
    }
  }

  private void row(int first, int length) {
    if (first == ErrPacket.HEADER) {
      error();
    } else if (first == EOF && deprecateEof && length < PacketWriter.MAX_PAYLOAD_BYTES) {
      ok();
      endResult();
    } else if (first == EOF && !deprecateEof && length <= LONGEST_EOF) {
      eof();
      endResult();
    } else {
      rows++;
    }
  }

  private void onlyPacket(int first, int length) {
    if (first == ErrPacket.HEADER) {
      error();
      return;
    }
    if (first == EOF && length <= LONGEST_EOF && !deprecateEof) {
      eof();
    } else if (first == OK || first == EOF) {
      ok();
    } else {
      throw new MalformedPacketException(
          "answer of %d bytes that begins with %d (expected: OK, EOF or ERR)"
              .formatted(length, first));
    }
    state = State.DONE;
  }

  private void endResult() {
    results++;
    state = (status & ServerStatus.MORE_RESULTS) != 0 ? State.FIRST : State.DONE;
  }

  private void error() {
    errorCode = headLength >= 3 ? int2(1) : 0;
    results++;
    state = State.DONE;
  }

  private void ok() {
    int at = 1;
    affectedRows = lengthEncoded(at);
    at += lengthEncodedBytes(at);
    insertId = lengthEncoded(at);
    at += lengthEncodedBytes(at);
    anyInsertId |= insertId != 0;
    status = int2(at);
    warnings = int2(at + 2);
  }

  private void eof() {
    warnings = int2(1);
    status = int2(3);
  }

  private int lengthEncodedBytes(int at) {
    return switch (head[at] & 0xFF) {
      case 0xFC -> 3;
      case 0xFD -> 4;
      case 0xFE -> 9;
      default -> 1;
    };
  }

  private long lengthEncoded(int at) {
    need(at + 1);
    int bytes = lengthEncodedBytes(at);
    need(at + bytes);
    if (bytes == 1) {
      return head[at] & 0xFF;
    }
    long value = 0;
    for (int i = bytes - 1; i > 0; i--) {
      value = value << 8 | (head[at + i] & 0xFF);
    }
    return value;
  }

  private int int2(int at) {
    need(at + 2);
    return (head[at] & 0xFF) | (head[at + 1] & 0xFF) << 8;
  }

  private int int4(int at) {
    need(at + 4);
    return int2(at) | int2(at + 2) << 16;
  }

  private void need(int bytes) {
    if (bytes > headLength) {
      throw new MalformedPacketException(
          "server's packet ends after %d bytes (expected: at least %d)"
              .formatted(headLength, bytes));
    }
  }

  /** Whether the last byte of the response has been seen. */
  public boolean isDone() {
    return state == State.DONE;
  }

  /** Whether nothing of a packet is outstanding, so that an ERR packet may be put here. */
  public boolean isBetweenPackets() {
    return headerBytes == 0 && !continuation;
  }

  /** Whether the server asked for a file since the last call. */
  public boolean takeFileRequest() {
    boolean wanted = fileWanted;
    fileWanted = false;
    return wanted;
  }

  /**
   * The client has sent another packet of a large command or of a file; the server counts on after
   * the last that it has read.
   */
  public void clientSent(int clientSequence) {
    nextSequence = clientSequence + 1;
    afterClient = true;
  }

  /** The number of the next packet, as a byte. */
  public int nextSequence() {
    return nextSequence & 0xFF;
  }

  /** The flags of the last OK or EOF; those of an earlier response if this one had none. */
  public int status() {
    return status;
  }

  /** Takes over what the login's OK said. */
  public void setStatus(int flags) {
    status = flags;
  }

  /** Warnings of the last statement. */
  public int warnings() {
    return warnings;
  }

  /** The error's number, or 0 if there was none. */
  public int errorCode() {
    return errorCode;
  }

  /** Affected rows of the last OK. */
  public long affectedRows() {
    return affectedRows;
  }

  /** Whether any OK of the response told an insert id. */
  public boolean hasInsertId() {
    return anyInsertId;
  }

  /** Rows of all results together. */
  public long rows() {
    return rows;
  }

  /** How many results the response had, errors included. */
  public int results() {
    return results;
  }

  /** The prepared statement's id, if one was prepared. */
  public int statementId() {
    return statementId;
  }
}
