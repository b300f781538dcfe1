package dev.leeway.gate;

import static dev.leeway.gate.ServerState.UNKNOWN_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a token says, and that it still says it after it has travelled. */
class ConsistencyTokenTest {
  private static final ClusterId SHOP = new ClusterId("shop", 2);
  private static final GtidSet WRITE = GtidSet.parse(Samples.PRIMARY + ":1042");
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
  private static final long NOW_MICROS = NOW.toEpochMilli() * 1_000;

  private final PositionTokens tokens =
      PositionTokens.builder().key("2026-11", new byte[32]).clock(() -> NOW).build();

  private ConsistencyToken travelled(ConsistencyToken token) {
    ConsistencyToken received = tokens.verify(tokens.sign(token), "shop").token();
    return Objects.requireNonNull(received);
  }

  private static SeenMoment seen(@Nullable UUID replica) {
    return new SeenMoment(
        Samples.PRIMARY,
        NOW_MICROS - 40_000,
        NOW_MICROS - 70_000,
        replica,
        replica == null ? UNKNOWN_NANOS : NOW_MICROS - 3_000,
        replica != null);
  }

  @Test
  void whatWasSeenTravelsWithWhatWasWritten() {
    ConsistencyToken token =
        ConsistencyToken.of(WritePosition.of(SHOP, WRITE))
            .saw(seen(Samples.REPLICA_1))
            .onPrimary(260);

    assertThat(travelled(token)).isEqualTo(token);
    assertThat(travelled(token).onPrimaryMillis()).isEqualTo(260);
    assertThat(travelled(token).position()).isEqualTo(WritePosition.of(SHOP, WRITE));
  }

  @Test
  void aTokenOfAnOrdinaryRequestIsShort() {
    ConsistencyToken token =
        ConsistencyToken.of(
                WritePosition.of(
                    new ClusterId("orders-production", 12),
                    GtidSet.parse(Samples.PRIMARY + ":98765432109")))
            .saw(seen(Samples.REPLICA_1));

    assertThat(tokens.sign(token)).matches("[A-Za-z0-9._-]{1,256}");
  }

  @Test
  void whatWasSeenAtAnUnknownMomentIsSaidToBeSo() {
    ConsistencyToken token =
        ConsistencyToken.of(WritePosition.nothingWritten(SHOP)).saw(seen(null)).sawUnknown();

    assertThat(travelled(token).hasSeenUnknown()).isTrue();
    assertThat(travelled(token).seen()).isNull();
  }

  @Test
  void aMomentThatNoClockCanMeanIsAnUnknownOne() {
    ConsistencyToken token =
        ConsistencyToken.of(WritePosition.nothingWritten(SHOP))
            .saw(new SeenMoment(Samples.PRIMARY, 1, UNKNOWN_NANOS, null, UNKNOWN_NANOS, false));

    assertThat(travelled(token).hasSeenUnknown()).isTrue();
  }

  @Test
  void anIncompletePositionHasSeenMoreThanItsGtids() {
    ConsistencyToken token = ConsistencyToken.of(WritePosition.incomplete(SHOP, WRITE));

    assertThat(token.hasSeenUnknown()).isTrue();
    assertThat(travelled(token)).isEqualTo(token);
  }

  @Test
  void narrowedWritesTravelToo() {
    ConsistencyToken token =
        ConsistencyToken.of(WritePosition.nothingWritten(SHOP))
            .narrowed(
                List.of(
                    new ConsistencyToken.Narrowed(EntityKey.of("order", 42), WRITE),
                    new ConsistencyToken.Narrowed(EntityKey.of("audit"), WRITE)))
            .saw(seen(null));

    assertThat(travelled(token)).isEqualTo(token);
    assertThat(token.position()).isEqualTo(WritePosition.of(SHOP, WRITE));
  }

  @Test
  void narrowedWritesThatWouldMakeATokenLongBindEveryRead() {
    List<ConsistencyToken.Narrowed> many = new ArrayList<>();
    for (int i = 0; i < ConsistencyToken.MAX_NARROWED; i++) {
      many.add(
          new ConsistencyToken.Narrowed(
              EntityKey.of("order", i), GtidSet.parse(Samples.PRIMARY + ":" + (1000 + 2 * i))));
    }
    ConsistencyToken token = ConsistencyToken.of(WritePosition.nothingWritten(SHOP)).narrowed(many);

    ConsistencyToken received = travelled(token);

    assertThat(received.narrowed()).isEmpty();
    assertThat(received.general().gtids().transactionCount()).isEqualTo(8);
    assertThat(tokens.sign(token)).hasSizeLessThan(PositionTokens.NARROWED_LENGTH);
  }

  @Test
  void aTokenIsNoYoungerThanItsAgeWithoutTheSkewThatIsAllowed() {
    String token = tokens.sign(WritePosition.of(SHOP, WRITE));
    PositionTokens later =
        PositionTokens.builder()
            .key("2026-11", new byte[32])
            .allowedSkew(Duration.ofSeconds(30))
            .clock(() -> NOW.plusSeconds(45))
            .build();

    assertThat(tokens.verify(token, "shop").minimumAgeNanos()).isZero();
    assertThat(later.verify(token, "shop").minimumAgeNanos())
        .isEqualTo(Duration.ofSeconds(15).toNanos());
  }

  @Test
  void unsignedAndSignedTokensAreNotTakenForEachOther() {
    PositionTokens trusting = PositionTokens.unsigned();
    String unsigned = trusting.sign(WritePosition.of(SHOP, WRITE));

    assertThat(trusting.verify(unsigned, "shop").isAccepted()).isTrue();
    assertThat(trusting.isSigned()).isFalse();
    assertThat(tokens.verify(unsigned, "shop")).isEqualTo(TokenResult.refused(MALFORMED));
    assertThat(trusting.verify(tokens.sign(WritePosition.of(SHOP, WRITE)), "shop"))
        .isEqualTo(TokenResult.refused(MALFORMED));
    assertThat(trusting).hasToString("PositionTokens[unsigned]");
  }

  /** Seeded: whatever bytes come unsigned, they are read or refused, and nothing else happens. */
  @Test
  void noBytesBreakTheReader() {
    PositionTokens trusting = PositionTokens.unsigned();
    String good =
        trusting.sign(
            ConsistencyToken.of(WritePosition.of(SHOP, WRITE)).saw(seen(Samples.REPLICA_1)));
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = TokenText.decode(good.substring(good.indexOf('.') + 1));
      for (int flips = random.nextInt(4); flips >= 0; flips--) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }

      TokenResult result = trusting.verify("lcu1." + TokenText.encode(bytes), "shop");

      assertThat(result.verdict()).isNotNull();
    }
  }

  private static final TokenResult.Verdict MALFORMED = TokenResult.Verdict.MALFORMED;
}
