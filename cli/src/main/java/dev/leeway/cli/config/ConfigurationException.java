package dev.leeway.cli.config;

import java.util.List;

/** A configuration that cannot be used. The message has one line per problem, in file order. */
public final class ConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ConfigurationException(List<String> problems) {
    super(String.join(System.lineSeparator(), problems));
  }
}
