package dev.leeway.benchmarks.fork;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The child process: warms one workload up, measures it, prints the median round. */
public final class Fork {
  private static final int ROUNDS = 9;

  private Fork() {}

  /**
   * Measures.
   *
   * @param args class name of the workload, operations to warm up with, operations per round
   */
  public static void main(String[] args) throws Exception {
    int warmUpOperations = Integer.parseInt(args[1]);
    int operations = Integer.parseInt(args[2]);
    try (Workload workload =
        Class.forName(args[0]).asSubclass(Workload.class).getConstructor().newInstance()) {
      long seen = workload.run(warmUpOperations);
      List<Cost> rounds = new ArrayList<>();
      for (int i = 0; i < ROUNDS; i++) {
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long bytesBefore = thread.getCurrentThreadAllocatedBytes();
        long started = System.nanoTime();
        long cpuBefore = thread.getCurrentThreadCpuTime();
        seen += workload.run(operations);
        long cpu = thread.getCurrentThreadCpuTime() - cpuBefore;
        long wall = System.nanoTime() - started;
        long bytes = thread.getCurrentThreadAllocatedBytes() - bytesBefore;
        rounds.add(
            new Cost(
                (double) cpu / operations,
                (double) bytes / operations,
                (double) wall / operations));
      }
      rounds.sort(Comparator.comparingDouble(Cost::cpuNanos));
      System.out.println("result depends on " + seen);
      System.out.println(rounds.get(ROUNDS / 2).toLine());
    }
  }
}
