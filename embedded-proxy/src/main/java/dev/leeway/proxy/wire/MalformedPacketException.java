package dev.leeway.proxy.wire;

/** A peer sent bytes that do not fit the protocol; its connection cannot be used any more. */
public final class MalformedPacketException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what was read and what was expected; never a part of the packet itself, which
   *     may hold a secret
   */
  public MalformedPacketException(String message) {
    super(message);
  }

  /** Hostile peers can cause many of these, and where it was thrown says nothing about them. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
