package dev.leeway.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.FileAppender;
import dev.leeway.cli.terminal.Console;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Where log lines go: warnings to the console, above a live line rather than through it; everything
 * to a file if one is named.
 */
final class Logging {
  private static final String FILE_PATTERN =
      "%d{HH:mm:ss.SSS} %-5level %logger{20} [%thread] %msg%n";

  private Logging() {}

  /**
   * Sends log lines where this run wants them.
   *
   * @return false if the file cannot be written
   */
  static boolean configure(Console console, boolean verbose, @Nullable Path file) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    context.getLogger("ROOT").setLevel(Level.INFO);
    if (!verbose) {
      // A pool that is closed while it grows warns about it; what fails for good reaches the user
      // as
      // an error of the command.
      context.getLogger("com.zaxxer.hikari").setLevel(Level.ERROR);
    }
    ToConsole toConsole = new ToConsole(console, verbose);
    toConsole.setContext(context);
    toConsole.start();
    context.getLogger("ROOT").addAppender(toConsole);
    if (file == null) {
      return true;
    }
    FileAppender<ILoggingEvent> toFile = toFile(context, file);
    context.getLogger("ROOT").addAppender(toFile);
    return toFile.isStarted();
  }

  private static FileAppender<ILoggingEvent> toFile(LoggerContext context, Path file) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(FILE_PATTERN);
    encoder.start();
    FileAppender<ILoggingEvent> appender = new FileAppender<>();
    appender.setContext(context);
    appender.setFile(file.toString());
    appender.setEncoder(encoder);
    appender.start();
    return appender;
  }

  /** One line per event; the stack trace only when asked for. */
  private static final class ToConsole extends AppenderBase<ILoggingEvent> {
    private final Console console;
    private final boolean verbose;

    ToConsole(Console console, boolean verbose) {
      this.console = console;
      this.verbose = verbose;
    }

    @Override
    protected void append(ILoggingEvent event) {
      if (!event.getLevel().isGreaterOrEqual(verbose ? Level.INFO : Level.WARN)) {
        return;
      }
      console.say("leeway: " + event.getLevel() + " " + event.getFormattedMessage());
      IThrowableProxy thrown = event.getThrowableProxy();
      if (verbose && thrown != null) {
        console.say(ThrowableProxyUtil.asString(thrown));
      }
    }
  }
}
