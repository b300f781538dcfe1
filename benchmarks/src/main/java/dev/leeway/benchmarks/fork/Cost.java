package dev.leeway.benchmarks.fork;

/**
 * What one operation cost.
 *
 * @param cpuNanos CPU time of its thread, nanoseconds per operation
 * @param bytes heap bytes its thread allocated per operation
 * @param wallNanos time that passed, nanoseconds per operation
 */
public record Cost(double cpuNanos, double bytes, double wallNanos) {
  private static final String MARK = "cost ";

  String toLine() {
    return MARK + cpuNanos + " " + bytes + " " + wallNanos;
  }

  static boolean isLine(String line) {
    return line.startsWith(MARK);
  }

  static Cost parse(String line) {
    String[] parts = line.substring(MARK.length()).split(" ", -1);
    return new Cost(
        Double.parseDouble(parts[0]), Double.parseDouble(parts[1]), Double.parseDouble(parts[2]));
  }
}
