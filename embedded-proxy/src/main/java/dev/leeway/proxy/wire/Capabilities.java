package dev.leeway.proxy.wire;

/**
 * The capability flags of the handshake, by the protocol's names. A set of them is an {@code int},
 * as it travels.
 */
public final class Capabilities {
  public static final int LONG_PASSWORD = 1;
  public static final int FOUND_ROWS = 1 << 1;
  public static final int LONG_FLAG = 1 << 2;
  public static final int CONNECT_WITH_DB = 1 << 3;
  public static final int NO_SCHEMA = 1 << 4;
  public static final int COMPRESS = 1 << 5;
  public static final int ODBC = 1 << 6;
  public static final int LOCAL_FILES = 1 << 7;
  public static final int IGNORE_SPACE = 1 << 8;
  public static final int PROTOCOL_41 = 1 << 9;
  public static final int INTERACTIVE = 1 << 10;
  public static final int SSL = 1 << 11;
  public static final int IGNORE_SIGPIPE = 1 << 12;
  public static final int TRANSACTIONS = 1 << 13;
  public static final int RESERVED = 1 << 14;
  public static final int SECURE_CONNECTION = 1 << 15;
  public static final int MULTI_STATEMENTS = 1 << 16;
  public static final int MULTI_RESULTS = 1 << 17;
  public static final int PS_MULTI_RESULTS = 1 << 18;
  public static final int PLUGIN_AUTH = 1 << 19;
  public static final int CONNECT_ATTRS = 1 << 20;
  public static final int PLUGIN_AUTH_LENENC_CLIENT_DATA = 1 << 21;
  public static final int CAN_HANDLE_EXPIRED_PASSWORDS = 1 << 22;
  public static final int SESSION_TRACK = 1 << 23;
  public static final int DEPRECATE_EOF = 1 << 24;
  public static final int OPTIONAL_RESULTSET_METADATA = 1 << 25;
  public static final int ZSTD_COMPRESSION = 1 << 26;
  public static final int QUERY_ATTRIBUTES = 1 << 27;
  public static final int MULTI_FACTOR_AUTHENTICATION = 1 << 28;

  /**
   * What shapes the bytes after the login, or what the server does with them. A client's choice of
   * these is made on its server connection too, so that the relay need not translate anything.
   */
  public static final int OF_SESSION =
      FOUND_ROWS
          | LONG_FLAG
          | NO_SCHEMA
          | ODBC
          | LOCAL_FILES
          | IGNORE_SPACE
          | INTERACTIVE
          | IGNORE_SIGPIPE
          | TRANSACTIONS
          | MULTI_STATEMENTS
          | MULTI_RESULTS
          | PS_MULTI_RESULTS
          | CAN_HANDLE_EXPIRED_PASSWORDS
          | SESSION_TRACK
          | DEPRECATE_EOF
          | OPTIONAL_RESULTSET_METADATA
          | QUERY_ATTRIBUTES;

  /** What each of the two logins settles for itself. */
  public static final int OF_LOGIN =
      LONG_PASSWORD
          | CONNECT_WITH_DB
          | PROTOCOL_41
          | RESERVED
          | SECURE_CONNECTION
          | PLUGIN_AUTH
          | CONNECT_ATTRS
          | PLUGIN_AUTH_LENENC_CLIENT_DATA;

  private Capabilities() {}

  /** Whether all flags of {@code wanted} are in {@code set}. */
  public static boolean has(int set, int wanted) {
    return (set & wanted) == wanted;
  }
}
