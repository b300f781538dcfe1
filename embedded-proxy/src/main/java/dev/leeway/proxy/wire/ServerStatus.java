package dev.leeway.proxy.wire;

/** The status flags of OK and EOF packets, by the protocol's names. */
public final class ServerStatus {
  public static final int IN_TRANSACTION = 1;
  public static final int AUTOCOMMIT = 1 << 1;
  public static final int MORE_RESULTS = 1 << 3;
  public static final int CURSOR_EXISTS = 1 << 6;
  public static final int LAST_ROW_SENT = 1 << 7;
  public static final int IN_READ_ONLY_TRANSACTION = 1 << 13;
  public static final int SESSION_STATE_CHANGED = 1 << 14;

  private ServerStatus() {}
}
