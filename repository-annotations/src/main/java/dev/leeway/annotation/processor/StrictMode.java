package dev.leeway.annotation.processor;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a method without an intent is. */
enum StrictMode {
  OFF,
  WARN,
  ERROR;

  static final String OPTION = "leeway.strict";

  /** As the options say; empty if they say something else. */
  static Optional<StrictMode> of(Map<String, String> options) {
    if (!options.containsKey(OPTION)) {
      return Optional.of(OFF);
    }
    // The bare option has no value.
    @Nullable String value = options.get(OPTION);
    if (value == null) {
      return Optional.of(ERROR);
    }
    return switch (value) {
      case "", "true" -> Optional.of(ERROR);
      case "warn" -> Optional.of(WARN);
      case "false" -> Optional.of(OFF);
      default -> Optional.empty();
    };
  }
}
