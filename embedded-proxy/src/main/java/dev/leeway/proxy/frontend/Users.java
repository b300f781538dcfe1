package dev.leeway.proxy.frontend;

import dev.leeway.proxy.backend.Account;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who may log in at the proxy: users with their passwords, and, if allowed, anybody whom the server
 * knows.
 *
 * <p>Safe for any number of threads.
 */
public final class Users {
  /** Passwords that were learnt are forgotten when there are more. */
  private static final int MOST_LEARNT = 1000;

  private final Map<String, Account> configured;
  private final boolean passThrough;
  private final Map<String, Account> learnt = new ConcurrentHashMap<>();

  /**
   * @param configured by name
   * @param passThrough whether others give their password in full, and the server decides
   */
  public Users(Map<String, Account> configured, boolean passThrough) {
    this.configured = Map.copyOf(configured);
    this.passThrough = passThrough;
  }

  /** The account with its password, or null if the password is not known. */
  @Nullable Account find(String user) {
    Account account = configured.get(user);
    return account != null ? account : learnt.get(user);
  }

  /** Whether a password that is not known may be asked for in full. */
  boolean mayAskInFull(String user) {
    return passThrough && !configured.containsKey(user);
  }

  /** A server has accepted the account. */
  void learn(Account account) {
    if (!configured.containsKey(account.user())) {
      if (learnt.size() >= MOST_LEARNT) {
        learnt.clear();
      }
      learnt.put(account.user(), account);
    }
  }

  /** A server has refused the account. */
  void forget(String user) {
    learnt.remove(user);
  }
}
