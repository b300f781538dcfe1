package dev.leeway.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class ConsoleTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final AtomicLong clock = new AtomicLong();

  @Test
  void resultsAndMessagesGoToDifferentSides() {
    Console console = console(false);

    console.print("result");
    console.say("message");

    assertThat(out).hasToString("result" + System.lineSeparator());
    assertThat(err).hasToString("message" + System.lineSeparator());
  }

  @Test
  void aShortTaskLeavesNoTraceInALog() {
    Console console = console(false);

    Task task = console.task("starting", 0);
    clock.addAndGet(Duration.ofMillis(1900).toNanos());
    task.close();

    assertThat(err.toString()).isEmpty();
  }

  @Test
  void aLongTaskTellsALogHowFarItIsAndHowLongItTook() {
    Console console = console(false);

    try (Task task = console.task("reading", 10)) {
      task.advance();
      task.detail("settings page");
      clock.addAndGet(Duration.ofMillis(2500).toNanos());
      await(() -> err.toString().contains("1 of 10"));
      clock.addAndGet(Duration.ofMillis(500).toNanos());
    }

    assertThat(err.toString().lines())
        .containsExactly("reading: 1 of 10 2.5 s, settings page", "reading: done in 3.0 s");
  }

  @Test
  void onATerminalATaskIsOneLineThatIsGoneAfterwards() {
    Console console = console(true);

    try (Task task = console.task("reading", 4)) {
      task.advance();
      await(() -> err.toString().contains("[######------------------] 1 of 4"));
      console.say("a warning");
    }

    assertThat(err.toString()).contains("\u001b[2Ka warning").endsWith("\r\u001b[2K");
  }

  @Test
  void aLiveLineIsCutAtTheWidthOfTheTerminal() {
    Console console = console(true);

    try (Task task = console.task("x".repeat(200), 0)) {
      await(() -> !err.toString().isEmpty());
      assertThat(err.toString().replaceAll("\r\u001b\\[2K", "\n").lines())
          .allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
      task.advance();
    }
  }

  @Test
  void aLogGetsEachScreenAfterTheOtherAndATerminalInPlaceOfTheOther() {
    console(false).redraw(List.of("a"));
    console(true).redraw(List.of("b"));

    assertThat(out)
        .hasToString("a" + System.lineSeparator() + "\u001b[H\u001b[2Jb" + System.lineSeparator());
  }

  @Test
  void afterTheEndOfARunNothingMoreIsShown() {
    Console console = console(false);

    console.mute();
    console.print("result");
    console.say("message");
    console.redraw(List.of("screen"));

    assertThat(out.toString() + err).isEmpty();
  }

  private Console console(boolean terminal) {
    return new Console(
        new PrintWriter(out), new PrintWriter(err), terminal, terminal, 80, clock::get);
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("within 10 s").isLessThan(end);
      Thread.onSpinWait();
    }
  }
}
