package dev.leeway.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GtidSetTest {
  private static final String U = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
  private static final String A = "0a11fa47-71ca-11e1-9e33-c80aa9429562";
  private static final String B = "b011fa47-71ca-11e1-9e33-c80aa9429562";

  /** Case D11: a failover leaves two sources, and the server breaks the line between them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        A + ":1-5,\n" + B + ":7",
        A + ":1-5,\r\n " + B + ":7",
        " " + A + " : 1 - 5 , " + B + ":7 ",
        A + ":1-5,," + B + ":7,",
        "{" + B + "}:7," + A + ":1-5",
        "B011FA47-71CA-11E1-9E33-C80AA9429562:7,0a11fa4771ca11e19e33c80aa9429562:3-5:1:2-4",
      })
  void everySpellingTheServerAcceptsIsTheSameSet(String text) {
    GtidSet set = GtidSet.parse(text);

    assertThat(set).isEqualTo(GtidSet.parse(A + ":1-5," + B + ":7"));
    assertThat(set).hasSameHashCodeAs(GtidSet.parse(A + ":1-5," + B + ":7"));
    assertThat(set).hasToString(A + ":1-5,\n" + B + ":7");
    assertThat(set.sources()).containsExactly(UUID.fromString(A), UUID.fromString(B));
  }

  /** Case D12, in the order it lists them; the answers are the server's. */
  @Test
  void tagsCountTheirOwnNumbers() {
    assertThat(contains("U:1-5:aaa:1-2:billing_1:1", "U:billing_1:1")).isTrue();
    assertThat(contains("U:aaa:1-2:billing_1:1", "U:1")).isFalse();
    assertThat(contains("U:1-5", "U:aaa:2")).isFalse();
    assertThat(contains("U:1-22:aaa:1-2:billing_1:1", "U:BILLING_1:1")).isTrue();
    assertThat(set("U:1-3:aaa:1-2").subtract(set("U:aaa:1"))).isEqualTo(set("U:1-3:aaa:2"));
    assertThat(contains("U:1-5:aaa:1-9", "U:1-2:aaa:1-2:5-6:3")).isTrue();
    assertThat(set("U:aaa:1:7-9:1-3, U:2")).hasToString(U + ":2:aaa:1-3:7-9");
  }

  @Test
  void untaggedNumbersComeFirstAndATagStaysInForceInTheMember() {
    assertThat(set("U:aaa:1:bbb:1:3,U:4:zzz:1")).hasToString(U + ":4:aaa:1:bbb:1:3:zzz:1");
    assertThat(set("U:b_:1:b1:1:ba:1:B:1:_:1:a:1")).hasToString(U + ":_:1:a:1:b:1:b1:1:b_:1:ba:1");
    assertThat(set("U:1:aaa:1-2:aaa:2-4:1")).hasToString(U + ":1:aaa:1-4");
  }

  @Test
  void sourcesAreSortedAsBytesNotAsSignedNumbers() {
    String high = "ffffffff-0000-0000-0000-000000000001";
    String highInTheSecondHalf = U.substring(0, 19) + "f" + U.substring(20);
    String lowInTheSecondHalf = U.substring(0, 19) + "1" + U.substring(20);

    GtidSet set =
        GtidSet.parse(
            high + ":1," + highInTheSecondHalf + ":1," + lowInTheSecondHalf + ":1," + A + ":1");

    assertThat(set)
        .hasToString(
            String.join(
                ",\n",
                A + ":1",
                lowInTheSecondHalf + ":1",
                highInTheSecondHalf + ":1",
                high + ":1"));
  }

  /** Cases of D13's kind: they look like something and hold nothing. */
  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", ",", ",,,", "\n", "U", "U:aaa", "U:1-0", "U:5-3", "U:aaa:1-0", "U:a:b"})
  void whatHoldsNothingIsTheEmptySet(String text) {
    GtidSet set = set(text);

    assertThat(set).isEqualTo(GtidSet.EMPTY);
    assertThat(set.isEmpty()).isTrue();
    assertThat(set.transactionCount()).isZero();
    assertThat(set).hasToString("");
    assertThat(set.describe()).isEqualTo("(empty)");
  }

  @Test
  void anIntervalThatHoldsNothingDoesNotHideItsNeighbours() {
    assertThat(set("U:1-0:3")).isEqualTo(set("U:3"));
    assertThat(set("U:aaa:bbb:3")).isEqualTo(set("U:bbb:3"));
    assertThat(set("U:1:aaa,U:2")).isEqualTo(set("U:1-2"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "garbage",
        "NULL",
        "AUTOMATIC",
        ":1",
        "U:",
        "U:,",
        "U::1",
        "U:1::2",
        "U:1:",
        "U:aaa:",
        "U:a a:1",
        "U:0",
        "U:0-3",
        "U:0-0",
        "U:+1",
        "U:-1",
        "U:1--2",
        "U:1-",
        "U:1-2-3",
        "U:0x5",
        "U:1e3",
        "U 1",
        "U:1 2",
        "U:1;U:2",
        "U:1,:2",
        "U:1a:1",
        "U:aa-b:1",
        "U:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:1",
        "U:\u00e9:1",
        "U:\u0661",
        "U:1\u00a0",
        "U:1\0",
        "U:9223372036854775807",
        "U:1-9223372036854775807",
        "U:18446744073709551617",
        "U:99999999999999999999",
        "U2:1",
        "{U:1",
        "U}:1",
        "+U:1",
        "{3e11fa4771ca11e19e33c80aa9429562}:1",
        "3e11fa4771ca-11e1-9e33-c80aa9429562:1",
        "3e11fa47-71ca11e19e33c80aa9429562:1",
        "3e11fa47-71ca-11e1-9e33-c80aa942956:1",
        "3g11fa47-71ca-11e1-9e33-c80aa9429562:1",
      })
  void whatTheServerRefusesIsRefused(String text) {
    assertThatThrownBy(() -> set(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("GTID set - .+ at character [0-9]+ \\(expected: .+\\) in '.+'");
  }

  @Test
  void theMessageNamesThePieceAndItsPlace() {
    assertThatThrownBy(() -> set("U:1-5,\nU:12:07x"))
        .hasMessage(
            "GTID set - 'x' at character 85 (expected: ',' or ':' or the end) in"
                + " '...80aa9429562:1-5, 3e11fa47-71ca-11e1-9e33-c80aa9429562:12:07x'");
    assertThatThrownBy(() -> set("U:0-3"))
        .hasMessage(
            "GTID set - '0' at character 38 (expected: a number of at least 1) in '" + U + ":0-3'");
    assertThatThrownBy(() -> set("U:1-9223372036854775807"))
        .hasMessageStartingWith(
            "GTID set - '9223372036854775807' at character 40 (expected: a number of at most"
                + " 9223372036854775806) in ");
  }

  @Test
  void aTextBeyondTheBoundIsRefusedUnread() {
    String text = " ".repeat(GtidSet.MAX_TEXT_LENGTH + 1);

    assertThatThrownBy(() -> GtidSet.parse(text))
        .hasMessage("GTID set - text of 8388609 characters (expected: at most 8388608)");
  }

  /** A stranger's text may be as long as is allowed and hold as many series as fit into it. */
  @Test
  void theLongestTextOfEmptyPiecesIsTheEmptySet() {
    String pieces = ":a:1-0:b:5-3";
    String text = U + pieces.repeat((GtidSet.MAX_TEXT_LENGTH - U.length()) / pieces.length());

    assertThat(GtidSet.parse(text)).isSameAs(GtidSet.EMPTY);
  }

  @Test
  void moreIntervalsThanTheBoundAreRefused() {
    StringBuilder text = new StringBuilder(U);
    for (int i = 0; i <= GtidSet.MAX_INTERVALS; i++) {
      text.append(':').append(2 * i + 1);
    }

    assertThatThrownBy(() -> GtidSet.parse(text.toString()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("GTID set - more than 262144 intervals (expected: ");
  }

  @Test
  void aResultWithMoreIntervalsThanTheBoundIsRefused() {
    StringBuilder text = new StringBuilder(U);
    for (int i = 0; i < GtidSet.MAX_INTERVALS; i++) {
      text.append(':').append(4 * i + 1).append('-').append(4 * i + 3);
    }
    GtidSet largest = GtidSet.parse(text.toString());

    assertThat(largest.union(set("U:2:4"))).hasToString(largest.union(set("U:4")).toString());
    assertThatThrownBy(() -> largest.union(set("U:aaa:1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("GTID set - more than 262144 intervals (expected: ");
    assertThatThrownBy(() -> largest.subtract(set("U:2")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theLargestNumberIsHeldAndNextToItNothingOverflows() {
    GtidSet all = set("U:1-9223372036854775806");
    GtidSet largest = set("U:9223372036854775806");

    assertThat(all.contains(largest)).isTrue();
    assertThat(all.transactionCount()).isEqualTo(Long.MAX_VALUE - 1);
    assertThat(all.subtract(largest)).isEqualTo(set("U:1-9223372036854775805"));
    assertThat(largest.union(set("U:1"))).hasToString(U + ":1:9223372036854775806");
    assertThat(all.union(set("U:aaa:1-9223372036854775806")).transactionCount())
        .isEqualTo(Long.MAX_VALUE);
    assertThat(GtidSet.fromBytes(all.toBytes())).isEqualTo(all);
    assertThat(GtidSet.fromBytes(largest.toBytes())).isEqualTo(largest);
  }

  @Test
  void everySetContainsTheEmptySetAndItself() {
    GtidSet set = set("U:1-5:aaa:3");

    assertThat(set.contains(GtidSet.EMPTY)).isTrue();
    assertThat(set.contains(set)).isTrue();
    assertThat(GtidSet.EMPTY.contains(set)).isFalse();
    assertThat(GtidSet.EMPTY.contains(GtidSet.EMPTY)).isTrue();
  }

  /** The kind of defect for which other parsers are known: touching intervals kept apart. */
  @Test
  void anIntervalAcrossTouchingPiecesIsContained() {
    assertThat(contains("U:1-5:3-8", "U:1-8")).isTrue();
    assertThat(contains("U:6-8:1-5", "U:4-7")).isTrue();
    assertThat(contains("U:1-5:7-9", "U:5-7")).isFalse();
  }

  @Test
  void aSingleGtidIsFoundByItsSourceTagAndNumber() {
    GtidSet set = GtidSet.parse(A + ":1-5," + U + ":3-4:9:aaa:7");
    UUID source = UUID.fromString(U);

    assertThat(set.contains(Gtid.of(source, 4))).isTrue();
    assertThat(set.contains(Gtid.of(source, 9))).isTrue();
    assertThat(set.contains(new Gtid(source, "AAA", 7))).isTrue();
    assertThat(set.contains(Gtid.of(source, 5))).isFalse();
    assertThat(set.contains(Gtid.of(source, 10))).isFalse();
    assertThat(set.contains(Gtid.of(source, 7))).isFalse();
    assertThat(set.contains(new Gtid(source, "bbb", 7))).isFalse();
    assertThat(set.contains(Gtid.of(UUID.fromString(B), 4))).isFalse();
  }

  @Test
  void aSetOfSingleGtidsIsMerged() {
    UUID source = UUID.fromString(U);

    GtidSet set =
        GtidSet.of(
            Gtid.of(source, 3),
            new Gtid(source, "t", 9),
            Gtid.of(source, 1),
            Gtid.of(source, 2),
            Gtid.of(source, 2));

    assertThat(set).hasToString(U + ":1-3:t:9");
    assertThat(set.transactionCount()).isEqualTo(4);
    assertThat(set.intervalCount()).isEqualTo(2);
    assertThat(GtidSet.of()).isSameAs(GtidSet.EMPTY);
  }

  @Test
  void unionAndSubtractReturnAnOperandWhereNothingChanges() {
    GtidSet all = set("U:1-9");
    GtidSet part = set("U:3");

    assertThat(all.union(part)).isSameAs(all);
    assertThat(part.union(all)).isSameAs(all);
    assertThat(part.subtract(set("U:4"))).isSameAs(part);
    assertThat(part.subtract(all)).isSameAs(GtidSet.EMPTY);
  }

  @Test
  void aMessageShowsALongSetInOneLineAndNotWhole() {
    GtidSet set = GtidSet.parse(U + ":1:3:5:7:9:11," + B + ":1:aaa:1:5:9:11");

    assertThat(set.describe())
        .isEqualTo(U + ":1:3:5:7:9:11," + B + ":1:aaa:1 and 3 more intervals");
    assertThat(GtidSet.parse(A + ":1-2,\n" + U + ":7").describe())
        .isEqualTo(A + ":1-2," + U + ":7");
  }

  @Test
  void comparingAllocatesNothing() {
    GtidSet executed =
        GtidSet.parse(A + ":1-100000," + U + ":1-5:7-4000000:aaa:1-20:bbb:4," + B + ":1-77");
    GtidSet position = set("U:3999999");
    GtidSet other = set("U:6");
    Gtid gtid = new Gtid(UUID.fromString(U), "aaa", 20);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    boolean all = compareManyTimes(executed, position, other, gtid);

    long before = threads.getCurrentThreadAllocatedBytes();
    long nothing = threads.getCurrentThreadAllocatedBytes() - before;
    before = threads.getCurrentThreadAllocatedBytes();
    all &= compareManyTimes(executed, position, other, gtid);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;

    assertThat(all).isTrue();
    assertThat(allocated).isEqualTo(nothing);
  }

  private static boolean compareManyTimes(
      GtidSet executed, GtidSet position, GtidSet other, Gtid gtid) {
    boolean all = true;
    for (int i = 0; i < 20_000; i++) {
      all &= executed.contains(position);
      all &= !executed.contains(other);
      all &= executed.contains(gtid);
      all &= executed.intersects(position);
    }
    return all;
  }

  private static boolean contains(String set, String other) {
    return set(set).contains(set(other));
  }

  private static GtidSet set(String text) {
    return GtidSet.parse(text.replace("U", U));
  }
}
