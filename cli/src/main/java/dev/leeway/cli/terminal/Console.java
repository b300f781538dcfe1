package dev.leeway.cli.terminal;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a command writes: results to one side, progress and messages to the other.
 *
 * <p>Safe for any number of threads. Only one {@link Task} is shown at a time; a message printed
 * while it is shown goes above its line.
 */
public final class Console {
  private static final String ERASE_LINE = "\r\u001b[2K";
  private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

  /** What a terminal that does not tell its width is taken for. */
  private static final int USUAL_COLUMNS = 80;

  /**
   * A terminal shows Ctrl-C as two characters behind the live line; if they wrapped, the erasing
   * would begin a line too low.
   */
  private static final int KEPT_FREE = 3;

  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean outIsTerminal;
  private final boolean errIsTerminal;
  private final int columns;
  private final LongSupplier clock;

  private String liveLine = "";
  private long lastShownNanos;
  private boolean muted;

  /**
   * @param columns width of the terminal; a live line is cut there, since one that wraps cannot be
   *     erased. Zero or less if the terminal does not tell it, as those of some tools do not
   * @param clock monotonic nanoseconds
   */
  public Console(
      PrintWriter out,
      PrintWriter err,
      boolean outIsTerminal,
      boolean errIsTerminal,
      int columns,
      LongSupplier clock) {
    this.out = out;
    this.err = err;
    this.outIsTerminal = outIsTerminal;
    this.errIsTerminal = errIsTerminal;
    this.columns = columns > 0 ? columns : USUAL_COLUMNS;
    this.clock = clock;
    this.lastShownNanos = clock.getAsLong();
  }

  /** The side results go to, for what writes its own text, such as a command's help. */
  public PrintWriter results() {
    return out;
  }

  /**
   * From now on nothing is shown: the run is being ended, and what fails now fails because of it.
   */
  public synchronized void mute() {
    eraseLive();
    liveLine = "";
    muted = true;
  }

  /** A message that is shown in spite of {@link #mute}: how the run is being ended. */
  public synchronized void lastWords(String message) {
    eraseLive();
    liveLine = "";
    err.println(message);
    err.flush();
  }

  /** Whether results are read by a person who sees them redrawn. */
  public boolean redraws() {
    return outIsTerminal;
  }

  /** Whether what a {@link Task} shows is gone when it ends. */
  public boolean forgetsTasks() {
    return errIsTerminal;
  }

  /** A line of the result. */
  public synchronized void print(String line) {
    if (muted) {
      return;
    }
    eraseLive();
    out.println(line);
    out.flush();
    lastShownNanos = clock.getAsLong();
    drawLive();
  }

  /** Lines of the result. */
  public synchronized void print(List<String> lines) {
    lines.forEach(this::print);
  }

  /** On a terminal: these lines instead of everything on it. Elsewhere: these lines. */
  public synchronized void redraw(List<String> lines) {
    if (muted) {
      return;
    }
    if (outIsTerminal) {
      out.print(CLEAR_SCREEN);
    }
    lines.forEach(out::println);
    out.flush();
    lastShownNanos = clock.getAsLong();
  }

  /** A message beside the result: what goes on, or what went wrong. */
  public synchronized void say(String message) {
    if (muted) {
      return;
    }
    eraseLive();
    err.println(message);
    err.flush();
    lastShownNanos = clock.getAsLong();
    drawLive();
  }

  /**
   * When the last whole line was shown, in nanoseconds of the clock; at first, when it all began.
   */
  synchronized long lastShownNanos() {
    return lastShownNanos;
  }

  /**
   * Begins something that may take longer than a person likes to wait without a sign.
   *
   * @param total how many steps it has; zero if that is not known
   */
  public Task task(String what, int total) {
    return new Task(this, what, total, errIsTerminal, clock);
  }

  synchronized void live(@Nullable String line) {
    if (muted) {
      return;
    }
    String next = line == null ? "" : cut(line);
    if (liveLine.isEmpty() && next.isEmpty()) {
      return;
    }
    // In one piece: what the terminal shows of the keys pressed meanwhile must not come in between.
    err.print((liveLine.isEmpty() ? "" : ERASE_LINE) + next);
    err.flush();
    liveLine = next;
  }

  private String cut(String line) {
    int most = Math.max(1, columns - KEPT_FREE);
    return line.length() <= most ? line : line.substring(0, most);
  }

  private void eraseLive() {
    if (!liveLine.isEmpty()) {
      err.print(ERASE_LINE);
      err.flush();
    }
  }

  private void drawLive() {
    if (!liveLine.isEmpty()) {
      err.print(liveLine);
      err.flush();
    }
  }
}
