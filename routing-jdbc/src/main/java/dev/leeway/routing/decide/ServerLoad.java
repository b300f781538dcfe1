package dev.leeway.routing.decide;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How busy a server is with our reads, and how long they take. Safe for any number of threads.
 *
 * <p>Latency is a moving average over sampled reads. A lost update between two threads costs one
 * sample, which is cheaper than making every read wait its turn.
 */
public final class ServerLoad {
  /** What an untried server is assumed to take: little, so that it is tried soon. */
  private static final long UNTRIED_NANOS = 100_000;

  private static final int WEIGHT_OF_A_SAMPLE_SHIFT = 3;

  private final AtomicInteger active = new AtomicInteger();
  private final int weight;
  private volatile long latencyNanos = UNTRIED_NANOS;

  /**
   * Starts idle.
   *
   * @param weight how much of the reading this server takes relative to others; 1 or more
   */
  public ServerLoad(int weight) {
    this.weight = weight;
  }

  /** A read begins. */
  public void begin() {
    active.incrementAndGet();
  }

  /** A read has ended. */
  public void end() {
    active.decrementAndGet();
  }

  /** A sampled read took this long. */
  public void took(long nanos) {
    long before = latencyNanos;
    latencyNanos = before + ((nanos - before) >> WEIGHT_OF_A_SAMPLE_SHIFT);
  }

  /** Reads under way. */
  public int active() {
    return active.get();
  }

  /**
   * How long a further read would take here, in proportion to the weight; only its ratio to another
   * server's means anything.
   */
  double cost() {
    return (double) (active.get() + 1) * latencyNanos / weight;
  }
}
