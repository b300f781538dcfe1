package dev.leeway.benchmarks;

import dev.leeway.benchmarks.fork.ForkedComparison;
import java.io.IOException;

/**
 * What a routed read costs above plain HikariCP: thread CPU time and bytes, over a driver that does
 * nothing, in JVMs that take turns.
 */
public final class BorrowComparison {
  private static final int PAIRS = 5;
  private static final int WARM_UP_OPERATIONS = 5_000_000;
  private static final int OPERATIONS = 2_000_000;

  private BorrowComparison() {}

  /** Runs both comparisons. */
  public static void main(String[] args) throws IOException, InterruptedException {
    new ForkedComparison(
            HikariBorrow.class, RoutedBorrow.class, PAIRS, WARM_UP_OPERATIONS, OPERATIONS)
        .run();
    new ForkedComparison(
            HikariBorrow.class, RoutedBorrowInScope.class, PAIRS, WARM_UP_OPERATIONS, OPERATIONS)
        .run();
  }
}
