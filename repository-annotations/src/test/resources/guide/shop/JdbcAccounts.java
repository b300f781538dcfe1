package shop;

import dev.leeway.annotation.ReadPrimary;
import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.RoutedRepository;

@RoutedRepository
interface Accounts {
  @ReadPrimary(because = "money is moved on this figure")
  long balance(long account);

  @ReadReplica(maxStaleness = "10s")
  String statement(long account);
}

class JdbcAccounts implements Accounts {
  @Override
  public long balance(long account) {
    return 0;
  }

  // tag::self-call[]
  @Override
  @SuppressWarnings("LW-105") // a statement is about yesterday; its balance may be as old as the rest
  public String statement(long account) {
    return "Balance: " + balance(account);
  }
  // end::self-call[]
}
