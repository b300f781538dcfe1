package dev.leeway.proxy.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.proxy.NoLeaks;
import dev.leeway.proxy.wire.ResponseTracker.Expect;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(NoLeaks.class)
class ResponseTrackerTest {
  private static final int MORE = ServerStatus.AUTOCOMMIT | ServerStatus.MORE_RESULTS;
  private static final int LAST = ServerStatus.AUTOCOMMIT;
  private static final int OLD = Capabilities.PROTOCOL_41;
  private static final int NEW = OLD | Capabilities.DEPRECATE_EOF;
  private static final int OPTIONAL = NEW | Capabilities.OPTIONAL_RESULTSET_METADATA;

  /** Name, expected answer, capabilities, cursor wanted, bytes of exactly one response. */
  static Stream<Arguments> responses() {
    return Stream.of(
        one("ok", Expect.RESULTS, NEW, false, stream().ok(LAST)),
        one("error", Expect.RESULTS, NEW, false, stream().error(1064)),
        one(
            "rows, old",
            Expect.RESULTS,
            OLD,
            false,
            stream().payload(2).definition().definition().eof(LAST).row("a").row("").eof(LAST)),
        one(
            "rows, new",
            Expect.RESULTS,
            NEW,
            false,
            stream().payload(1).definition().row("a").row("b").okAtEnd(LAST, "info")),
        one(
            "no rows, old",
            Expect.RESULTS,
            OLD,
            false,
            stream().payload(1).definition().eof(LAST).eof(LAST)),
        one(
            "error among rows",
            Expect.RESULTS,
            NEW,
            false,
            stream().payload(1).definition().row("a").error(1317)),
        one(
            "error after definitions, old",
            Expect.RESULTS,
            OLD,
            false,
            stream().payload(1).definition().error(1317)),
        one(
            "several results",
            Expect.RESULTS,
            OLD,
            false,
            stream().ok(MORE).payload(1).definition().eof(MORE).row("a").eof(MORE).ok(LAST)),
        one(
            "several results that end in an error",
            Expect.RESULTS,
            NEW,
            false,
            stream().ok(MORE).payload(1).definition().okAtEnd(MORE, "").error(1146)),
        one(
            "metadata left out",
            Expect.RESULTS,
            OPTIONAL,
            false,
            stream().payload(2, 0).row("a").row("b").okAtEnd(LAST, "")),
        one(
            "metadata there though optional",
            Expect.RESULTS,
            OPTIONAL,
            false,
            stream().payload(1, 1).definition().row("a").okAtEnd(LAST, "")),
        one(
            "cursor, old",
            Expect.RESULTS,
            OLD,
            true,
            stream().payload(1).definition().eof(LAST | ServerStatus.CURSOR_EXISTS)),
        one(
            "cursor, new",
            Expect.RESULTS,
            NEW,
            true,
            stream().payload(1).definition().okAtEnd(LAST | ServerStatus.CURSOR_EXISTS, "")),
        one(
            "many columns",
            Expect.RESULTS,
            NEW,
            false,
            definitions(stream().payload(0xFC, 0x2C, 0x01), 300).row("a").okAtEnd(LAST, "")),
        one(
            "prepared, old",
            Expect.PREPARED,
            OLD,
            false,
            stream()
                .payload(0, 7, 0, 0, 0, 1, 0, 2, 0, 0, 4, 0)
                .definition()
                .definition()
                .eof(LAST)
                .definition()
                .eof(LAST)),
        one(
            "prepared, new",
            Expect.PREPARED,
            NEW,
            false,
            stream()
                .payload(0, 7, 0, 0, 0, 1, 0, 2, 0, 0, 4, 0)
                .definition()
                .definition()
                .definition()),
        one(
            "prepared without anything",
            Expect.PREPARED,
            OLD,
            false,
            stream().payload(0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
        one(
            "prepared without metadata",
            Expect.PREPARED,
            OPTIONAL,
            false,
            stream().payload(0, 7, 0, 0, 0, 1, 0, 2, 0, 0, 4, 0, 0)),
        one("prepare refused", Expect.PREPARED, OLD, false, stream().error(1064)),
        one("fetched, old", Expect.ROWS, OLD, false, stream().payload(0, 0, 5).eof(LAST)),
        one("fetched, new", Expect.ROWS, NEW, false, stream().payload(0, 0, 5).okAtEnd(LAST, "")),
        one("pong", Expect.ONE_PACKET, NEW, false, stream().ok(LAST)),
        one("option set, old", Expect.ONE_PACKET, OLD, false, stream().eof(LAST)),
        one("option set, new", Expect.ONE_PACKET, NEW, false, stream().okAtEnd(LAST, "")),
        one("statistics", Expect.TEXT, NEW, false, stream().row("Uptime: 1")));
  }

  private static ServerBytes stream() {
    return new ServerBytes();
  }

  private static ServerBytes definitions(ServerBytes stream, int count) {
    for (int i = 0; i < count; i++) {
      stream.definition();
    }
    return stream;
  }

  private static Arguments one(
      String name, Expect expect, int capabilities, boolean cursor, ServerBytes stream) {
    return Arguments.of(name, expect, capabilities, cursor, stream.bytes());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("responses")
  void aResponseEndsAtItsLastByteHoweverTheNetworkCutsIt(
      String name, Expect expect, int capabilities, boolean cursor, byte[] bytes) {
    byte[] followed = Arrays.copyOf(bytes, bytes.length + 5);
    ResponseTracker tracker = new ResponseTracker();
    for (int seed = 0; seed < 60; seed++) {
      tracker.begin(expect, capabilities, cursor);
      assertThat(ServerBytes.scan(tracker, followed, new Random(seed)))
          .as("seed %d", seed)
          .isEqualTo(bytes.length);
      assertThat(tracker.isDone()).isTrue();
      assertThat(tracker.isBetweenPackets()).isTrue();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("responses")
  void aResponseThatIsCutShortIsNotDone(
      String name, Expect expect, int capabilities, boolean cursor, byte[] bytes) {
    for (int cut = 0; cut < bytes.length; cut++) {
      ResponseTracker tracker = new ResponseTracker();
      tracker.begin(expect, capabilities, cursor);
      ByteBuf part = Unpooled.wrappedBuffer(bytes, 0, cut);
      assertThat(tracker.scan(part, 0, cut)).isEqualTo(cut);
      assertThat(tracker.isDone()).as("cut after byte %d", cut).isFalse();
    }
  }

  @Test
  void aRowOfMoreThanSixteenMebibytesIsOneRow() {
    byte[] bytes =
        stream()
            .payload(1)
            .definition()
            .largeRow(0xFE, PacketWriter.MAX_PAYLOAD_BYTES + 10)
            .largeRow(0xFD, 2 * PacketWriter.MAX_PAYLOAD_BYTES)
            .okAtEnd(LAST, "")
            .bytes();
    ResponseTracker tracker = new ResponseTracker();
    tracker.begin(Expect.RESULTS, NEW, false);

    ByteBuf whole = Unpooled.wrappedBuffer(bytes);
    assertThat(tracker.scan(whole, 0, bytes.length)).isEqualTo(bytes.length);

    assertThat(tracker.isDone()).isTrue();
    assertThat(tracker.rows()).isEqualTo(2);
  }

  @Test
  void whatTheEndSaysIsKnown() {
    byte[] bytes =
        stream()
            .payload(1)
            .definition()
            .row("a")
            .okAtEnd(LAST | ServerStatus.IN_TRANSACTION, "")
            .bytes();
    ResponseTracker tracker = new ResponseTracker();
    tracker.begin(Expect.RESULTS, NEW, false);
    tracker.scan(Unpooled.wrappedBuffer(bytes), 0, bytes.length);

    assertThat(tracker.status()).isEqualTo(LAST | ServerStatus.IN_TRANSACTION);
    assertThat(tracker.warnings()).isEqualTo(3);
    assertThat(tracker.affectedRows()).isEqualTo(300);
    assertThat(tracker.hasInsertId()).isTrue();
    assertThat(tracker.rows()).isEqualTo(1);
    assertThat(tracker.errorCode()).isZero();
  }

  @Test
  void afterAFileTheResponseGoesOn() {
    ResponseTracker tracker = new ResponseTracker();
    tracker.begin(Expect.RESULTS, NEW, false);
    byte[] request = stream().payload(0xFB, 'f').bytes();
    tracker.scan(Unpooled.wrappedBuffer(request), 0, request.length);
    assertThat(tracker.takeFileRequest()).isTrue();
    assertThat(tracker.takeFileRequest()).isFalse();
    assertThat(tracker.isDone()).isFalse();

    tracker.clientSent(4);
    byte[] end = stream().skipSequence(4).ok(LAST).bytes();
    tracker.scan(Unpooled.wrappedBuffer(end), 0, end.length);
    assertThat(tracker.isDone()).isTrue();
  }

  @Test
  void aPacketOutOfOrderIsRefused() {
    ResponseTracker tracker = new ResponseTracker();
    tracker.begin(Expect.RESULTS, NEW, false);
    byte[] bytes = stream().skipSequence(1).ok(LAST).bytes();

    assertThatThrownBy(() -> tracker.scan(Unpooled.wrappedBuffer(bytes), 0, bytes.length))
        .isInstanceOf(MalformedPacketException.class)
        .hasMessage("server's packet number 2 (expected: 1)");
  }

  @Test
  void anyBytesAreFollowedOrRefusedButNeverBreakTheTracker() {
    Random random = new Random(4);
    ResponseTracker tracker = new ResponseTracker();
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      Expect expect = Expect.values()[random.nextInt(Expect.values().length)];
      tracker.begin(expect, random.nextBoolean() ? OLD : OPTIONAL, random.nextBoolean());
      byte[] bytes = new byte[random.nextInt(120)];
      random.nextBytes(bytes);
      // Short lengths and right numbers, or nothing but the first packet would be looked at.
      for (int at = 0, number = 1; at + 4 <= bytes.length; number++) {
        int length = random.nextInt(20);
        bytes[at] = (byte) length;
        bytes[at + 1] = 0;
        bytes[at + 2] = 0;
        bytes[at + 3] = (byte) number;
        at += 4 + length;
      }
      try {
        assertThat(ServerBytes.scan(tracker, bytes, random)).isLessThanOrEqualTo(bytes.length);
      } catch (MalformedPacketException e) {
        refused++;
        assertThat(e).hasMessageContaining("expected");
      }
    }
    assertThat(refused).isPositive();
  }
}
