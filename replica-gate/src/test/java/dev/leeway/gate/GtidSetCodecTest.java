package dev.leeway.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GtidSetCodecTest {
  private static final String U = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
  private static final String B = "b011fa47-71ca-11e1-9e33-c80aa9429562";
  private static final GtidSet MIXED =
      GtidSet.parse(U + ":1-5:9:300-70000:aaa:2:5-6:b:1," + B + ":9223372036854775806:_:7");

  @Test
  void bytesAreReadBackToAnEqualSet() {
    assertThat(GtidSet.fromBytes(MIXED.toBytes())).isEqualTo(MIXED);
    assertThat(GtidSet.fromBytes(GtidSet.EMPTY.toBytes())).isEqualTo(GtidSet.EMPTY);
  }

  @Test
  void oneTransactionTakesAtMost31Bytes() {
    assertThat(GtidSet.parse(U + ":1048576000").toBytes()).hasSize(27);
    assertThat(GtidSet.parse(U + ":9223372036854775806").toBytes()).hasSize(31);
  }

  @Test
  void bytesThatWereCutShortAreRefused() {
    byte[] bytes = MIXED.toBytes();

    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> GtidSet.fromBytes(cut))
          .as("cut to %d bytes", length)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageMatching("GTID set - .+ at byte [0-9]+ \\(expected: .+\\)");
    }
  }

  @Test
  void anotherVersionIsNamed() {
    byte[] bytes = MIXED.toBytes();
    bytes[0] = 2;

    assertThatThrownBy(() -> GtidSet.fromBytes(bytes))
        .hasMessage("GTID set - version 2 at byte 1 (expected: version 1)");
  }

  @Test
  void aCountIsNotBelievedBeyondTheBytesThatAreThere() {
    byte[] manySources = bytes(1, 0xff, 0xff, 0xff, 0xff, 0x7f);
    byte[] manyIntervals = concat(bytes(1, 1), new byte[16], bytes(1, 0, 0xff, 0xff, 0x7f, 0, 0));

    assertThatThrownBy(() -> GtidSet.fromBytes(manySources))
        .hasMessage(
            "GTID set - 34359738367 sources at byte 6 (expected: no more than fit into the 0 bytes"
                + " left)");
    assertThatThrownBy(() -> GtidSet.fromBytes(manyIntervals))
        .hasMessage(
            "GTID set - 2097151 intervals at byte 23 (expected: no more than fit into the 2 bytes"
                + " left)");
  }

  @Test
  void onlyTheCanonicalSpellingIsAccepted() {
    byte[] source = new byte[16];
    byte[] oneInterval = bytes(1, 0, 1, 0, 0);

    assertThat(GtidSet.fromBytes(concat(bytes(1, 1), source, oneInterval)))
        .hasToString("00000000-0000-0000-0000-000000000000:1");
    refused("needless bytes", bytes(1, 0x80, 0));
    refused("sources out of order", bytes(1, 2), source, oneInterval, source, oneInterval);
    refused("tags out of order", bytes(1, 1), source, bytes(2, 0, 1, 0, 0, 0, 1, 0, 0));
    refused("tag 'A'", bytes(1, 1), source, bytes(1, 1, 'A', 1, 0, 0));
    refused("tag '1'", bytes(1, 1), source, bytes(1, 1, '1', 1, 0, 0));
    refused("a source without tags", bytes(1, 1), source, bytes(0, 0, 0, 0, 0));
    refused("a tag without intervals", bytes(1, 1), source, bytes(1, 0, 0, 0, 0));
    refused("1 bytes too many", bytes(1, 1), source, oneInterval, bytes(0));
  }

  @Test
  void aNumberOutOfRangeIsRefused() {
    byte[] largest = bytes(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f);

    refused("out of range", bytes(1, 1), new byte[16], bytes(1, 0, 1), largest, bytes(0));
    refused("out of range", bytes(1, 1), new byte[16], bytes(1, 0, 1, 5), largest);
    refused("more than 9 bytes", bytes(1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1));
  }

  /** Seeded, so that a failure can be repeated. */
  @Test
  void anyBytesAreEitherASetThatWritesThemAgainOrRefused() {
    Random random = new Random(20261130);
    byte[] good = MIXED.toBytes();
    int sets = 0;
    for (int i = 0; i < 50_000; i++) {
      byte[] bytes = good.clone();
      for (int change = random.nextInt(3); change >= 0; change--) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      GtidSet set;
      try {
        set = GtidSet.fromBytes(bytes);
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageStartingWith("GTID");
        continue;
      }
      sets++;
      assertThat(set.toBytes()).isEqualTo(bytes);
    }
    assertThat(sets).isPositive();
  }

  private static void refused(String reason, byte[]... parts) {
    assertThatThrownBy(() -> GtidSet.fromBytes(concat(parts)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
