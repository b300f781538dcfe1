package dev.leeway.queue;

import dev.leeway.gate.ClusterState;
import dev.leeway.gate.ServerState;
import java.util.concurrent.TimeUnit;

/** How long replicas will still lack something, as far as can be told now. */
final class ResidualLag {
  /** What is measured is up to a poll old; coming back sooner than this would find nothing new. */
  static final long LEAST_MILLIS = 10;

  private ResidualLag() {}

  /**
   * How long until the first replica has what was committed {@code ageMillis} ago, if it goes on as
   * it does: a replica that is so far behind shows it as much later as it is behind.
   *
   * <p>A lag that has only just begun is not measured in full yet: replicas that had everything a
   * moment ago count as a moment behind. So a job that has come back too early is put back for at
   * least as long as it has waited already.
   *
   * <p>The age compares two machines' clocks. A wrong one makes the job come back too early and be
   * put back once more, or too late by what the replica lags at most; it never lets it read too
   * early.
   *
   * @param delayedMillis for how long the job was put back before
   * @param mostMillis what is left of the time allowed, more than zero
   * @return {@value #LEAST_MILLIS} or {@code mostMillis} at least, {@code mostMillis} at most
   */
  static long millis(
      ClusterState state, long nowNanos, long ageMillis, long delayedMillis, long mostMillis) {
    long least = mostMillis;
    for (ServerState server : state.servers()) {
      if (server.index() != state.primaryIndex() && server.mayServe()) {
        long lagNanos = server.stalenessNanos(nowNanos);
        if (lagNanos != Long.MAX_VALUE) {
          long left = TimeUnit.NANOSECONDS.toMillis(lagNanos) - Math.max(0, ageMillis);
          least = Math.min(least, left);
        }
      }
    }
    return Math.min(mostMillis, Math.max(Math.max(LEAST_MILLIS, delayedMillis), least));
  }
}
