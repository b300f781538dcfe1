package dev.leeway.testkit.drill;

import java.util.List;
import java.util.Map;

/**
 * What a drill counted. Immutable.
 *
 * @param iterations how many writes were made and read
 * @param stale how many reads missed the write that had just been acknowledged
 * @param servedByPrimary how many reads the primary answered, by its own {@code @@server_uuid}
 * @param servedByReplica how many reads a replica of the topology answered
 * @param servedByServer how many reads each server answered, by its name; a server outside of the
 *     topology appears by its uuid, and in neither of the two counts above
 * @param staleReads the first ten stale reads in words
 * @param writes how long the writes took
 * @param reads how long the reads took
 */
public record DrillResult(
    int iterations,
    int stale,
    int servedByPrimary,
    int servedByReplica,
    Map<String, Integer> servedByServer,
    List<String> staleReads,
    Timings writes,
    Timings reads) {

  public DrillResult {
    servedByServer = Map.copyOf(servedByServer);
    staleReads = List.copyOf(staleReads);
  }

  /** The part of the reads that the primary answered, 0 to 1. */
  public double primaryShare() {
    return (double) servedByPrimary / iterations;
  }

  /**
   * Passes if no read was stale.
   *
   * @return this result
   * @throws AssertionError otherwise, with the first stale reads
   */
  public DrillResult requireNoStaleReads() {
    if (stale > 0) {
      throw new AssertionError(
          "drill - "
              + stale
              + " of "
              + iterations
              + " reads were stale (expected: 0). First: "
              + String.join(", ", staleReads));
    }
    return this;
  }

  /**
   * Passes if at least this part of the reads came from replicas.
   *
   * @param share 0 to 1
   * @return this result
   * @throws AssertionError otherwise
   */
  public DrillResult requireReplicaShare(double share) {
    double seen = (double) servedByReplica / iterations;
    if (seen < share) {
      throw new AssertionError(
          "drill - replicas answered "
              + servedByReplica
              + " of "
              + iterations
              + " reads (expected: a share of "
              + share
              + " or more). Served by: "
              + servedByServer);
    }
    return this;
  }
}
