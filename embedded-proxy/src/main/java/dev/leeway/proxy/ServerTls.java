package dev.leeway.proxy;

/** How the proxy talks to servers on the network. Unix sockets need none of it. */
public enum ServerTls {
  /** Without TLS. Passwords still travel encrypted, by the server's public key. Default. */
  OFF,

  /** With TLS, to whoever answers: nobody can listen, but the server's name is not proved. */
  UNVERIFIED,

  /** With TLS, to a server whose certificate this Java trusts and that names the server's host. */
  VERIFIED
}
