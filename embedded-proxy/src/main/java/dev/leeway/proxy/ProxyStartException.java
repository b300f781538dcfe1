package dev.leeway.proxy;

/** The proxy could not start, and nothing of it is left running. */
public final class ProxyStartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ProxyStartException(String message, Throwable cause) {
    super(message, cause);
  }
}
