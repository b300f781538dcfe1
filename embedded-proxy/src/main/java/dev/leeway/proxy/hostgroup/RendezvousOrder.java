package dev.leeway.proxy.hostgroup;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;

/**
 * Which server the reads of one id go to: the same one each time, each server getting its share by
 * weight (weighted rendezvous hashing).
 *
 * <p>An id has an order of its own over all servers that are configured. The first of it that may
 * serve is taken, so when a server leaves, only its own ids move, each to the next of its order,
 * and when it comes back they return. No other id ever moves.
 *
 * <p>Depends on the servers' names and weights and on nothing else: neither on their sequence nor
 * on the process, so that two proxies with the same servers agree. Immutable and safe to share.
 */
public final class RendezvousOrder {
  private static final long FNV_OFFSET = 0xCBF2_9CE4_8422_2325L;
  private static final long FNV_PRIME = 0x0000_0100_0000_01B3L;

  private final List<String> names;
  private final long[] seeds;
  private final double[] weights;

  /**
   * @param names of all configured servers, each once
   * @param weights of these, each 1 or more; a server of weight 3 gets three times the ids of one
   *     of weight 1
   * @throws IllegalArgumentException if there is none, a name stands twice, or a weight is less
   */
  public RendezvousOrder(List<String> names, int[] weights) {
    this.names = List.copyOf(names);
    if (names.isEmpty() || names.size() != weights.length) {
      throw new IllegalArgumentException(
          "Consistent reads - %d servers and %d weights (expected: one weight for each server)"
              .formatted(names.size(), weights.length));
    }
    if (names.stream().distinct().count() != names.size()) {
      throw new IllegalArgumentException(
          "Consistent reads - servers " + names + " (expected: each name once)");
    }
    this.seeds = new long[weights.length];
    this.weights = new double[weights.length];
    for (int i = 0; i < weights.length; i++) {
      if (weights[i] < 1) {
        throw new IllegalArgumentException(
            "Consistent reads - weight %d of server %s (expected: 1 or more)"
                .formatted(weights[i], names.get(i)));
      }
      this.weights[i] = weights[i];
      this.seeds[i] = mix(hash(names.get(i)));
    }
  }

  /**
   * The index of the server for an id, or -1 if none may serve.
   *
   * @param id what the client calls its series of reads
   * @param mayServe whether the server of this index may be used now
   */
  public int choose(String id, IntPredicate mayServe) {
    Objects.requireNonNull(id, "id");
    long hash = hash(id);
    int best = -1;
    double bestScore = 0;
    for (int i = 0; i < seeds.length; i++) {
      if (mayServe.test(i)) {
        double score = score(hash, i);
        // Equal scores are as good as impossible; the names decide, so that all agree.
        if (best < 0
            || score > bestScore
            || (score == bestScore && names.get(i).compareTo(names.get(best)) < 0)) {
          best = i;
          bestScore = score;
        }
      }
    }
    return best;
  }

  /** All servers in the id's own order, the first choice first. */
  public int[] order(String id) {
    boolean[] taken = new boolean[seeds.length];
    int[] order = new int[seeds.length];
    Arrays.fill(order, -1);
    for (int place = 0; place < order.length; place++) {
      order[place] = choose(id, i -> !taken[i]);
      taken[order[place]] = true;
    }
    return order;
  }

  /** The name of the server of an index. */
  public String name(int index) {
    return names.get(index);
  }

  /** How many servers there are. */
  public int size() {
    return names.size();
  }

  /**
   * {@code -weight / ln(u)} with a u from 0 to 1 that the pair of id and server determines: the
   * greatest of these falls on each server in proportion to its weight.
   */
  private double score(long hash, int index) {
    long mixed = mix(hash ^ seeds[index]);
    // The upper 53 bits, and never 0 or 1.
    double u = ((mixed >>> 11) + 0.5) * 0x1.0p-53;
    return -weights[index] / Math.log(u);
  }

  /** FNV-1a over the characters, both bytes of each. */
  private static long hash(String text) {
    long hash = FNV_OFFSET;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      hash = (hash ^ (c & 0xFF)) * FNV_PRIME;
      hash = (hash ^ (c >>> 8)) * FNV_PRIME;
    }
    return hash;
  }

  /** Spreads every bit over all others (the finalizer of SplitMix64). */
  private static long mix(long value) {
    long z = value + 0x9E37_79B9_7F4A_7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
    return z ^ (z >>> 31);
  }
}
