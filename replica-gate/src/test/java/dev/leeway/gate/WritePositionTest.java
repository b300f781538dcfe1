package dev.leeway.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WritePositionTest {
  private static final String U = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
  private static final ClusterId SHOP = new ClusterId("shop", 3);
  private static final WritePosition ONE_WRITE = WritePosition.of(SHOP, GtidSet.parse(U + ":1042"));

  @Test
  void aTokenIsReadBackToAnEqualPosition() {
    WritePosition incomplete = WritePosition.incomplete(SHOP, GtidSet.parse(U + ":1-5:aaa:7"));

    assertThat(WritePosition.parse(ONE_WRITE.toToken())).isEqualTo(ONE_WRITE);
    assertThat(WritePosition.parse(incomplete.toToken())).isEqualTo(incomplete);
    assertThat(WritePosition.parse(WritePosition.nothingWritten(SHOP).toToken()))
        .isEqualTo(WritePosition.nothingWritten(SHOP));
  }

  @Test
  void aTokenOfOneWriteIsShortAndNeedsNoEscaping() {
    assertThat(ONE_WRITE.toToken()).matches("lwp1\\.[A-Za-z0-9_-]+").hasSizeLessThanOrEqualTo(64);
  }

  /** Case D13: an empty position passes every naive check. */
  @Test
  void aPositionWithoutAnyGtidMustSayWhatItMeans() {
    assertThatThrownBy(() -> WritePosition.of(SHOP, GtidSet.EMPTY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Write position - no GTID for cluster 'shop' (expected: at least one). Use"
                + " nothingWritten where nothing was written, and incomplete where the GTID of a"
                + " write is not known.");
  }

  @Test
  void noTextIsNoPosition() {
    assertThatThrownBy(() -> WritePosition.parse(null))
        .isInstanceOf(MalformedPositionException.class)
        .hasMessage(
            "Write position - null (expected: a token starting with lwp1.). Without a position, read"
                + " on the primary.");
    assertThatThrownBy(() -> WritePosition.parse(""))
        .isInstanceOf(MalformedPositionException.class)
        .hasMessageStartingWith("Write position - an empty text (expected: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "garbage",
        "lwp1.",
        "lwp1.AAAA",
        "lwp1.*",
        "LWP1.AQRzaG9w",
        "lwp2.AQRzaG9w",
        U + ":1",
        " ",
        "lwp1.A",
        "lwp1.AQRzaG9wAwEA=="
      })
  void whatIsNotATokenIsMalformed(String text) {
    assertThatThrownBy(() -> WritePosition.parse(text))
        .isInstanceOf(MalformedPositionException.class)
        .hasMessageMatching("Write position - .+");
  }

  @Test
  void aTokenThatWasCutShortIsMalformedNotASmallerPosition() {
    String token = WritePosition.of(SHOP, GtidSet.parse(U + ":1-5:9-12:aaa:3:5:9")).toToken();

    for (int length = 0; length < token.length(); length++) {
      String cut = token.substring(0, length);
      assertThatThrownBy(() -> WritePosition.parse(cut))
          .as("cut to %d characters", length)
          .isInstanceOf(MalformedPositionException.class);
    }
  }

  @Test
  void aTokenWithSomethingBehindItIsMalformed() {
    byte[] payload = Base64.getUrlDecoder().decode(ONE_WRITE.toToken().substring(5));
    byte[] longer = java.util.Arrays.copyOf(payload, payload.length + 1);

    assertThatThrownBy(() -> WritePosition.parse("lwp1." + TokenText.encode(longer)))
        .isInstanceOf(MalformedPositionException.class)
        .hasMessageContaining("1 bytes too many");
  }

  @Test
  void aTokenOfExcessiveLengthIsRefusedUnread() {
    assertThatThrownBy(() -> WritePosition.parse("lwp1." + "A".repeat(3_796)))
        .isInstanceOf(MalformedPositionException.class)
        .hasMessage("Write position - token of 3801 characters (expected: at most 3800)");
  }

  /** A shortened set is a smaller set, and a smaller set lets a stale read through. */
  @Test
  void aPositionTooLongForATokenSendsItsReaderToThePrimary() {
    WritePosition position = WritePosition.of(SHOP, everySecondNumber(2_000));

    String token = position.toToken();

    assertThat(token).hasSizeLessThanOrEqualTo(WritePosition.MAX_TOKEN_LENGTH);
    assertThat(WritePosition.parse(token)).isEqualTo(WritePosition.incomplete(SHOP, GtidSet.EMPTY));
  }

  @Test
  void mergingKeepsEveryWriteAndTheNewerEpoch() {
    WritePosition later =
        WritePosition.of(new ClusterId("shop", 4), GtidSet.parse(U + ":1043:aaa:1"));

    WritePosition both = later.merge(ONE_WRITE);

    assertThat(both)
        .isEqualTo(
            WritePosition.of(new ClusterId("shop", 4), GtidSet.parse(U + ":1042-1043:aaa:1")));
    assertThat(ONE_WRITE.merge(later)).isEqualTo(both);
  }

  @Test
  void mergingWithSomebodyWhoWroteNothingChangesNothing() {
    assertThat(ONE_WRITE.merge(WritePosition.nothingWritten(SHOP))).isEqualTo(ONE_WRITE);
    assertThat(WritePosition.nothingWritten(SHOP).merge(ONE_WRITE)).isEqualTo(ONE_WRITE);
  }

  @Test
  void onceIncompleteAlwaysIncomplete() {
    WritePosition incomplete = WritePosition.incomplete(SHOP, GtidSet.EMPTY);

    assertThat(incomplete.merge(ONE_WRITE).isComplete()).isFalse();
    assertThat(ONE_WRITE.merge(incomplete))
        .isEqualTo(WritePosition.incomplete(SHOP, ONE_WRITE.gtids()));
  }

  @Test
  void mergingBeyondTheBoundOfASetIsIncompleteRatherThanAnError() {
    WritePosition half = WritePosition.of(SHOP, everySecondNumber(GtidSet.MAX_INTERVALS));

    assertThat(half.merge(ONE_WRITE)).isEqualTo(WritePosition.incomplete(SHOP, GtidSet.EMPTY));
  }

  @Test
  void positionsOfDifferentClustersAreNotMerged() {
    WritePosition other = WritePosition.of(new ClusterId("billing", 3), GtidSet.parse(U + ":1"));

    assertThatThrownBy(() -> ONE_WRITE.merge(other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Write position - merging cluster 'billing' into 'shop' (expected: the same cluster)."
                + " Keep one position for each cluster.");
  }

  @Test
  void itReadsInAMessage() {
    assertThat(ONE_WRITE).hasToString("shop@3 " + U + ":1042");
    assertThat(WritePosition.incomplete(SHOP, GtidSet.EMPTY))
        .hasToString("shop@3 (empty) and writes of unknown GTID");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "caf\u00e9", "a\n"})
  void aClusterNameThatCouldNotBeCarriedIsRefused(String name) {
    assertThatThrownBy(() -> new ClusterId(name, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("(expected: 1 to 64 visible ASCII characters without blanks)");
  }

  @Test
  void aClusterNameOrEpochOutOfRangeIsRefused() {
    assertThat(new ClusterId("n".repeat(64), 0).name()).hasSize(64);
    assertThatThrownBy(() -> new ClusterId("n".repeat(65), 0))
        .hasMessageContaining("of 65 characters (expected: 1 to 64 ");
    assertThatThrownBy(() -> new ClusterId("shop", -1))
        .hasMessage("Cluster id - epoch -1 of 'shop' (expected: zero or more)");
  }

  private static GtidSet everySecondNumber(int intervals) {
    StringBuilder text = new StringBuilder(U);
    for (int i = 0; i < intervals; i++) {
      text.append(':').append(2 * i + 2_000);
    }
    return GtidSet.parse(text.toString());
  }
}
