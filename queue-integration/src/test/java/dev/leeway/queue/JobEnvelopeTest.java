package dev.leeway.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.gate.ClusterId;
import dev.leeway.gate.GtidSet;
import dev.leeway.gate.WritePosition;
import dev.leeway.queue.JobEnvelope.Form;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobEnvelopeTest {
  private static final ClusterId SHOP = new ClusterId("shop", 3);
  private static final WritePosition POSITION =
      WritePosition.of(SHOP, GtidSet.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-1042"));
  private static final Instant THEN = Instant.ofEpochMilli(1_796_000_000_123L);
  private static final JobEnvelope ENVELOPE =
      JobEnvelope.of(POSITION, Consistency.caughtUp(Duration.ofSeconds(1)), THEN);

  private static JobEnvelope read(Map<String, String> headers) {
    return JobEnvelope.read(headers::get);
  }

  private static Map<String, String> with(String name, String value) {
    Map<String, String> headers = new LinkedHashMap<>(ENVELOPE.headers());
    headers.put(name, value);
    return headers;
  }

  @Test
  void whatIsWrittenIsReadBack() {
    JobEnvelope back = read(ENVELOPE.putBack(40).putBack(60).lookedInVainOnceMore().headers());

    assertThat(back.form()).isEqualTo(Form.COMPLETE);
    assertThat(back.position()).isEqualTo(POSITION);
    assertThat(back.asked()).isEqualTo(Consistency.caughtUp(Duration.ofSeconds(1)));
    assertThat(back.dispatchedAt()).isEqualTo(THEN);
    assertThat(back.putBacks()).isEqualTo(2);
    assertThat(back.delayedMillis()).isEqualTo(100);
    assertThat(back.lookedInVain()).isEqualTo(1);
  }

  @Test
  void theHeadersAreFourShortPrintableTexts() {
    Map<String, String> headers = ENVELOPE.headers();

    assertThat(headers)
        .containsOnlyKeys(
            "leeway-position", "leeway-consistency", "leeway-dispatched-at", "leeway-cluster")
        .containsEntry("leeway-consistency", "1;CAUGHT_UP;1000;0;0;0;0")
        .containsEntry("leeway-dispatched-at", "1796000000123")
        .containsEntry("leeway-cluster", "shop");
    assertThat(headers.values()).allMatch(text -> text.matches("[!-~]{1,100}"));
  }

  @Test
  void aMessageWithoutHeadersIsToldFromADamagedOne() {
    assertThat(read(Map.of()).form()).isEqualTo(Form.ABSENT);
    assertThat(read(Map.of("leeway-cluster", "shop")).form()).isEqualTo(Form.MALFORMED);
  }

  @ParameterizedTest
  @CsvSource({
    "leeway-consistency, 2;PRIMARY, UNKNOWN_VERSION",
    "leeway-consistency, 17;anything, UNKNOWN_VERSION",
    "leeway-consistency, x;PRIMARY, MALFORMED",
    "leeway-consistency, 1;, MALFORMED",
    "leeway-consistency, 1;SOMETIMES;0;0;0;0;0, MALFORMED",
    "leeway-consistency, 1;CAUGHT_UP;-5;0;0;0;0, MALFORMED",
    "leeway-consistency, 1;CAUGHT_UP;0;0;0;0;0, MALFORMED",
    "leeway-consistency, 1;DELAYED;1000;0;0;0;0, MALFORMED",
    "leeway-consistency, 1;DELAYED;99999999999;3;0;0;0, MALFORMED",
    "leeway-consistency, 1;PRIMARY;0;0;0;0;0;0, MALFORMED",
    "leeway-consistency, 1;PRIMARY;0;0;99999999;0;0, MALFORMED",
    "leeway-position, lwp2.abc, UNKNOWN_VERSION",
    "leeway-position, lwp1.abc, MALFORMED",
    "leeway-position, abc, MALFORMED",
    "leeway-position, '', MALFORMED",
    "leeway-dispatched-at, yesterday, MALFORMED",
    "leeway-dispatched-at, -1, MALFORMED",
    "leeway-dispatched-at, 1234567890123456, MALFORMED",
    "leeway-cluster, billing, MALFORMED"
  })
  void whatMakesNoSenseIsNamedAndGivesNoPosition(String header, String value, Form form) {
    JobEnvelope damaged = read(with(header, value));

    assertThat(damaged.form()).isEqualTo(form);
    assertThat(damaged.position()).isNull();
  }

  @Test
  void anyMissingHeaderTakesThePositionAway() {
    for (String name : ENVELOPE.headers().keySet()) {
      Map<String, String> headers = new LinkedHashMap<>(ENVELOPE.headers());
      headers.remove(name);

      assertThat(read(headers).form()).as("without " + name).isEqualTo(Form.MALFORMED);
    }
  }

  @Test
  void randomTextNeverThrowsAndNeverGivesAnotherPosition() {
    Random random = new Random(20261130);
    for (int round = 0; round < 20_000; round++) {
      Map<String, String> headers = new LinkedHashMap<>(ENVELOPE.headers());
      String name = headers.keySet().toArray(String[]::new)[random.nextInt(4)];
      StringBuilder text = new StringBuilder(Objects.requireNonNull(headers.get(name)));
      int changes = 1 + random.nextInt(3);
      for (int i = 0; i < changes; i++) {
        text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(256));
      }
      headers.put(name, text.toString());

      JobEnvelope read = read(headers);

      if (read.form() != Form.COMPLETE) {
        assertThat(read.position()).as(headers.toString()).isNull();
      }
    }
  }

  @Test
  void aJobThatIsPutBackDoesNotBecomeMoreTrustworthy() {
    JobEnvelope absent = read(read(Map.of()).lookedInVainOnceMore().headers());
    assertThat(absent.form()).isEqualTo(Form.ABSENT);
    assertThat(absent.lookedInVain()).isEqualTo(1);

    JobEnvelope damaged = read(with("leeway-position", "abc")).lookedInVainOnceMore();
    assertThat(read(damaged.headers()).form()).isEqualTo(Form.MALFORMED);
    assertThat(read(damaged.headers()).lookedInVain()).isEqualTo(1);
  }

  @Test
  void ofTwoJobsThatBecomeOneBothPositionsAreKept() {
    WritePosition later =
        WritePosition.of(SHOP, GtidSet.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:2000"));
    JobEnvelope second = JobEnvelope.of(later, null, THEN.plusMillis(5));

    for (JobEnvelope merged : new JobEnvelope[] {ENVELOPE.merge(second), second.merge(ENVELOPE)}) {
      assertThat(merged.position()).isEqualTo(POSITION.merge(later));
      assertThat(merged.dispatchedAt()).isEqualTo(THEN.plusMillis(5));
      assertThat(merged.asked()).isEqualTo(Consistency.caughtUp(Duration.ofSeconds(1)));
    }
    assertThat(ENVELOPE.merge(read(Map.of())).position()).isNull();
    assertThat(
            ENVELOPE
                .merge(JobEnvelope.of(later, Consistency.primary(), THEN.minusMillis(5)))
                .asked())
        .isEqualTo(Consistency.primary());
    WritePosition other = WritePosition.nothingWritten(new ClusterId("billing", 0));
    assertThat(ENVELOPE.merge(JobEnvelope.of(other, null, THEN)).form()).isEqualTo(Form.MALFORMED);
  }

  @Test
  void aPositionTooLongForAHeaderTravelsAsAnIncompleteOne() {
    StringBuilder many = new StringBuilder("3e11fa47-71ca-11e1-9e33-c80aa9429562");
    for (int i = 1; i < 6_000; i += 2) {
      many.append(':').append(i * 1_000);
    }
    WritePosition huge = WritePosition.of(SHOP, GtidSet.parse(many.toString()));
    JobEnvelope back = read(JobEnvelope.of(huge, null, THEN).headers());

    assertThat(back.form()).isEqualTo(Form.COMPLETE);
    assertThat(Objects.requireNonNull(back.position()).isComplete()).isFalse();
  }
}
