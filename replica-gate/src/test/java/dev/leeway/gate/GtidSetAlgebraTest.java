package dev.leeway.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link GtidSet} against {@link NaiveGtidSet}, its slow and obvious twin. */
class GtidSetAlgebraTest {

  @ParameterizedTest
  @MethodSource("seeds")
  void parsingFindsEveryTransactionAndNoOther(int seed) {
    List<NaiveGtidSet.Piece> pieces = pieces(new Random(seed));
    NaiveGtidSet naive = NaiveGtidSet.of(pieces);

    GtidSet set = GtidSet.parse(NaiveGtidSet.text(pieces));

    assertThat(set).hasToString(naive.canonicalText());
    assertThat(set.transactionCount()).isEqualTo(naive.count());
    assertThat(set.sources()).containsExactlyElementsOf(naive.sources());
    for (Gtid gtid : NaiveGtidSet.universe()) {
      assertThat(set.contains(gtid)).as("%s in %s", gtid, set).isEqualTo(naive.contains(gtid));
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyFormIsReadBackToAnEqualSet(int seed) {
    List<NaiveGtidSet.Piece> pieces = pieces(new Random(seed));
    GtidSet set = GtidSet.parse(NaiveGtidSet.text(pieces));

    assertThat(GtidSet.parse(set.toString())).isEqualTo(set).hasSameHashCodeAs(set);
    assertThat(GtidSet.fromBytes(set.toBytes())).isEqualTo(set);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void twoSetsCompareAndCombineAsTheirTwinsDo(int seed) {
    Random random = new Random(seed);
    List<NaiveGtidSet.Piece> pieces = pieces(random);
    List<NaiveGtidSet.Piece> otherPieces = pieces(random);
    NaiveGtidSet naive = NaiveGtidSet.of(pieces);
    NaiveGtidSet naiveOther = NaiveGtidSet.of(otherPieces);
    GtidSet set = GtidSet.parse(NaiveGtidSet.text(pieces));
    GtidSet other = GtidSet.parse(NaiveGtidSet.text(otherPieces));

    assertThat(set.union(other)).hasToString(naive.union(naiveOther).canonicalText());
    assertThat(set.subtract(other)).hasToString(naive.subtract(naiveOther).canonicalText());
    assertThat(set.contains(other)).isEqualTo(naive.contains(naiveOther));
    assertThat(set.intersects(other)).isEqualTo(naive.intersects(naiveOther));
    assertThat(set.equals(other)).isEqualTo(naive.equals(naiveOther));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theLawsOfSetsHold(int seed) {
    Random random = new Random(seed);
    List<NaiveGtidSet.Piece> pieces = pieces(random);
    List<NaiveGtidSet.Piece> otherPieces = pieces(random);
    GtidSet set = GtidSet.parse(NaiveGtidSet.text(pieces));
    GtidSet other = GtidSet.parse(NaiveGtidSet.text(otherPieces));
    GtidSet union = set.union(other);
    GtidSet onlyHere = set.subtract(other);
    GtidSet inBoth = set.subtract(onlyHere);

    assertThat(union).isEqualTo(other.union(set));
    assertThat(union.contains(set)).isTrue();
    assertThat(union.contains(other)).isTrue();
    assertThat(onlyHere.intersects(other)).isFalse();
    assertThat(onlyHere.union(inBoth)).isEqualTo(set);
    assertThat(set.intersects(other)).isEqualTo(!inBoth.isEmpty());
    assertThat(set.contains(other)).isEqualTo(other.subtract(set).isEmpty());
    assertThat(union.transactionCount())
        .isEqualTo(set.transactionCount() + other.transactionCount() - inBoth.transactionCount());
  }

  static IntStream seeds() {
    return IntStream.range(0, 500);
  }

  /** From a small universe, so that intervals meet, touch and overlap all the time. */
  private static List<NaiveGtidSet.Piece> pieces(Random random) {
    return IntStream.range(0, random.nextInt(41)).mapToObj(i -> piece(random)).toList();
  }

  private static NaiveGtidSet.Piece piece(Random random) {
    int first = 1 + random.nextInt(NaiveGtidSet.NUMBERS);
    int length = random.nextInt(7);
    return new NaiveGtidSet.Piece(
        NaiveGtidSet.SOURCES.get(random.nextInt(NaiveGtidSet.SOURCES.size())),
        NaiveGtidSet.TAGS.get(random.nextInt(NaiveGtidSet.TAGS.size())),
        first,
        Math.min(first + length - 1, NaiveGtidSet.NUMBERS));
  }
}
