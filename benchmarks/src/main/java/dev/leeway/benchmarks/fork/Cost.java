package dev.leeway.benchmarks.fork;

/**
 * What one operation cost on its thread.
 *
 * @param cpuNanos thread CPU time, nanoseconds per operation
 * @param bytes heap bytes allocated per operation
 */
public record Cost(double cpuNanos, double bytes) {
  private static final String MARK = "cost ";

  String toLine() {
    return MARK + cpuNanos + " " + bytes;
  }

  static boolean isLine(String line) {
    return line.startsWith(MARK);
  }

  static Cost parse(String line) {
    String[] parts = line.substring(MARK.length()).split(" ", -1);
    return new Cost(Double.parseDouble(parts[0]), Double.parseDouble(parts[1]));
  }
}
