package dev.leeway.gate;

import static dev.leeway.gate.ServerState.UNKNOWN_NANOS;

import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * When somebody read and wrote, on the clock of a primary, which two processes can compare.
 *
 * <p>All moments are microseconds since 1970 UTC; {@link ServerState#UNKNOWN_NANOS} where there is
 * none.
 *
 * @param clock the {@code server_uuid} of the primary whose clock it is
 * @param micros everything that was seen anywhere but on {@code replica} was visible on the primary
 *     by then
 * @param writtenMicros everything that was written was committed by then
 * @param replica the {@code server_uuid} of the replica that served last, which needs no proof as
 *     long as it is the same server; null if none did
 * @param replicaMicros when that replica last answered; none exactly if there is no replica
 * @param replicaShowsAll whether that replica is proved to hold all that was written and seen, so
 *     that others who trust it need no proof of their own
 */
public record SeenMoment(
    UUID clock,
    long micros,
    long writtenMicros,
    @Nullable UUID replica,
    long replicaMicros,
    boolean replicaShowsAll) {

  /** Checks that it says something. */
  public SeenMoment {
    Objects.requireNonNull(clock, "clock");
    if ((replica == null) != (replicaMicros == UNKNOWN_NANOS)) {
      throw new IllegalArgumentException(
          "Seen moment - a replica without a moment, or a moment without a replica (expected: both"
              + " or none)");
    }
    if (replicaShowsAll && replica == null) {
      throw new IllegalArgumentException(
          "Seen moment - no replica shows all (expected: a replica, or nothing said of it)");
    }
    if (micros == UNKNOWN_NANOS && writtenMicros == UNKNOWN_NANOS && replica == null) {
      throw new IllegalArgumentException("Seen moment - no moment (expected: at least one)");
    }
  }
}
