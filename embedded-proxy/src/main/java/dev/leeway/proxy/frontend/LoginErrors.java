package dev.leeway.proxy.frontend;

import dev.leeway.proxy.wire.ErrPacket;

/** What a client is told whose login fails. */
final class LoginErrors {
  static final ErrPacket TOO_SLOW =
      new ErrPacket(
          1159,
          "08S01",
          "Leeway proxy - the login took longer than is allowed. Connect again, or raise"
              + " loginTimeout.");

  static final ErrPacket TOO_MANY =
      new ErrPacket(
          1040,
          "08004",
          "Leeway proxy - too many clients are connected. Close some, or raise maxClients.");

  private LoginErrors() {}

  /** In a server's own words: clients and people look for them. */
  static ErrPacket denied(String user, String host, boolean usedPassword) {
    return new ErrPacket(
        1045,
        "28000",
        "Access denied for user '%s'@'%s' (using password: %s)"
            .formatted(user, host, usedPassword ? "YES" : "NO"));
  }

  static ErrPacket blocked(String user) {
    return new ErrPacket(
        1129,
        "HY000",
        "Leeway proxy - too many logins of user '%s' from this address have failed. Wait a minute"
                .formatted(user)
            + " and log in with the right password.");
  }

  static ErrPacket malformed(Throwable problem) {
    return new ErrPacket(1043, "08S01", "Leeway proxy - bad handshake: " + problem.getMessage());
  }

  static ErrPacket internal(String problem) {
    return new ErrPacket(
        1105, "HY000", "Leeway proxy - the login failed inside the proxy: " + problem);
  }
}
