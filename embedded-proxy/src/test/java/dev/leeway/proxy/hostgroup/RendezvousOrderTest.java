package dev.leeway.proxy.hostgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RendezvousOrderTest {
  private static final int IDS = 10_000;
  private static final RendezvousOrder FOUR =
      new RendezvousOrder(List.of("A", "B", "C", "D"), new int[] {1, 1, 1, 1});

  private static List<String> ids(long seed) {
    Random random = new Random(seed);
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < IDS; i++) {
      ids.add(new UUID(random.nextLong(), random.nextLong()).toString());
    }
    return ids;
  }

  @Test
  void whenAServerLeavesOnlyItsIdsMoveAndSpreadOverTheOthers() {
    int[] movedTo = new int[4];
    for (String id : ids(1)) {
      int before = FOUR.choose(id, i -> true);
      int without = FOUR.choose(id, i -> i != 2);
      if (before == 2) {
        movedTo[without]++;
      } else {
        assertThat(without).isEqualTo(before);
      }
      assertThat(FOUR.choose(id, i -> true)).isEqualTo(before);
    }
    assertThat(movedTo[2]).isZero();
    assertThat(Arrays.stream(movedTo).sum()).isBetween(2300, 2700);
    for (int server : new int[] {0, 1, 3}) {
      assertThat(movedTo[server]).isBetween(700, 970);
    }
  }

  @Test
  void eachServerGetsItsShareByWeight() {
    RendezvousOrder two = new RendezvousOrder(List.of("A", "B"), new int[] {3, 1});
    long ofA = ids(2).stream().filter(id -> two.choose(id, i -> true) == 0).count();
    assertThat(ofA).isCloseTo(7500L, within(200L));

    int[] weights = {1, 2, 5, 8};
    RendezvousOrder uneven = new RendezvousOrder(List.of("A", "B", "C", "D"), weights);
    int[] counts = new int[4];
    ids(3).forEach(id -> counts[uneven.choose(id, i -> true)]++);
    for (int i = 0; i < 4; i++) {
      assertThat(counts[i]).isCloseTo(IDS * weights[i] / 16, within(200));
    }
  }

  @Test
  void consecutiveNumbersSpreadAsWellAsRandomIds() {
    int[] counts = new int[4];
    for (int i = 0; i < IDS; i++) {
      counts[FOUR.choose(Integer.toString(i), server -> true)]++;
    }
    for (int count : counts) {
      assertThat(count).isCloseTo(2500, within(200));
    }
  }

  @Test
  void theSequenceOfTheServersDoesNotMatter() {
    RendezvousOrder shuffled =
        new RendezvousOrder(List.of("C", "A", "D", "B"), new int[] {1, 1, 1, 1});
    for (String id : ids(4)) {
      assertThat(shuffled.name(shuffled.choose(id, i -> true)))
          .isEqualTo(FOUR.name(FOUR.choose(id, i -> true)));
    }
  }

  @Test
  void theChoiceIsTheFirstOfTheIdsOrderThatMayServeWhoeverIsAway() {
    Random random = new Random(5);
    for (int round = 0; round < 2000; round++) {
      int size = 1 + random.nextInt(8);
      List<String> names = new ArrayList<>();
      int[] weights = new int[size];
      for (int i = 0; i < size; i++) {
        names.add("server-" + i);
        weights[i] = 1 + random.nextInt(10);
      }
      RendezvousOrder servers = new RendezvousOrder(names, weights);
      String id = "id" + round;
      int[] order = servers.order(id);
      assertThat(Arrays.stream(order).distinct().count()).isEqualTo(size);
      BitSet up = BitSet.valueOf(new long[] {random.nextLong()});
      int expected = Arrays.stream(order).filter(up::get).findFirst().orElse(-1);
      assertThat(servers.choose(id, up::get)).isEqualTo(expected);
    }
  }

  @Test
  void aServerThatIsAddedTakesIdsOnlyForItself() {
    RendezvousOrder five =
        new RendezvousOrder(List.of("A", "B", "C", "D", "E"), new int[] {1, 1, 1, 1, 1});
    int taken = 0;
    for (String id : ids(6)) {
      int before = FOUR.choose(id, i -> true);
      int after = five.choose(id, i -> true);
      if (after == 4) {
        taken++;
      } else {
        assertThat(after).isEqualTo(before);
      }
    }
    assertThat(taken).isCloseTo(2000, within(200));
  }

  /** Other processes, other versions and other languages must agree, so this never changes. */
  @Test
  void theChoiceOfKnownIdsIsFixed() {
    assertThat(
            List.of("ABC", "1", "5f2b7f0e-0000-4000-8000-000000000001", "é").stream()
                .map(id -> FOUR.name(FOUR.choose(id, i -> true)))
                .toList())
        .isEqualTo(List.of("B", "C", "D", "A"));
  }

  @Test
  void whereNobodyMayServeNobodyIsChosen() {
    assertThat(FOUR.choose("x", i -> false)).isEqualTo(-1);
  }

  @Test
  void contradictionsAreRefused() {
    assertThatThrownBy(() -> new RendezvousOrder(List.of("A", "A"), new int[] {1, 1}))
        .hasMessage("Consistent reads - servers [A, A] (expected: each name once)");
    assertThatThrownBy(() -> new RendezvousOrder(List.of("A"), new int[] {0}))
        .hasMessage("Consistent reads - weight 0 of server A (expected: 1 or more)");
    assertThatThrownBy(() -> new RendezvousOrder(List.of("A"), new int[] {}))
        .hasMessage(
            "Consistent reads - 1 servers and 0 weights (expected: one weight for each server)");
  }
}
