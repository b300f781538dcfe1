package dev.leeway.proxy.backend;

/**
 * Who logs in to a server. The password is shown nowhere.
 *
 * @param user the account's name
 * @param password its bytes as the server hashes them
 */
public record Account(String user, byte[] password) {
  @Override
  public String toString() {
    return "'" + user + "'";
  }
}
