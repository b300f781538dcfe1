package dev.leeway.annotation.processor;

import dev.leeway.annotation.RoutedMethod;

/** What the code says about one method of one type. */
sealed interface Resolution {
  /** One intent counts. */
  record Routed(RoutedMethod route, DeclaredIntent by) implements Resolution {}

  /** No intent anywhere. */
  record Undeclared() implements Resolution {}

  /** The intent that would count is wrong in itself; that is reported where it stands. */
  record Broken() implements Resolution {}

  /** Two interfaces disagree, and neither is narrower. */
  record Torn(DeclaredIntent first, DeclaredIntent second) implements Resolution {}
}
