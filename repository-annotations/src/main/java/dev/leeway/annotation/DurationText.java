package dev.leeway.annotation;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as people write them in annotations and configuration: {@code 400ms}, {@code 5s},
 * {@code 1.5s}, {@code 2m}.
 *
 * <p>One number and one unit. The units are {@code ns}, {@code us}, {@code ms}, {@code s}, {@code
 * m} (minutes), {@code h} and {@code d} (24 hours), in lower case. Spaces around the number and the
 * unit do not matter. The number may have a decimal point; the result must be whole nanoseconds.
 * The range is zero to {@link Long#MAX_VALUE} nanoseconds, about 292 years.
 */
public final class DurationText {
  private static final Pattern FORM =
      Pattern.compile("(-?)([0-9]{1,40}(?:\\.[0-9]{1,40})?)\\s*(ns|us|ms|s|m|h|d)");
  private static final BigInteger LONGEST = BigInteger.valueOf(Long.MAX_VALUE);
  private static final String EXAMPLES = "such as 400ms, 5s or 2m";
  private static final int QUOTED_CHARACTERS = 60;

  /** Largest first, so that the first that divides a duration is its canonical unit. */
  private static final List<Unit> UNITS =
      List.of(
          new Unit("d", 86_400_000_000_000L),
          new Unit("h", 3_600_000_000_000L),
          new Unit("m", 60_000_000_000L),
          new Unit("s", 1_000_000_000L),
          new Unit("ms", 1_000_000L),
          new Unit("us", 1_000L),
          new Unit("ns", 1L));

  private DurationText() {}

  /**
   * Reads a duration.
   *
   * @throws IllegalArgumentException if the text is not a duration, negative, finer than a
   *     nanosecond or longer than 292 years; the message quotes the text and says what was expected
   */
  public static Duration parse(String text) {
    Objects.requireNonNull(text, "text");
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      throw refused(text, "", "a number and a unit, " + EXAMPLES);
    }
    BigDecimal amount = new BigDecimal(form.group(2));
    if (!form.group(1).isEmpty() && amount.signum() != 0) {
      throw refused(text, " is negative", "zero or more, " + EXAMPLES);
    }
    BigDecimal nanoseconds = amount.multiply(BigDecimal.valueOf(unit(form.group(3)).nanoseconds()));
    if (nanoseconds.stripTrailingZeros().scale() > 0) {
      throw refused(text, " is finer than a nanosecond", "whole nanoseconds, " + EXAMPLES);
    }
    BigInteger whole = nanoseconds.toBigIntegerExact();
    if (whole.compareTo(LONGEST) > 0) {
      throw refused(text, " is too long", "at most 106751d, " + EXAMPLES);
    }
    return Duration.ofNanos(whole.longValueExact());
  }

  /**
   * The canonical text: a whole number and the largest unit that needs no decimal point, so {@code
   * 90s} rather than {@code 1.5m}, and {@code 0s} for zero. {@link #parse} reads it back.
   *
   * @throws IllegalArgumentException if the duration is negative or longer than 292 years
   */
  public static String format(Duration duration) {
    Objects.requireNonNull(duration, "duration");
    if (duration.isNegative()) {
      throw new IllegalArgumentException("duration: " + duration + " (expected: zero or more)");
    }
    if (duration.isZero()) {
      return "0s";
    }
    long nanoseconds = nanoseconds(duration);
    for (Unit unit : UNITS) {
      if (nanoseconds % unit.nanoseconds() == 0) {
        return nanoseconds / unit.nanoseconds() + unit.name();
      }
    }
    throw new AssertionError("one nanosecond divides everything");
  }

  private static long nanoseconds(Duration duration) {
    try {
      return duration.toNanos();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          "duration: " + duration + " (expected: at most 106751d)", e);
    }
  }

  private static Unit unit(String name) {
    for (Unit unit : UNITS) {
      if (unit.name().equals(name)) {
        return unit;
      }
    }
    throw new AssertionError(name);
  }

  private static IllegalArgumentException refused(String text, String why, String expected) {
    return new IllegalArgumentException(
        "duration: \"%s\"%s (expected: %s)".formatted(quotable(text), why, expected));
  }

  /** A message is one line, whatever was handed in. */
  private static String quotable(String text) {
    String start =
        text.length() <= QUOTED_CHARACTERS ? text : text.substring(0, QUOTED_CHARACTERS) + "...";
    return start.replaceAll("\\p{Cntrl}", "?");
  }

  private record Unit(String name, long nanoseconds) {}
}
