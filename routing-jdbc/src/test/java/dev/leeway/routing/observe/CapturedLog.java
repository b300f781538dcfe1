package dev.leeway.routing.observe;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What one logger says while a test looks. */
final class CapturedLog implements AutoCloseable {
  private final Logger logger;
  private final @Nullable Level before;
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

  private CapturedLog(Logger logger, Level level) {
    this.logger = logger;
    this.before = logger.getLevel();
    logger.setLevel(level);
    // What is captured need not be on the console as well.
    logger.setAdditive(false);
    appender.start();
    logger.addAppender(appender);
  }

  static CapturedLog of(String name, Level level) {
    return new CapturedLog((Logger) LoggerFactory.getLogger(name), level);
  }

  List<String> lines() {
    return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
    logger.setAdditive(true);
    logger.setLevel(before);
  }
}
