package dev.leeway.cli;

import dev.leeway.cli.terminal.Console;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends a run from outside: on Ctrl-C, on SIGTERM.
 *
 * <p>First everything that the run has registered is closed, then the run itself is interrupted and
 * given a moment to leave its own blocks, so that their temporary files go too. Nothing of that is
 * an error, so nothing is shown but what the user waits for and what could not be undone.
 */
final class Interruption implements Runnable {
  /** A run that does not react is waiting for a server; its end is not worth more waiting. */
  private static final Duration LEAVING_BOUND = Duration.ofSeconds(3);

  private final Console console;
  private final Cleanup cleanup;
  private final Thread runner;
  private final CountDownLatch ended = new CountDownLatch(1);

  /** An interruption of what this thread runs. */
  Interruption(Console console, Cleanup cleanup, Thread runner) {
    this.console = console;
    this.cleanup = cleanup;
    this.runner = runner;
  }

  /** The run has ended by itself; there is nothing left to interrupt. */
  void ended() {
    ended.countDown();
  }

  @Override
  public void run() {
    console.mute();
    if (ended.getCount() == 0) {
      return;
    }
    // Threads that stumble over what is closed under them would tell it in stack traces.
    Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {});
    String doing = cleanup.doing();
    if (doing != null) {
      console.lastWords("leeway: " + doing);
    }
    cleanup.close();
    cleanup.failures().forEach(failure -> console.lastWords("leeway: " + failure));
    runner.interrupt();
    try {
      ended.await(LEAVING_BOUND.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
