package dev.leeway.gate;

import static dev.leeway.gate.TokenResult.Verdict.ACCEPTED;
import static dev.leeway.gate.TokenResult.Verdict.EXPIRED;
import static dev.leeway.gate.TokenResult.Verdict.FOREIGN;
import static dev.leeway.gate.TokenResult.Verdict.FORGED;
import static dev.leeway.gate.TokenResult.Verdict.FUTURE;
import static dev.leeway.gate.TokenResult.Verdict.MALFORMED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class PositionTokensTest {
  private static final String U = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
  private static final WritePosition POSITION =
      WritePosition.of(new ClusterId("shop", 2), GtidSet.parse(U + ":1042"));
  private static final byte[] OLD_SECRET = secret(1);
  private static final byte[] NEW_SECRET = secret(2);

  private Instant now = Instant.parse("2026-11-30T12:00:00Z");
  private final PositionTokens tokens = tokens().key("old", OLD_SECRET).build();

  @Test
  void aTokenOfOursGivesThePositionBack() {
    TokenResult result = tokens.verify(tokens.sign(POSITION), "shop");

    assertThat(result.verdict()).isEqualTo(ACCEPTED);
    assertThat(result.position()).isEqualTo(POSITION);
    assertThat(result.isAccepted()).isTrue();
  }

  @Test
  void anIncompletePositionStaysIncomplete() {
    WritePosition incomplete = WritePosition.incomplete(POSITION.cluster(), GtidSet.EMPTY);

    assertThat(tokens.verify(tokens.sign(incomplete), "shop").position()).isEqualTo(incomplete);
  }

  @Test
  void aTokenOfOneWriteIsFitForACookie() {
    WritePosition largest =
        WritePosition.of(
            new ClusterId("n".repeat(60), 1_000),
            GtidSet.parse(U + ":" + "t".repeat(32) + ":9223372036854775806"));

    assertThat(tokens.sign(POSITION)).matches("[A-Za-z0-9._-]{1,128}");
    assertThat(tokens.sign(largest)).matches("[A-Za-z0-9._-]{1,255}");
  }

  /** What the signature covers and how, computed here once more by hand. */
  @Test
  void theSignatureIsAnHmacOverEverythingInFrontOfIt() throws Exception {
    String token = tokens.sign(POSITION);
    String signed = token.substring(0, token.lastIndexOf('.'));
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(OLD_SECRET, "HmacSHA256"));

    byte[] expected = mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII));

    assertThat(signed).startsWith("lct1.old.");
    assertThat(Base64.getUrlDecoder().decode(token.substring(token.lastIndexOf('.') + 1)))
        .isEqualTo(expected);
  }

  @Test
  void keysRotateWithoutAGap() {
    PositionTokens first = tokens().key("old", OLD_SECRET).key("new", NEW_SECRET).build();
    PositionTokens second = tokens().key("new", NEW_SECRET).key("old", OLD_SECRET).build();
    PositionTokens third = tokens().key("new", NEW_SECRET).build();

    assertThat(tokens.verify(first.sign(POSITION), "shop").verdict()).isEqualTo(ACCEPTED);
    assertThat(first.verify(second.sign(POSITION), "shop").verdict()).isEqualTo(ACCEPTED);
    assertThat(second.verify(first.sign(POSITION), "shop").verdict()).isEqualTo(ACCEPTED);
    assertThat(third.verify(second.sign(POSITION), "shop").verdict()).isEqualTo(ACCEPTED);
    assertThat(third.verify(first.sign(POSITION), "shop").verdict()).isEqualTo(FORGED);
  }

  @Test
  void anotherSecretUnderTheSameNameIsAForgery() {
    PositionTokens stranger = tokens().key("old", NEW_SECRET).build();

    assertThat(tokens.verify(stranger.sign(POSITION), "shop"))
        .isEqualTo(TokenResult.refused(FORGED));
  }

  @Test
  void aTokenLivesForItsTimeAndNoLonger() {
    String token = tokens.sign(POSITION);

    now = now.plus(Duration.ofMinutes(10));
    assertThat(tokens.verify(token, "shop").verdict()).isEqualTo(ACCEPTED);
    now = now.plusMillis(1);
    assertThat(tokens.verify(token, "shop")).isEqualTo(TokenResult.refused(EXPIRED));
  }

  @Test
  void aTokenFromTheFutureIsAcceptedWithinTheSkewThatIsAllowed() {
    String token = tokens.sign(POSITION);

    now = now.minusSeconds(5);
    assertThat(tokens.verify(token, "shop").verdict()).isEqualTo(ACCEPTED);
    now = now.minusMillis(1);
    assertThat(tokens.verify(token, "shop")).isEqualTo(TokenResult.refused(FUTURE));
  }

  @Test
  void aTokenSignedByAClockBefore1970IsBornExpired() {
    Instant present = now;
    now = Instant.parse("1969-01-01T00:00:00Z");
    String token = tokens.sign(POSITION);
    now = present;

    assertThat(tokens.verify(token, "shop").verdict()).isEqualTo(EXPIRED);
  }

  @Test
  void aTokenOfAnotherClusterIsForeign() {
    assertThat(tokens.verify(tokens.sign(POSITION), "billing"))
        .isEqualTo(TokenResult.refused(FOREIGN));
    assertThat(tokens.verify(tokens.sign(POSITION), "Shop").verdict()).isEqualTo(FOREIGN);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "garbage",
        "lct1.",
        "lct1...",
        "lct1.old",
        "lct1.old.AAAA",
        "lct1.old.AAAA.",
        "lct1.old.AAAA.AAAA",
        "lct1.old..AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "lct1..AAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "lct1.old.AA=A.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "lct1.old.AAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\u0100",
        "lct2.old.AAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "lwp1.AQRzaG9w"
      })
  void whatIsNotATokenIsMalformed(String token) {
    assertThat(tokens.verify(token, "shop")).isEqualTo(TokenResult.refused(MALFORMED));
  }

  @Test
  void aTokenOfUnknownKeyIsAForgery() {
    String token = tokens.sign(POSITION).replace("lct1.old.", "lct1.odd.");

    assertThat(tokens.verify(token, "shop").verdict()).isEqualTo(FORGED);
  }

  @Test
  void aTokenOfExcessiveLengthIsMalformedWhateverItSays() throws Exception {
    String signed = "lct1.old." + "A".repeat(WritePosition.MAX_TOKEN_LENGTH);

    assertThat(tokens.verify(signedByHand(signed), "shop").verdict()).isEqualTo(MALFORMED);
  }

  /** Such a token exists when a newer release runs beside ours. */
  @ParameterizedTest
  @ValueSource(strings = {"A", "AB", "AAAA", "____", "AAEEc2hvcAIC"})
  void aSignedTokenOfUnknownContentIsMalformed(String payload) throws Exception {
    assertThat(tokens.verify(signedByHand("lct1.old." + payload), "shop").verdict())
        .isEqualTo(MALFORMED);
  }

  @Test
  void aPositionTooLongForATokenSendsItsReaderToThePrimary() {
    StringBuilder text = new StringBuilder(U);
    for (int i = 0; i < 2_000; i++) {
      text.append(':').append(2 * i + 2_000);
    }
    WritePosition large = WritePosition.of(POSITION.cluster(), GtidSet.parse(text.toString()));

    String token = tokens.sign(large);

    assertThat(token).hasSizeLessThanOrEqualTo(WritePosition.MAX_TOKEN_LENGTH);
    assertThat(tokens.verify(token, "shop").position())
        .isEqualTo(WritePosition.incomplete(POSITION.cluster(), GtidSet.EMPTY));
  }

  @Test
  void noSingleBitOfATokenCanBeFlipped() {
    String token = tokens.sign(POSITION);

    for (int i = 0; i < token.length(); i++) {
      for (int bit = 0; bit < Character.SIZE; bit++) {
        char[] flipped = token.toCharArray();
        flipped[i] ^= (char) (1 << bit);
        assertRefused(new String(flipped));
      }
    }
  }

  @Test
  void noSingleBitOfThePayloadCanBeFlipped() {
    String token = tokens.sign(POSITION);
    String[] parts = token.split("\\.", -1);
    byte[] payload = Base64.getUrlDecoder().decode(parts[2]);

    for (int bit = 0; bit < payload.length * Byte.SIZE; bit++) {
      byte[] flipped = payload.clone();
      flipped[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
      assertRefused("lct1.old." + TokenText.encode(flipped) + "." + parts[3]);
    }
  }

  @Test
  void noTokenCanBeCutShortOrExtended() {
    String token = tokens.sign(POSITION);

    for (int length = 0; length < token.length(); length++) {
      assertRefused(token.substring(0, length));
      assertRefused(token.substring(token.length() - length));
    }
    assertRefused(token + "A");
    assertRefused(token + "=");
    assertRefused(token + ".");
    assertRefused(" " + token);
    assertRefused(token + "\n");
  }

  /** Seeded, so that a failure can be repeated. */
  @Test
  void noRandomChangeOfATokenIsAccepted() {
    Random random = new Random(42);
    String token = tokens.sign(POSITION);
    String other = tokens.sign(WritePosition.incomplete(POSITION.cluster(), GtidSet.EMPTY));
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";

    for (int i = 0; i < 50_000; i++) {
      StringBuilder changed = new StringBuilder(token);
      for (int change = random.nextInt(4); change >= 0; change--) {
        int at = random.nextInt(changed.length());
        char replacement = alphabet.charAt(random.nextInt(alphabet.length()));
        switch (random.nextInt(4)) {
          case 0 -> changed.setCharAt(at, replacement);
          case 1 -> changed.insert(at, replacement);
          case 2 -> changed.deleteCharAt(at);
          default -> changed.replace(at, changed.length(), other.substring(at % other.length()));
        }
      }
      String candidate = changed.toString();
      if (!candidate.equals(token) && !candidate.equals(other)) {
        assertRefused(candidate);
      }
    }
  }

  @Test
  void theSecretIsCopied() {
    byte[] secret = secret(3);
    PositionTokens mine = tokens().key("k", secret).build();
    String token = mine.sign(POSITION);

    Arrays.fill(secret, (byte) 0);

    assertThat(mine.verify(token, "shop").verdict()).isEqualTo(ACCEPTED);
    assertThat(mine.sign(POSITION)).isEqualTo(token);
  }

  @Test
  void itNeverPrintsASecret() {
    PositionTokens both = tokens().key("new", NEW_SECRET).key("old", OLD_SECRET).build();

    assertThat(both).hasToString("PositionTokens[signs with new, also accepts [old]]");
  }

  @Test
  void aKeyThatCannotProtectIsRefused() {
    assertThatThrownBy(() -> tokens().key("k", new byte[31]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Position tokens - secret of key 'k' has 31 bytes (expected: at least 32, from a random"
                + " generator)");
    assertThatThrownBy(() -> tokens().key("k", NEW_SECRET).key("k", OLD_SECRET))
        .hasMessage("Position tokens - key 'k' was already added. Give every key its own name.");
    assertThatThrownBy(() -> tokens().build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Position tokens - no key (expected: at least one). Add one with key(name, secret).");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a.b", "a b", "seventeen-letters"})
  void aKeyNameThatDoesNotFitIntoATokenIsRefused(String name) {
    assertThatThrownBy(() -> tokens().key(name, NEW_SECRET))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("(expected: 1 to 16 letters, digits, dashes or underscores)");
  }

  @Test
  void moreKeysThanARotationNeedsAreRefused() {
    PositionTokens.Builder builder = tokens();
    for (int i = 0; i < PositionTokens.Builder.MAX_KEYS; i++) {
      builder.key("k" + i, secret(i));
    }

    assertThatThrownBy(() -> builder.key("one-more", NEW_SECRET))
        .hasMessage(
            "Position tokens - key 'one-more' is one too many (expected: at most 16). Remove keys"
                + " that no living token was signed with.");
  }

  @Test
  void limitsOutOfRangeAreRefused() {
    assertThatThrownBy(() -> tokens().timeToLive(Duration.ZERO))
        .hasMessage("Position tokens - timeToLive PT0S (expected: PT0.001S to PT8760H)");
    assertThatThrownBy(() -> tokens().timeToLive(Duration.ofSeconds(Long.MAX_VALUE)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> tokens().allowedSkew(Duration.ofMillis(-1)))
        .hasMessage("Position tokens - allowedSkew PT-0.001S (expected: PT0S to PT1H)");
  }

  @Test
  void aResultHasATokenExactlyIfItMayBeUsed() {
    assertThatThrownBy(() -> new TokenResult(ACCEPTED, null, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Token result - ACCEPTED without a token (expected: a token exactly if ACCEPTED)");
    assertThatThrownBy(() -> new TokenResult(FORGED, ConsistencyToken.of(POSITION), 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private void assertRefused(String token) {
    TokenResult result = tokens.verify(token, "shop");
    assertThat(result.isAccepted()).as(token).isFalse();
  }

  private static String signedByHand(String signed) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(OLD_SECRET, "HmacSHA256"));
    return signed + "." + TokenText.encode(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
  }

  private PositionTokens.Builder tokens() {
    return PositionTokens.builder()
        .timeToLive(Duration.ofMinutes(10))
        .allowedSkew(Duration.ofSeconds(5))
        .clock(() -> now);
  }

  private static byte[] secret(int seed) {
    byte[] secret = new byte[32];
    new Random(seed).nextBytes(secret);
    return secret;
  }
}
