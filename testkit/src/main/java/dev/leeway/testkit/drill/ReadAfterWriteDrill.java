package dev.leeway.testkit.drill;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes something and reads it back at once, many times, and counts how often the read missed it.
 *
 * <p>The two functions are the code under test. Give the same drill a write and a read that go
 * through a naive splitter to see what it does, and ones that go through Leeway to see the
 * difference.
 *
 * <p>Immutable: each setting gives a new drill.
 *
 * @param <T> what a write hands to its read: an id, a value to expect
 */
public final class ReadAfterWriteDrill<T> {
  private static final int DEFAULT_ITERATIONS = 200;
  private static final int MOST_ITERATIONS = 1_000_000;
  private static final int STALE_READS_TOLD = 10;

  private final Write<T> write;
  private final Read<T> read;
  private final int iterations;
  private final @Nullable DrillTopology topology;
  private final Progress progress;

  /** Makes one write and returns when it is acknowledged as committed. */
  @FunctionalInterface
  public interface Write<T> {
    /**
     * Writes, and returns what the read needs to find it.
     *
     * @param iteration 0, 1, 2 and so on, to make something new of
     */
    T write(int iteration) throws Exception;
  }

  /** Reads what one write has written, as the code under test does. */
  @FunctionalInterface
  public interface Read<T> {
    Seen read(T written) throws Exception;
  }

  /** Hears of the drill after each iteration, in its thread. */
  @FunctionalInterface
  public interface Progress {
    /**
     * Called once after each iteration.
     *
     * @param done iterations so far
     * @param stale stale reads among them
     */
    void after(int done, int stale);
  }

  private ReadAfterWriteDrill(
      Write<T> write,
      Read<T> read,
      int iterations,
      @Nullable DrillTopology topology,
      Progress progress) {
    this.write = write;
    this.read = read;
    this.iterations = iterations;
    this.topology = topology;
    this.progress = progress;
  }

  /** A drill of 200 iterations; it needs a topology too. */
  public static <T> ReadAfterWriteDrill<T> of(Write<T> write, Read<T> read) {
    return new ReadAfterWriteDrill<>(write, read, DEFAULT_ITERATIONS, null, (done, stale) -> {});
  }

  /**
   * How often to write and read, 1 to 1,000,000. Default: 200.
   *
   * @throws IllegalArgumentException if out of range
   */
  public ReadAfterWriteDrill<T> iterations(int count) {
    if (count < 1 || count > MOST_ITERATIONS) {
      throw new IllegalArgumentException(
          "drill - iterations: " + count + " (expected: 1 to " + MOST_ITERATIONS + ")");
    }
    return new ReadAfterWriteDrill<>(write, read, count, topology, progress);
  }

  /** The servers that are read from; without them nobody could tell who answered. */
  public ReadAfterWriteDrill<T> topology(DrillTopology servers) {
    return new ReadAfterWriteDrill<>(write, read, iterations, servers, progress);
  }

  public ReadAfterWriteDrill<T> onProgress(Progress listener) {
    return new ReadAfterWriteDrill<>(write, read, iterations, topology, listener);
  }

  /**
   * Runs the drill in this thread.
   *
   * @throws DrillRefusedException if it could not show anything: no topology, or a transaction
   *     around it
   * @throws Exception whatever the write or the read throws; the drill ends there
   */
  public DrillResult run() throws Exception {
    DrillTopology servers = topology;
    if (servers == null) {
      throw new DrillRefusedException(
          "drill - no topology was given, so nobody could tell which server answered"
              + " (expected: topology(DrillTopology.of(...)) before run())");
    }
    long[] writeNanos = new long[iterations];
    long[] readNanos = new long[iterations];
    Map<String, Integer> servedBy = new TreeMap<>();
    List<String> staleReads = new ArrayList<>();
    int stale = 0;
    int byPrimary = 0;
    int byReplica = 0;
    for (int i = 0; i < iterations; i++) {
      Optional<OpenTransactions> open =
          i == 0 ? Optional.of(OpenTransactions.before(servers)) : Optional.empty();
      long start = System.nanoTime();
      T written = write.write(i);
      writeNanos[i] = System.nanoTime() - start;
      start = System.nanoTime();
      Seen seen = read.read(written);
      readNanos[i] = System.nanoTime() - start;
      // Not between the two, where it would give replicas the time to catch up.
      if (open.isPresent()) {
        requireCommitted(open.get());
      }
      String server = servers.nameOf(seen.serverUuid());
      servedBy.merge(server, 1, Integer::sum);
      if (servers.isPrimary(seen.serverUuid())) {
        byPrimary++;
      } else if (servers.isReplica(seen.serverUuid())) {
        byReplica++;
      }
      if (!seen.current()) {
        stale++;
        if (staleReads.size() < STALE_READS_TOLD) {
          staleReads.add("iteration " + i + " on " + server);
        }
      }
      progress.after(i + 1, stale);
    }
    return new DrillResult(
        iterations,
        stale,
        byPrimary,
        byReplica,
        servedBy,
        staleReads,
        Timings.of(writeNanos),
        Timings.of(readNanos));
  }

  private static void requireCommitted(OpenTransactions open) throws Exception {
    Optional<String> wrong = open.whatIsWrong();
    if (wrong.isPresent()) {
      throw new DrillRefusedException(
          "drill - after the write had returned, "
              + wrong.get()
              + ": either a transaction surrounds the drill, and inside it every read sees its own"
              + " writes, or nothing was written (expected: a write that commits; run the drill"
              + " outside of any transaction)");
    }
  }
}
