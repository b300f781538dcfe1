package dev.leeway.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.ArrayList;
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
    clock.addAndGet(Duration.ofMillis(1700).toNanos());
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
      clock.addAndGet(Duration.ofMillis(1900).toNanos());
      await(() -> err.toString().contains("4.4 s"));
      clock.addAndGet(Duration.ofMillis(600).toNanos());
    }

    assertThat(err.toString().lines())
        .containsExactly(
            "reading: 1 of 10 2.5 s, settings page",
            "reading: 1 of 10 4.4 s, settings page",
            "reading: done in 5.0 s");
  }

  @Test
  void theSilenceBeforeATaskCountsToo() {
    Console console = console(false);

    for (int i = 0; i < 3; i++) {
      try (Task task = console.task("short one", 0)) {
        clock.addAndGet(Duration.ofMillis(700).toNanos());
        task.detail("number " + i);
        if (i == 2) {
          await(() -> !err.toString().isEmpty());
        }
      }
    }

    assertThat(err.toString().lines())
        .containsExactly("short one 0.7 s, number 2", "short one: done in 0.7 s");
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
  void aTerminalThatDoesNotTellItsWidthIsTakenForOneOfEightyColumns() {
    Console console =
        new Console(new PrintWriter(out), new PrintWriter(err), true, true, 0, clock::get);

    try (Task task = console.task("x".repeat(200), 0)) {
      await(() -> err.toString().contains("x"));
      task.advance();
    }

    assertThat(err.toString()).contains("x".repeat(77)).doesNotContain("x".repeat(78));
  }

  @Test
  void aLiveLineIsRedrawnInOnePieceAndLeavesRoomForWhatCtrlCShows() {
    List<String> pieces = new ArrayList<>();
    Console console =
        new Console(
            new PrintWriter(out),
            new PrintWriter(
                new Writer() {
                  private final StringBuilder unflushed = new StringBuilder();

                  @Override
                  public void write(char[] text, int offset, int length) {
                    unflushed.append(text, offset, length);
                  }

                  @Override
                  public void flush() {
                    pieces.add(unflushed.toString());
                    unflushed.setLength(0);
                  }

                  @Override
                  public void close() {}
                }),
            true,
            true,
            20,
            clock::get);

    console.live("the first of two lines");
    console.live("the second of two lines");
    console.live(null);

    assertThat(pieces)
        .containsExactly("the first of two ", "\r\u001b[2Kthe second of two", "\r\u001b[2K");
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

  @Test
  void lastWordsAreShownAllTheSameAndInPlaceOfTheLiveLine() {
    Console console = console(true);
    console.live("working");

    console.mute();
    console.lastWords("stopping");
    console.live("working");
    console.say("failed");

    assertThat(err).hasToString("working\r\u001b[2Kstopping" + System.lineSeparator());
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
