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

  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean outIsTerminal;
  private final boolean errIsTerminal;
  private final int columns;
  private final LongSupplier clock;

  private String liveLine = "";
  private boolean muted;

  /**
   * @param columns width of the terminal; a live line is cut there, since one that wraps cannot be
   *     erased
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
    this.columns = columns;
    this.clock = clock;
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

  /** Whether results are read by a person who sees them redrawn. */
  public boolean redraws() {
    return outIsTerminal;
  }

  /** A line of the result. */
  public synchronized void print(String line) {
    if (muted) {
      return;
    }
    eraseLive();
    out.println(line);
    out.flush();
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
  }

  /** A message beside the result: what goes on, or what went wrong. */
  public synchronized void say(String message) {
    if (muted) {
      return;
    }
    eraseLive();
    err.println(message);
    err.flush();
    drawLive();
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
    eraseLive();
    liveLine = line == null ? "" : cut(line);
    drawLive();
  }

  private String cut(String line) {
    return line.length() < columns ? line : line.substring(0, Math.max(0, columns - 1));
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
