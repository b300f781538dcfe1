package dev.leeway.testkit.drill;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TimingsTest {
  @Test
  void everyFigureIsOneThatWasMeasured() {
    Timings timings = Timings.of(LongStream.rangeClosed(1, 200).map(i -> 201 - i).toArray());

    assertThat(timings)
        .isEqualTo(
            new Timings(Duration.ofNanos(100), Duration.ofNanos(198), Duration.ofNanos(200)));
  }

  @Test
  void oneMeasurementIsAllOfThem() {
    assertThat(Timings.of(new long[] {7}))
        .isEqualTo(new Timings(Duration.ofNanos(7), Duration.ofNanos(7), Duration.ofNanos(7)));
  }
}
