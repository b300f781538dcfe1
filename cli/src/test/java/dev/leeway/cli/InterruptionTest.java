package dev.leeway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.cli.terminal.Console;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class InterruptionTest {
  private static final long BOUND_SECONDS = 10;

  private final StringWriter err = new StringWriter();
  private final Console console =
      new Console(
          new PrintWriter(new StringWriter()),
          new PrintWriter(err),
          false,
          false,
          80,
          System::nanoTime);
  private final Cleanup cleanup = new Cleanup();
  private final List<String> happened = new CopyOnWriteArrayList<>();

  @Test
  void whatIsOpenIsClosedThenTheRunLeavesItsBlocksAndTheUserIsToldWhatHeWaitsFor()
      throws InterruptedException {
    CountDownLatch waiting = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    Thread run =
        new Thread(
            () -> {
              try {
                waiting.countDown();
                never.await();
              } catch (InterruptedException e) {
                happened.add("left");
              }
            });
    Interruption interruption = new Interruption(console, cleanup, run);
    cleanup.willBe("stopping the servers");
    cleanup.register(() -> happened.add("closed"));
    run.start();
    assertThat(waiting.await(BOUND_SECONDS, TimeUnit.SECONDS)).isTrue();

    Thread hook = new Thread(interruption);
    hook.start();
    run.join(TimeUnit.SECONDS.toMillis(BOUND_SECONDS));
    interruption.ended();
    hook.join(TimeUnit.SECONDS.toMillis(BOUND_SECONDS));

    assertThat(happened).containsExactly("closed", "left");
    assertThat(err).hasToString("leeway: stopping the servers" + System.lineSeparator());
  }

  @Test
  void whatCouldNotBeUndoneIsSaid() {
    Interruption interruption = new Interruption(console, cleanup, Thread.currentThread());
    cleanup.register(
        () -> {
          throw new IllegalStateException("the table is still there");
        });

    interruption.run();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(err).hasToString("leeway: the table is still there" + System.lineSeparator());
  }

  @Test
  void aRunThatEndedByItselfIsNotInterrupted() {
    Interruption interruption = new Interruption(console, cleanup, Thread.currentThread());
    cleanup.willBe("stopping the servers");

    interruption.ended();
    interruption.run();

    assertThat(Thread.interrupted()).isFalse();
    assertThat(err.toString()).isEmpty();
  }
}
