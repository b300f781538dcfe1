package dev.leeway.proxy.backend;

import dev.leeway.proxy.wire.ErrPacket;

/** A server could not be reached, or refused; carries what a client is to be told. */
public final class ServerException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Clients know this number as "cannot connect". */
  private static final int CANNOT_CONNECT = 2003;

  private final transient ErrPacket error;
  private final boolean refusal;

  private ServerException(ErrPacket error, boolean refusal) {
    super(error.message());
    this.error = error;
    this.refusal = refusal;
  }

  /** The server's own error, to be passed on as it is. */
  public static ServerException refused(ErrPacket error) {
    return new ServerException(error, true);
  }

  /** The server did not answer as one should. */
  public static ServerException unreachable(String server, String problem) {
    return new ServerException(
        new ErrPacket(
            CANNOT_CONNECT,
            "HY000",
            "Leeway proxy - server "
                + server
                + " cannot be used: "
                + problem
                + ". Nothing was executed; try again when it answers."),
        false);
  }

  public ErrPacket error() {
    return error;
  }

  /** Whether the server itself said no, rather than being out of reach. */
  public boolean isRefusal() {
    return refusal;
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
