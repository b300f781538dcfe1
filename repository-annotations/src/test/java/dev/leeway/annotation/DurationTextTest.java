package dev.leeway.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {
  @Test
  void everyUnitIsRead() {
    Map<String, Duration> texts =
        Map.of(
            "7ns", Duration.ofNanos(7),
            "7us", Duration.ofNanos(7_000),
            "400ms", Duration.ofMillis(400),
            "5s", Duration.ofSeconds(5),
            "2m", Duration.ofMinutes(2),
            "1h", Duration.ofHours(1),
            "3d", Duration.ofDays(3),
            "0s", Duration.ZERO);

    texts.forEach((text, duration) -> assertThat(DurationText.parse(text)).isEqualTo(duration));
  }

  @ParameterizedTest
  @CsvSource({"' 5s ',5", "'5 s',5", "'\t5 \n s',5", "05s,5", "1.5m,90", "0.5h,1800", "-0s,0"})
  void spacesLeadingZerosAndDecimalsAreTolerated(String text, long seconds) {
    assertThat(DurationText.parse(text)).isEqualTo(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "400",
        "",
        " ",
        "s",
        "ms",
        "5S",
        "5 seconds",
        "5sec",
        "1m30s",
        "1,5s",
        ".5s",
        "5.s",
        "+5s",
        "1e3s",
        "0x5s",
        "PT5S",
        "٥s",
        "5s;",
        "--5s",
        "NaNs"
      })
  void whatIsNotOneNumberAndOneUnitIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DurationText.parse(text))
        .withMessage(
            "duration: \"%s\" (expected: a number and a unit, such as 400ms, 5s or 2m)"
                .formatted(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-5s    | is negative | zero or more",
        "-0.1ms | is negative | zero or more",
        "0.5ns  | is finer than a nanosecond | whole nanoseconds",
        "1.0000000001s | is finer than a nanosecond | whole nanoseconds",
        "106752d | is too long | at most 106751d",
        "9223372036854775808ns | is too long | at most 106751d",
        "9999999999999999999999999999999999999999d | is too long | at most 106751d",
      })
  void whatIsOutOfRangeIsRefusedWithItsReason(String text, String why, String expected) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DurationText.parse(text))
        .withMessage(
            "duration: \"%s\" %s (expected: %s, such as 400ms, 5s or 2m)"
                .formatted(text, why, expected));
  }

  @Test
  void aMessageStaysOneShortLineWhateverWasHandedIn() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DurationText.parse("1\n2\u0000" + "9".repeat(1_000_000)))
        .withMessage(
            "duration: \"1?2?%s...\" (expected: a number and a unit, such as 400ms, 5s or 2m)"
                .formatted("9".repeat(56)));
  }

  @ParameterizedTest
  @CsvSource({
    "0ms,0s",
    "1000ms,1s",
    "1500ms,1500ms",
    "1.5s,1500ms",
    "90s,90s",
    "120s,2m",
    "3600s,1h",
    "36h,36h",
    "48h,2d",
    "1000ns,1us",
    "1001ns,1001ns"
  })
  void theCanonicalTextUsesTheLargestUnitThatNeedsNoDecimals(String text, String canonical) {
    assertThat(DurationText.format(DurationText.parse(text))).isEqualTo(canonical);
  }

  @Test
  void everyFormattedDurationIsReadBackEqual() {
    Random random = new Random(20261130);
    for (int i = 0; i < 10_000; i++) {
      Duration duration = Duration.ofNanos(random.nextLong() >>> (1 + random.nextInt(63)));

      assertThat(DurationText.parse(DurationText.format(duration))).isEqualTo(duration);
    }
    Duration longest = Duration.ofNanos(Long.MAX_VALUE);
    assertThat(DurationText.parse(DurationText.format(longest))).isEqualTo(longest);
  }

  @Test
  void aDurationThatCannotBeReadBackIsNotFormatted() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DurationText.format(Duration.ofSeconds(-1)))
        .withMessage("duration: PT-1S (expected: zero or more)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DurationText.format(Duration.ofSeconds(Long.MAX_VALUE)))
        .withMessageEndingWith(" (expected: at most 106751d)");
  }
}
