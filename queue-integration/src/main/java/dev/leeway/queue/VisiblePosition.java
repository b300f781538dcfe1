package dev.leeway.queue;

import dev.leeway.gate.ClusterState;
import dev.leeway.gate.ServerState;
import dev.leeway.gate.WritePosition;
import dev.leeway.routing.Leeway;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The position of everything that could be seen on the primary at some moment.
 *
 * <p>Whoever has just seen a row there, and does not know the GTID it was committed with, gives
 * this to those who must see the row too: its transaction had committed, so its GTID is among those
 * that the primary owns or has executed when it is asked afterwards.
 */
public final class VisiblePosition {
  private static final Duration BOUND = Duration.ofSeconds(5);

  private VisiblePosition() {}

  /**
   * Asks the primary now.
   *
   * @return empty if it does not answer within five seconds, or nobody knows which server it is
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public static Optional<WritePosition> now(Leeway leeway) throws InterruptedException {
    ClusterState state = askedAfter(leeway, System.nanoTime(), BOUND);
    ServerState primary = state == null ? null : state.primary();
    return state == null || primary == null
        ? Optional.empty()
        : Optional.of(WritePosition.of(state.cluster(), primary.mayHave()));
  }

  /** The state after the primary was asked later than that; null if it was not. */
  static @Nullable ClusterState askedAfter(Leeway leeway, long momentNanos, Duration bound)
      throws InterruptedException {
    int index = leeway.clusterState().primaryIndex();
    if (index < 0) {
      return null;
    }
    try {
      ClusterState state =
          leeway.monitor().pollNow(index).get(bound.toNanos(), TimeUnit.NANOSECONDS);
      ServerState primary = state.primary();
      boolean right =
          primary != null
              && primary.index() == index
              && primary.sampledAtNanos() - momentNanos >= 0
              && !primary.mayHave().isEmpty();
      return right ? state : null;
    } catch (ExecutionException | TimeoutException e) {
      return null;
    }
  }
}
