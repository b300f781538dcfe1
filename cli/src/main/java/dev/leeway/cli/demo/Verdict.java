package dev.leeway.cli.demo;

import java.util.Optional;
import java.util.function.Predicate;

/** What a read's answer was worth. */
enum Verdict {
  RIGHT,
  /** There was an answer, and it was of the past. */
  OLDER,
  /** There should have been an answer. */
  MISSING;

  /** Judges an answer that may be absent. */
  static <T> Verdict of(Optional<T> answer, Predicate<T> right) {
    return answer.map(found -> right.test(found) ? RIGHT : OLDER).orElse(MISSING);
  }
}
