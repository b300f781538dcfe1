package dev.leeway.gate;

import java.util.List;
import java.util.concurrent.TimeUnit;

/** Ends the room's threads. */
final class Threads {
  /**
   * How long closing waits for threads in all. One that is connecting to a server that does not
   * answer may take longer; it ends by itself, and closes what it opened, when that has timed out.
   */
  private static final long CLOSE_BOUND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private Threads() {}

  /** A daemon thread that is not started yet. */
  static Thread daemon(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Waits for threads that were told to end. The calling thread may be one of them. */
  static void awaitEnd(List<Thread> threads) {
    long deadline = System.nanoTime() + CLOSE_BOUND_NANOS;
    boolean interrupted = false;
    for (Thread thread : threads) {
      long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (thread == Thread.currentThread() || interrupted || leftMillis <= 0) {
        continue;
      }
      try {
        thread.join(leftMillis);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
