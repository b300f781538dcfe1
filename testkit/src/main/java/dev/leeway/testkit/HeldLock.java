package dev.leeway.testkit;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A session that holds locks on a server until a time is over or it is released. */
final class HeldLock {
  private static final Logger log = LoggerFactory.getLogger(HeldLock.class);
  private static final Duration TAKE_BOUND = Duration.ofSeconds(15);

  private static final long LOOK_NANOS = Duration.ofMillis(200).toNanos();

  private final MySqlServer server;
  private final CountDownLatch released = new CountDownLatch(1);
  private final CompletableFuture<Void> taken = new CompletableFuture<>();
  private final Thread thread;

  private HeldLock(MySqlServer server, Duration hold, String lock) {
    this.server = server;
    this.thread = new Thread(() -> hold(hold, lock), "leeway-testkit-lock-" + server.name());
    this.thread.setDaemon(true);
  }

  /**
   * Takes the lock and returns when it is held.
   *
   * @param hold after which time it is released by itself
   * @param lock the statement that takes it; UNLOCK TABLES releases it
   */
  static HeldLock take(MySqlServer server, Duration hold, String lock) {
    HeldLock held = new HeldLock(server, hold, lock);
    held.thread.start();
    try {
      held.taken.get(TAKE_BOUND.toMillis(), TimeUnit.MILLISECONDS);
      return held;
    } catch (InterruptedException e) {
      held.released.countDown();
      Thread.currentThread().interrupt();
      throw new ClusterException(server.name() + " - interrupted while waiting for: " + lock, e);
    } catch (ExecutionException | TimeoutException e) {
      held.released.countDown();
      throw new ClusterException(
          server.name()
              + " - could not get the lock '"
              + lock
              + "' within "
              + TAKE_BOUND.toSeconds()
              + " s: "
              + e.getMessage(),
          e);
    }
  }

  void release() throws InterruptedException {
    released.countDown();
    thread.join(TAKE_BOUND.toMillis());
    if (thread.isAlive()) {
      throw new ClusterException(server.name() + " - a lock could not be released");
    }
  }

  /** Also ends when the server does, which takes the lock with it. */
  private boolean awaitRelease(Duration hold) throws InterruptedException {
    long deadline = System.nanoTime() + hold.toNanos();
    while (server.process().isAlive()) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      if (released.await(Math.min(left, LOOK_NANOS), TimeUnit.NANOSECONDS)) {
        return true;
      }
    }
    return true;
  }

  private void hold(Duration hold, String lock) {
    try (Connection connection = server.shortConnection()) {
      Jdbc.execute(connection, "SET SESSION lock_wait_timeout=8", lock);
      taken.complete(null);
      boolean early = awaitRelease(hold);
      // Closing alone would release it too, but at some time later.
      Jdbc.execute(connection, "UNLOCK TABLES");
      log.debug("{} - lock released {}", server.name(), early ? "early" : "after its time");
    } catch (SQLException e) {
      if (!taken.completeExceptionally(e)) {
        // The server went away and took the lock with it.
        log.debug("{} - lock ended: {}", server.name(), e.getMessage());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
