package dev.leeway.routing.connection;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A few connections of a reading pool that were just given back and will be wanted again at once.
 *
 * <p>Thread-safe and without locks. Belongs to {@link ServerPools}, whose owner calls {@link
 * #sweep}.
 */
final class ConnectionShelf {
  /*
   * Why there is a shelf in front of a pool that is quick itself
   * -----------------------------------------------------------
   * Taking a connection from HikariCP and giving it back reads the clock three times and makes a wrapper,
   * which is most of what it costs, and a routed read has a clock reading of its own to pay for. A thread
   * that reads a hundred thousand times a second gets the same connection each time; laying it within
   * reach in between costs one exchange of a reference.
   *
   * What must not be lost by it
   * ---------------------------
   * The pool tests what was idle, replaces what is old, and serves who waits. So nothing lies here longer
   * than one sweep, nothing stays out of the pool longer than a second or so, nothing is laid here while
   * somebody waits at the pool, and if sweeping has stopped (the process was suspended) nothing is taken
   * from here at all: who wants a connection then asks the pool, which tests it first. Only connections on
   * which nothing was set and nothing failed are laid here.
   */

  /** How often everything that lies here goes back to the pool. */
  static final long SWEEP_INTERVAL_MILLIS = 50;

  private static final long SWEEPING_STOPPED_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final int SWEEPS_AWAY_FROM_POOL = 20;

  private static final int PLACES = 8;
  private static final int PLACE_BITS = 3;

  /** Each place has a cache line of its own. */
  private static final int STRIDE = 16;

  private final HikariPoolMXBean pool;
  private final AtomicReferenceArray<@Nullable ReplicaHold> places =
      new AtomicReferenceArray<>(PLACES * STRIDE);
  private volatile long sweptAtNanos = System.nanoTime();
  private volatile int sweeps;
  private volatile boolean closed;

  ConnectionShelf(HikariDataSource pool) {
    this.pool = pool.getHikariPoolMXBean();
  }

  /**
   * Takes one away, preferably the one this thread laid here.
   *
   * @return null if none is to be had
   */
  @Nullable ReplicaHold take(long nowNanos) {
    if (nowNanos - sweptAtNanos > SWEEPING_STOPPED_NANOS) {
      // Nobody else gives back what lies here.
      giveAllBack();
      return null;
    }
    int first = ownPlace();
    for (int i = 0; i < PLACES; i++) {
      int place = ((first + i) & (PLACES - 1)) * STRIDE;
      if (places.get(place) != null) {
        ReplicaHold taken = places.getAndSet(place, null);
        if (taken != null) {
          return taken;
        }
      }
    }
    return null;
  }

  /**
   * Lays one here.
   *
   * @return false if it belongs back into the pool
   */
  boolean put(ReplicaHold hold) {
    if (closed
        || sweeps - hold.takenAtSweep() > SWEEPS_AWAY_FROM_POOL
        || pool.getThreadsAwaitingConnection() > 0) {
      return false;
    }
    int place = ownPlace() * STRIDE;
    if (!places.compareAndSet(place, null, hold)) {
      return false;
    }
    // Closed between the question and the answer: whoever takes it back first gives it back.
    return !closed || !places.compareAndSet(place, hold, null);
  }

  private static int ownPlace() {
    return (int) (Thread.currentThread().getId() * 0x9E37_79B9_7F4A_7C15L >>> (64 - PLACE_BITS));
  }

  /** How many sweeps there have been. */
  int sweeps() {
    return sweeps;
  }

  /** Gives everything back to the pool. Called by one thread at a time. */
  void sweep() {
    giveAllBack();
    sweeps = sweeps + 1;
    sweptAtNanos = System.nanoTime();
  }

  /** Takes nothing any more, and gives everything back to the pool. */
  void close() {
    closed = true;
    giveAllBack();
  }

  private void giveAllBack() {
    for (int i = 0; i < PLACES; i++) {
      ReplicaHold hold = places.getAndSet(i * STRIDE, null);
      if (hold != null) {
        try {
          hold.giveBack();
        } catch (SQLException e) {
          // It broke while it lay here; the pool has closed it.
          continue;
        }
      }
    }
  }
}
