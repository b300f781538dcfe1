package dev.leeway.testkit;

import java.util.List;

/** The accounts that every server is born with. */
final class Accounts {
  static final Account ADMIN = new Account("leeway_admin", "leeway-admin");
  static final Account APPLICATION = new Account("app", "app-secret");
  static final Account REPLICATION = new Account("leeway_replication", "leeway-replication");

  private Accounts() {}

  /** A name and its password; the servers listen on loopback only and hold test data only. */
  record Account(String user, String password) {}

  /** Statements that create the accounts, one a line as {@code --init-file} wants them. */
  static List<String> statements() {
    return List.of(
        create(ADMIN),
        "GRANT ALL ON *.* TO '" + ADMIN.user() + "'@'%' WITH GRANT OPTION;",
        create(APPLICATION),
        // What an application and its migrations need. Nothing that gets past super_read_only.
        "GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, ALTER, INDEX, REFERENCES, TRIGGER,"
            + " EVENT, CREATE VIEW, SHOW VIEW, CREATE ROUTINE, ALTER ROUTINE, EXECUTE, LOCK TABLES,"
            + " CREATE TEMPORARY TABLES ON *.* TO '"
            + APPLICATION.user()
            + "'@'%';",
        create(REPLICATION),
        "GRANT REPLICATION SLAVE ON *.* TO '" + REPLICATION.user() + "'@'%';");
  }

  private static String create(Account account) {
    return "CREATE USER '" + account.user() + "'@'%' IDENTIFIED BY '" + account.password() + "';";
  }
}
