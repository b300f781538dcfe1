package dev.leeway.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.leeway.gate.ClusterId;
import dev.leeway.gate.GtidSet;
import dev.leeway.gate.WritePosition;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What stamping and parsing a message allocates. */
class JobEnvelopeCostTest {
  private static final int MESSAGES = 20_000;

  @Test
  void stampingAndParsingTakeLessThanAKibibyteEach() {
    WritePosition position =
        WritePosition.of(
            new ClusterId("shop", 3), GtidSet.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:104250"));
    Consistency asked = Consistency.caughtUp(Duration.ofSeconds(1));
    Instant now = Instant.ofEpochMilli(1_796_000_000_123L);
    Map<String, String> headers = JobEnvelope.of(position, asked, now).headers();

    long stamping = bytes(() -> JobEnvelope.of(position, asked, now).headers());
    long parsing = bytes(() -> JobEnvelope.read(headers::get));

    assertThat(stamping).as("bytes to stamp a message").isLessThanOrEqualTo(1_024);
    assertThat(parsing).as("bytes to parse a message").isLessThanOrEqualTo(1_024);
  }

  private interface Step {
    Object run();
  }

  private static long bytes(Step step) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long kept = 0;
    for (int i = 0; i < MESSAGES; i++) {
      kept += step.run().hashCode() & 1;
    }
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < MESSAGES; i++) {
      kept += step.run().hashCode() & 1;
    }
    long used = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(kept).isNotNegative();
    return used / MESSAGES;
  }
}
