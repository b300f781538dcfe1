package dev.leeway.testkit;

/** One way to get a MySQL server on this machine. */
interface MySqlSource {

  /** The way in a few words, for log lines and errors. */
  String name();

  /**
   * Makes the way ready to start servers.
   *
   * @throws Unavailable if it cannot be used here, with the reason; the next way is then tried
   * @throws NoMySqlException if the user asked for this very way and it cannot be had
   */
  ServerHost open(Progress progress) throws Unavailable;

  /** Why a way is closed. */
  final class Unavailable extends Exception {
    private static final long serialVersionUID = 1L;

    Unavailable(String why) {
      super(why);
    }

    Unavailable(String why, Throwable cause) {
      super(why, cause);
    }
  }
}
