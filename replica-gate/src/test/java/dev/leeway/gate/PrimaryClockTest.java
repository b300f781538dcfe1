package dev.leeway.gate;

import static dev.leeway.gate.ServerState.UNKNOWN_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PrimaryClockTest {
  private static final long MS = 1_000_000;
  private static final long SECOND = 1_000 * MS;
  private static final long EPOCH_MICROS = Samples.CLOCK_AT_ZERO_MICROS;

  /**
   * A clock that shows {@code nanos} after it was started, and is asked every 100 ms since then.
   */
  private static PrimaryClock watched(long fromNanos, long toNanos) {
    PrimaryClock clock = reading(null, fromNanos, 0);
    for (long at = fromNanos + 100 * MS; at <= toNanos; at += 100 * MS) {
      clock = reading(clock, at, 0);
    }
    return clock;
  }

  private static PrimaryClock reading(
      @Nullable PrimaryClock before, long sent, long setBackMicros) {
    long micros = EPOCH_MICROS + sent / 1_000 - setBackMicros;
    return before == null
        ? PrimaryClock.first(Samples.PRIMARY, sent, sent + MS, micros)
        : before.read(Samples.PRIMARY, sent, sent + MS, micros);
  }

  @Test
  void aMomentComesBackLaterByNoMoreThanTheRoundTrips() {
    long now = 20 * SECOND;
    PrimaryClock clock = watched(0, now);
    long moment = now - 50 * MS;

    long back = clock.toNanos(clock.toMicros(moment, now), now);

    assertThat(back - moment).isBetween(0L, 3 * MS);
  }

  @Test
  void whatWasSeenIsNeverInTheFuture() {
    long now = 20 * SECOND;
    PrimaryClock clock = watched(0, now);

    assertThat(clock.toNanos(EPOCH_MICROS + TimeUnit.HOURS.toMicros(1), now)).isEqualTo(now);
  }

  @Test
  void anOldReadingTellsNothingOfThePresent() {
    PrimaryClock clock = watched(0, 5 * SECOND);

    assertThat(clock.toMicros(5 * SECOND, 6 * SECOND)).isNotEqualTo(UNKNOWN_NANOS);
    assertThat(clock.toMicros(5 * SECOND, 6 * SECOND + 1)).isEqualTo(UNKNOWN_NANOS);
    assertThat(clock.toNanos(EPOCH_MICROS, 6 * SECOND + 1)).isEqualTo(UNKNOWN_NANOS);
  }

  /** Another process may not have noticed yet, and would take the new time for an older moment. */
  @Test
  void aClockThatWasJustSetTellsNobodyAMoment() {
    PrimaryClock clock = watched(0, 10 * SECOND);
    for (long at = 10_100 * MS; at <= 11_500 * MS; at += 100 * MS) {
      clock = reading(clock, at, TimeUnit.SECONDS.toMicros(5));
      assertThat(clock.toMicros(at, at + MS) == UNKNOWN_NANOS)
          .as("at %s ms", at / MS)
          .isEqualTo(at < 11_100 * MS);
    }
  }

  @Test
  void slowAnswersAloneTellTooLittle() {
    PrimaryClock clock = PrimaryClock.first(Samples.PRIMARY, 0, 600 * MS, EPOCH_MICROS);
    for (long at = SECOND; at <= 5 * SECOND; at += SECOND) {
      clock = clock.read(Samples.PRIMARY, at, at + 600 * MS, EPOCH_MICROS + at / 1_000);
    }

    assertThat(clock.toMicros(0, 5_700 * MS)).isEqualTo(UNKNOWN_NANOS);
  }

  @Test
  void aSlowAnswerDoesNotBlurWhatQuickOnesTold() {
    PrimaryClock clock =
        watched(0, 5 * SECOND)
            .read(
                Samples.PRIMARY,
                5_100 * MS,
                5_900 * MS,
                EPOCH_MICROS + TimeUnit.MILLISECONDS.toMicros(5_300));
    long now = 5_950 * MS;

    assertThat(clock.toNanos(clock.toMicros(4 * SECOND, now), now) - 4 * SECOND)
        .isBetween(0L, 20 * MS);
  }

  @Test
  void whatLiesBeforeTheFirstReadingIsTakenForASecondAfterIt() {
    PrimaryClock clock = watched(10 * SECOND, 20 * SECOND);

    assertThat(clock.toNanos(EPOCH_MICROS, 20 * SECOND)).isEqualTo(11 * SECOND + MS);
  }

  @Test
  void aClockThatIsSetForwardMakesNothingOlder() {
    PrimaryClock before = watched(0, 10 * SECOND);
    long seen = 9 * SECOND;
    long micros = before.toMicros(seen, 10 * SECOND);
    PrimaryClock after = before;
    for (long at = 10 * SECOND + 100 * MS; at <= 30 * SECOND; at += 100 * MS) {
      after = reading(after, at, -TimeUnit.SECONDS.toMicros(5));
    }

    assertThat(after.toNanos(micros, 30 * SECOND)).isGreaterThanOrEqualTo(seen);
    assertThat(after.toNanos(micros, 30 * SECOND)).isLessThan(12 * SECOND);
  }

  @Test
  void aClockThatIsSetBackMakesNothingOlder() {
    PrimaryClock before = watched(0, 10 * SECOND);
    long seen = 9 * SECOND;
    long micros = before.toMicros(seen, 10 * SECOND);
    PrimaryClock after = before;
    for (long at = 10 * SECOND + 100 * MS; at <= 30 * SECOND; at += 100 * MS) {
      after = reading(after, at, TimeUnit.SECONDS.toMicros(5));
    }

    assertThat(after.toNanos(micros, 30 * SECOND)).isGreaterThanOrEqualTo(seen);
  }

  @Test
  void anotherPrimarysClockIsAnotherClock() {
    PrimaryClock clock = watched(0, 10 * SECOND);

    PrimaryClock other = clock.read(Samples.REPLICA_1, 11 * SECOND, 11 * SECOND, EPOCH_MICROS);

    assertThat(other.server()).isEqualTo(Samples.REPLICA_1);
    assertThat(other.toNanos(0, 11 * SECOND)).isEqualTo(UNKNOWN_NANOS);
  }

  /**
   * Two processes whose clocks have nothing to do with each other watch one primary, whose clock
   * drifts and is slewed; answers take their time at random. Seeded.
   */
  @Test
  void noMomentIsEarlierInAnotherProcess() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      long hereAhead = random.nextLong() / 4;
      long thereAhead = random.nextLong() / 4;
      double pace = 1 + (random.nextDouble() - 0.5) / 1_000;
      @Nullable PrimaryClock here = null;
      @Nullable PrimaryClock there = null;
      double shown = EPOCH_MICROS;
      long time = 0;
      long nextHere = 0;
      long nextThere = 0;
      for (int step = 0; step < 2_000; step++) {
        long passed = 1L + random.nextInt((int) (20 * MS));
        if (random.nextInt(400) == 0) {
          pace = 1 + (random.nextDouble() - 0.5) / 1_000;
        }
        time += passed;
        shown += passed * pace / 1_000;
        long micros = (long) shown;
        long before = random.nextInt((int) (2 * MS));
        long after = random.nextInt((int) (2 * MS));
        if (time >= nextHere) {
          here = read(here, hereAhead + time - before, hereAhead + time + after, micros);
          nextHere = time + 100 * MS;
        }
        if (time >= nextThere) {
          there = read(there, thereAhead + time - before, thereAhead + time + after, micros);
          nextThere = time + 80 * MS;
        }
        if (here == null || there == null || time < 3 * SECOND) {
          continue;
        }
        long now = time + after;
        long seen = now - random.nextInt((int) (500 * MS));
        long told = here.toMicros(hereAhead + seen, hereAhead + now);
        long received = now + random.nextInt((int) (5 * MS));
        long understood = there.toNanos(told, thereAhead + received);
        assertThat(understood - (thereAhead + seen))
            .as("seed %s, step %s", seed, step)
            .isBetween(0L, 60 * MS);
      }
    }
  }

  private static PrimaryClock read(
      @Nullable PrimaryClock clock, long sent, long received, long micros) {
    return clock == null
        ? PrimaryClock.first(Samples.PRIMARY, sent, received, micros)
        : clock.read(Samples.PRIMARY, sent, received, micros);
  }
}
