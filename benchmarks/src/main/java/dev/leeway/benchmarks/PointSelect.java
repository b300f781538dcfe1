package dev.leeway.benchmarks;

import dev.leeway.benchmarks.fork.Workload;
import org.jdbi.v3.core.Jdbi;

/** One row by its key, through Jdbi, from a real server. */
abstract class PointSelect implements Workload {
  static final int ROWS = 1_000;

  abstract Jdbi jdbi();

  @Override
  public final long run(int operations) throws Exception {
    long sum = 0;
    for (int i = 0; i < operations; i++) {
      int id = i % ROWS + 1;
      sum +=
          jdbi()
              .withHandle(
                  handle ->
                      handle
                          .createQuery(PointRead.SQL.replace("?", ":id"))
                          .bind("id", id)
                          .mapTo(int.class)
                          .one());
    }
    return sum;
  }

  /** What {@link PointSelectComparison} tells the forked JVM. */
  static String told(String name) {
    String value = System.getProperty(name);
    if (value == null) {
      throw new IllegalStateException(
          "no property " + name + " (expected: to be started by PointSelectComparison)");
    }
    return value;
  }
}
