package dev.leeway.queue.kafka;

import dev.leeway.routing.Leeway;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;

/** What the interceptors find in a client's configuration. */
final class Configured {
  private Configured() {}

  static Leeway leeway(Map<String, ?> configuration, String name) {
    Object value = configuration.get(name);
    if (value instanceof Leeway leeway) {
      return leeway;
    }
    throw new ConfigException(
        "Leeway's interceptor - " + name + " is " + value + " (expected: the Leeway itself)");
  }

  static Duration millis(Map<String, ?> configuration, String name, Duration standard) {
    Object value = configuration.get(name);
    if (value == null) {
      return standard;
    }
    try {
      long millis = Long.parseLong(value.toString().trim());
      if (millis >= 0) {
        return Duration.ofMillis(millis);
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new ConfigException(
        "Leeway's interceptor - " + name + " is " + value + " (expected: milliseconds, 0 or more)");
  }
}
