package dev.leeway.testkit;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Tells whoever waits what is being waited for; one line per step, and one now and then after. */
final class Progress {
  private static final Duration REMINDER = Duration.ofSeconds(2);

  private final Consumer<String> sink;

  Progress(Consumer<String> sink) {
    this.sink = sink;
  }

  void say(String line) {
    sink.accept(line);
  }

  /** Runs a step; if it takes more than two seconds, says every two seconds that it goes on. */
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
