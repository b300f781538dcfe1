package dev.leeway.testkit;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Held by the one process, and the one thread in it, that may change the cache folder. The
 * operating system frees it when that process dies.
 */
final class CacheLock {
  private static final Duration BOUND = Duration.ofMinutes(15);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private CacheLock() {}

  /** Work on the cache folder. */
  @FunctionalInterface
  interface Work<E extends Exception> {
    void run() throws IOException, E;
  }

  /**
   * Runs the work while no other process and no other thread runs any.
   *
   * @throws IOException if the lock cannot be had, or out of the work
   */
  static <E extends Exception> void whileHeld(Path cache, Progress progress, Work<E> work)
      throws IOException, E {
    Files.createDirectories(cache);
    try (FileChannel channel =
        FileChannel.open(
            cache.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      await(channel, cache, progress);
      work.run();
    }
  }

  private static void await(FileChannel channel, Path cache, Progress progress) throws IOException {
    long start = System.nanoTime();
    long said = start;
    while (tryLock(channel) == null) {
      long now = System.nanoTime();
      if (now - start > BOUND.toNanos()) {
        throw new IOException(
            "another process has held "
                + cache.resolve("lock")
                + " for "
                + BOUND.toMinutes()
                + " minutes; end it, or use another cache folder by LEEWAY_CACHE");
      }
      if (now - said > Duration.ofSeconds(2).toNanos()) {
        said = now;
        progress.say(
            "MySQL: waiting for another process that prepares "
                + cache
                + " ... "
                + Progress.seconds(start));
      }
      LockSupport.parkNanos(PAUSE.toNanos());
      if (Thread.currentThread().isInterrupted()) {
        throw new IOException("interrupted while waiting for the lock of " + cache);
      }
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // Another thread of this JVM holds it.
    }
  }
}
