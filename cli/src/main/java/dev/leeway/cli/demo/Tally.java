package dev.leeway.cli.demo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts reads: where they were served, for which reason, how long they took, and how many were
 * wrong.
 *
 * <p>Safe for any number of threads.
 */
final class Tally {
  private final String primaryUuid;
  private final List<Long> nanos = new ArrayList<>();
  private final Map<String, Integer> reasons = new HashMap<>();
  private int onPrimary;
  private int older;
  private int missing;

  /**
   * A tally of nothing yet.
   *
   * @param primaryUuid who the primary is; every other server counts as a replica
   */
  Tally(String primaryUuid) {
    this.primaryUuid = primaryUuid;
  }

  /** All of these counted together. */
  static Tally sum(Collection<Tally> parts) {
    Tally sum = new Tally("");
    parts.forEach(sum::add);
    return sum;
  }

  private void add(Tally part) {
    // The sum is not shared yet; the part may still be counting.
    synchronized (part) {
      nanos.addAll(part.nanos);
      part.reasons.forEach((reason, count) -> reasons.merge(reason, count, Integer::sum));
      onPrimary += part.onPrimary;
      older += part.older;
      missing += part.missing;
    }
  }

  /**
   * Counts one read.
   *
   * @param reason why the read went there, empty where nobody says
   */
  synchronized void served(String serverUuid, long tookNanos, String reason) {
    nanos.add(tookNanos);
    if (serverUuid.equals(primaryUuid)) {
      onPrimary++;
    }
    if (!reason.isEmpty()) {
      reasons.merge(reason, 1, Integer::sum);
    }
  }

  synchronized void judged(Verdict verdict) {
    switch (verdict) {
      case OLDER -> older++;
      case MISSING -> missing++;
      case RIGHT -> {}
    }
  }

  synchronized int reads() {
    return nanos.size();
  }

  synchronized int onPrimary() {
    return onPrimary;
  }

  synchronized int onReplicas() {
    return nanos.size() - onPrimary;
  }

  /** Between 0 and 1; zero without a read. */
  synchronized double primaryShare() {
    return nanos.isEmpty() ? 0 : (double) onPrimary / nanos.size();
  }

  /** Stale reads whose answer was of the past. */
  synchronized int older() {
    return older;
  }

  /** Stale reads that gave no answer where there should have been one. */
  synchronized int missing() {
    return missing;
  }

  /**
   * Reads that did not show what had been written: {@link #older} and {@link #missing} together.
   */
  synchronized int stale() {
    return older + missing;
  }

  /** Counts by reason, in the order of their names. */
  synchronized Map<String, Integer> reasons() {
    return new TreeMap<>(reasons);
  }

  /** The time that {@code percent} of the reads did not exceed, in milliseconds. */
  synchronized double millisAtPercent(int percent) {
    if (nanos.isEmpty()) {
      return 0;
    }
    long[] sorted = nanos.stream().mapToLong(Long::longValue).toArray();
    Arrays.sort(sorted);
    int rank = (int) Math.ceil(percent / 100.0 * sorted.length);
    return sorted[Math.max(0, rank - 1)] / 1e6;
  }
}
