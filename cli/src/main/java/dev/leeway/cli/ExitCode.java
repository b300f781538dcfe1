package dev.leeway.cli;

import java.util.LinkedHashMap;
import java.util.Map;

/** What the shell learns from a command. */
final class ExitCode {
  /** Done, and what was checked holds. */
  static final int OK = 0;

  /** Done, and what was checked does not hold: a stale read, a position not reached. */
  static final int CHECK_FAILED = 1;

  /** Not done: the command line or a file it names cannot be used as it is. */
  static final int USAGE = 2;

  /** Not done: something outside is missing or does not answer, such as a MySQL server. */
  static final int ENVIRONMENT = 3;

  /** Not done: a defect of Leeway. */
  static final int DEFECT = 70;

  private ExitCode() {}

  /** For the help of every command. */
  static Map<String, String> help() {
    Map<String, String> help = new LinkedHashMap<>();
    help.put(" " + OK, "done, and what was checked holds");
    help.put(
        " " + CHECK_FAILED,
        "done, and what was checked does not hold (a stale read, a position not reached)");
    help.put(" " + USAGE, "not done: the command line or the configuration cannot be used");
    help.put(
        " " + ENVIRONMENT,
        "not done: something outside is missing or does not answer, such as MySQL");
    help.put(String.valueOf(DEFECT), "not done: a defect of Leeway");
    return help;
  }
}
