package dev.leeway.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** {@link GtidSet} against {@link NaiveGtidSet}, its slow and obvious twin. */
class GtidSetAlgebraTest {

  @Property
  void parsingFindsEveryTransactionAndNoOther(@ForAll("pieces") List<NaiveGtidSet.Piece> pieces) {
    NaiveGtidSet naive = NaiveGtidSet.of(pieces);

    GtidSet set = GtidSet.parse(NaiveGtidSet.text(pieces));

    assertThat(set).hasToString(naive.canonicalText());
    assertThat(set.transactionCount()).isEqualTo(naive.count());
    assertThat(set.sources()).containsExactlyElementsOf(naive.sources());
    for (Gtid gtid : NaiveGtidSet.universe()) {
      assertThat(set.contains(gtid)).as("%s in %s", gtid, set).isEqualTo(naive.contains(gtid));
    }
  }

  @Property
  void everyFormIsReadBackToAnEqualSet(@ForAll("pieces") List<NaiveGtidSet.Piece> pieces) {
    GtidSet set = GtidSet.parse(NaiveGtidSet.text(pieces));

    assertThat(GtidSet.parse(set.toString())).isEqualTo(set).hasSameHashCodeAs(set);
    assertThat(GtidSet.fromBytes(set.toBytes())).isEqualTo(set);
  }

  @Property
  void twoSetsCompareAndCombineAsTheirTwinsDo(
      @ForAll("pieces") List<NaiveGtidSet.Piece> pieces,
      @ForAll("pieces") List<NaiveGtidSet.Piece> otherPieces) {
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

  @Property
  void theLawsOfSetsHold(
      @ForAll("pieces") List<NaiveGtidSet.Piece> pieces,
      @ForAll("pieces") List<NaiveGtidSet.Piece> otherPieces) {
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

  /** A small universe, so that intervals meet, touch and overlap all the time. */
  @Provide
  Arbitrary<List<NaiveGtidSet.Piece>> pieces() {
    Arbitrary<UUID> sources = Arbitraries.of(NaiveGtidSet.SOURCES);
    Arbitrary<String> tags = Arbitraries.of(NaiveGtidSet.TAGS);
    Arbitrary<Integer> numbers = Arbitraries.integers().between(1, NaiveGtidSet.NUMBERS);
    Arbitrary<Integer> lengths = Arbitraries.integers().between(0, 6);
    return Combinators.combine(sources, tags, numbers, lengths)
        .as(
            (source, tag, first, length) ->
                new NaiveGtidSet.Piece(
                    source, tag, first, Math.min(first + length - 1, NaiveGtidSet.NUMBERS)))
        .list()
        .ofMaxSize(40);
  }
}
