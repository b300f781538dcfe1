package dev.leeway.testkit;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells whoever waits what is being waited for; one line per step, and one now and then after. What
 * matters only when something goes wrong later is for the log alone.
 */
final class Progress {
  private static final Logger log = LoggerFactory.getLogger(Progress.class);
  private static final Duration REMINDER = Duration.ofMillis(1600);

  private final Consumer<String> sink;
  private final Consumer<String> notes;

  Progress(Consumer<String> sink) {
    this(sink, log::info);
  }

  /**
   * @param notes gets what is not worth a line to whoever waits
   */
  Progress(Consumer<String> sink, Consumer<String> notes) {
    this.sink = sink;
    this.notes = notes;
  }

  void say(String line) {
    sink.accept(line);
  }

  /** For the log alone. */
  void note(String line) {
    notes.accept(line);
  }

  /** Runs a step; if it takes almost two seconds, says as often that it goes on. */
  <T> T step(String doing, Callable<T> step) throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    long start = System.nanoTime();
    Thread reminder =
        new Thread(
            () -> {
              try {
                while (!done.await(REMINDER.toMillis(), TimeUnit.MILLISECONDS)) {
                  say(doing + " ... " + seconds(start));
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "leeway-testkit-progress");
    reminder.setDaemon(true);
    reminder.start();
    try {
      return step.call();
    } finally {
      done.countDown();
    }
  }

  static String seconds(long startNanos) {
    return String.format(Locale.ROOT, "%.1f s", (System.nanoTime() - startNanos) / 1e9);
  }
}
