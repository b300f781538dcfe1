package dev.leeway.gate;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What came of a question to the {@link ReplicaGate}, and why.
 *
 * @param outcome what to do
 * @param server the replica that has reached the position; null unless {@link Outcome#REACHED}
 * @param waited how long the caller was held back; zero if the answer was known
 * @param explanation one line for a log: who speaks, what happened, what to do
 */
public record GateResult(
    Outcome outcome, @Nullable String server, Duration waited, String explanation) {

  /** The possible answers. Every one but {@link #REACHED} means: not on a replica. */
  public enum Outcome {
    /** The replica {@link GateResult#server} has everything the position says, and may serve. */
    REACHED,
    /** No replica that may serve got there in the time allowed. */
    TIMED_OUT,
    /** The position does not say all that was written, so only the primary is sure to show it. */
    USE_PRIMARY,
    /** The position is of another cluster and means nothing here. */
    FOREIGN_CLUSTER,
    /**
     * The primary itself lacks the position: it was lost, in a failover or a restore, or has not
     * been written yet.
     */
    LOST,
    /** No replica may serve at all. */
    NO_REPLICA
  }

  /** Checks that nothing required is missing. */
  public GateResult {
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(waited, "waited");
    Objects.requireNonNull(explanation, "explanation");
    if ((server == null) == (outcome == Outcome.REACHED)) {
      throw new IllegalArgumentException(
          "Gate result - server " + server + " with " + outcome + " (expected: one if REACHED)");
    }
  }

  /** Whether a replica has reached the position. */
  public boolean isReached() {
    return outcome == Outcome.REACHED;
  }
}
