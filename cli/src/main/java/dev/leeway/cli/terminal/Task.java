package dev.leeway.cli.terminal;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Something under way, shown until it is closed.
 *
 * <p>On a terminal a line that is redrawn ten times a second. Elsewhere a line whenever nothing has
 * been shown for almost two seconds, and one at the end if any was: whoever waits is never left
 * without a sign, and what is quick leaves none.
 *
 * <p>One daemon thread shows it and ends when the task is closed. {@link #advance} and {@link
 * #detail} may be called from any thread.
 */
public final class Task implements AutoCloseable {
  private static final Duration REDRAW = Duration.ofMillis(100);
  private static final Duration SILENCE = Duration.ofMillis(1800);
  private static final int BAR = 24;

  private final Console console;
  private final String what;
  private final int total;
  private final boolean live;
  private final LongSupplier clock;
  private final long startNanos;
  private final AtomicInteger done = new AtomicInteger();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread painter;

  private volatile String detail = "";
  private volatile boolean anyLine;

  Task(Console console, String what, int total, boolean live, LongSupplier clock) {
    this.console = console;
    this.what = what;
    this.total = total;
    this.live = live;
    this.clock = clock;
    this.startNanos = clock.getAsLong();
    this.painter = new Thread(this::paint, "leeway-progress");
    painter.setDaemon(true);
    painter.start();
  }

  /** One step more is done. */
  public void advance() {
    done.incrementAndGet();
  }

  /** What is being done right now; shown behind the counts. */
  public void detail(String text) {
    detail = text;
  }

  /** A step of its own that has begun: the detail of a live line, a line of its own in a log. */
  public void step(String text) {
    if (live) {
      detail = text;
    } else {
      console.say(text);
    }
  }

  /** Stops showing the task; waits until its line is gone. */
  @Override
  public void close() {
    closed.countDown();
    boolean interrupted = false;
    while (true) {
      try {
        painter.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (live) {
      console.live(null);
    } else if (anyLine) {
      console.say("%s: done in %s".formatted(what, seconds(clock.getAsLong())));
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void paint() {
    try {
      do {
        tick();
      } while (!closed.await(REDRAW.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void tick() {
    long now = clock.getAsLong();
    if (live) {
      console.live(liveLine(now));
    } else if (now - console.lastShownNanos() >= SILENCE.toNanos()) {
      anyLine = true;
      console.say(plainLine(now));
    }
  }

  private String liveLine(long now) {
    StringBuilder line = new StringBuilder(what);
    if (total > 0) {
      int filled = Math.min(BAR, (int) ((long) done.get() * BAR / total));
      line.append(" [")
          .append("#".repeat(filled))
          .append("-".repeat(BAR - filled))
          .append("] ")
          .append(counts());
    }
    return line.append(suffix(now)).toString();
  }

  private String plainLine(long now) {
    return (total > 0 ? what + ": " + counts() : what) + suffix(now);
  }

  private String counts() {
    return done.get() + " of " + total;
  }

  private String suffix(long now) {
    String text = detail;
    return " " + seconds(now) + (text.isEmpty() ? "" : ", " + text);
  }

  private String seconds(long now) {
    return String.format(Locale.ROOT, "%.1f s", (now - startNanos) / 1e9);
  }
}
