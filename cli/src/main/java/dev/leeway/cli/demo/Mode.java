package dev.leeway.cli.demo;

import java.util.Locale;

/** How reads are routed. */
enum Mode {
  NAIVE,
  LEEWAY;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
