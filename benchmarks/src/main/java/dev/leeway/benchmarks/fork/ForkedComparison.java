package dev.leeway.benchmarks.fork;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Runs two workloads in turn, A B A B …, each time in a fresh JVM, and compares pair by pair. */
public final class ForkedComparison {
  private static final long FORK_LIMIT_SECONDS = 180;

  private final Class<? extends Workload> baseline;
  private final Class<? extends Workload> candidate;
  private final int pairs;
  private final int warmUpOperations;
  private final int operations;
  private final List<String> jvmOptions = new ArrayList<>();

  /** A comparison of {@code candidate} with {@code baseline} over so many pairs of JVMs. */
  public ForkedComparison(
      Class<? extends Workload> baseline,
      Class<? extends Workload> candidate,
      int pairs,
      int warmUpOperations,
      int operations) {
    this.baseline = baseline;
    this.candidate = candidate;
    this.pairs = pairs;
    this.warmUpOperations = warmUpOperations;
    this.operations = operations;
  }

  /** Hands a system property to every forked JVM. */
  public ForkedComparison property(String name, String value) {
    jvmOptions.add("-D" + name + "=" + value);
    return this;
  }

  /** Runs all pairs and prints each, then the medians. */
  public void run() throws IOException, InterruptedException {
    double[] cpuRatios = new double[pairs];
    double[] byteRatios = new double[pairs];
    double[] throughputRatios = new double[pairs];
    for (int i = 0; i < pairs; i++) {
      Cost a = fork(baseline);
      Cost b = fork(candidate);
      cpuRatios[i] = b.cpuNanos() / a.cpuNanos();
      byteRatios[i] = b.bytes() / a.bytes();
      throughputRatios[i] = a.wallNanos() / b.wallNanos();
      print("pair %d: %s, %s: ", i + 1, describe(baseline, a), describe(candidate, b));
      print(
          "%.2f of the CPU, %.2f of the bytes, %.3f of the throughput%n",
          cpuRatios[i], byteRatios[i], throughputRatios[i]);
    }
    print(
        "median: %.2f of the CPU, %.2f of the bytes, %.3f of the throughput%n",
        median(cpuRatios), median(byteRatios), median(throughputRatios));
  }

  private static String describe(Class<?> workload, Cost cost) {
    return String.format(
        Locale.ROOT,
        "%s %.0f ns CPU %.0f B %.0f ns",
        workload.getSimpleName(),
        cost.cpuNanos(),
        cost.bytes(),
        cost.wallNanos());
  }

  private Cost fork(Class<? extends Workload> workload) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xms512m", "-Xmx512m", "-cp", System.getProperty("java.class.path")));
    command.addAll(jvmOptions);
    command.addAll(List.of(Fork.class.getName(), workload.getName()));
    command.addAll(List.of(Integer.toString(warmUpOperations), Integer.toString(operations)));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    StringBuilder output = new StringBuilder();
    Cost cost = null;
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        output.append(line).append('\n');
        if (Cost.isLine(line)) {
          cost = Cost.parse(line);
        }
      }
    }
    if (!process.waitFor(FORK_LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException(
          workload.getName() + " did not end within " + FORK_LIMIT_SECONDS + " s");
    }
    if (cost == null) {
      throw new IOException(workload.getName() + " printed no cost; its output was:\n" + output);
    }
    return cost;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static void print(String format, Object... values) {
    System.out.printf(Locale.ROOT, format, values);
  }
}
