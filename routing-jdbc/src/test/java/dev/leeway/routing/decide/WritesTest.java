package dev.leeway.routing.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.gate.EntityKey;
import dev.leeway.gate.GtidSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WritesTest {
  private static final String SOURCE = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
  private static final EntityKey ORDERS = EntityKey.of("order");
  private static final EntityKey ORDER_42 = EntityKey.of("order", 42);
  private static final EntityKey ORDER_43 = EntityKey.of("order", 43);
  private static final EntityKey AUDIT = EntityKey.of("audit");

  private static GtidSet gtid(int number) {
    return GtidSet.parse(SOURCE + ":" + number);
  }

  private static String bound(Writes writes, @Nullable EntityKey key) {
    return writes.binding(key).gtids().toString().replace(SOURCE + ":", "");
  }

  @Test
  void anAuditEntryHoldsUpNobodyWhoReadsOrders() {
    Writes writes = Writes.NONE.and(gtid(1), 10).and(gtid(5), 20, List.of(AUDIT));

    assertThat(bound(writes, ORDER_42)).isEqualTo("1");
    assertThat(writes.binding(ORDER_42).atNanos()).isEqualTo(10);
    assertThat(bound(writes, AUDIT)).isEqualTo("1:5");
    assertThat(bound(writes, null)).as("who does not say what it reads").isEqualTo("1:5");
  }

  @Test
  void whoReadsAllOfAKindIsBoundByEachOfThem() {
    Writes writes =
        Writes.NONE
            .and(gtid(1), 10, List.of(ORDER_42))
            .and(gtid(3), 20, List.of(ORDER_43))
            .and(gtid(5), 30, List.of(ORDERS));

    assertThat(bound(writes, ORDERS)).isEqualTo("1:3:5");
    assertThat(bound(writes, ORDER_42)).isEqualTo("1:5");
    assertThat(bound(writes, EntityKey.of("order", 44))).isEqualTo("5");
    assertThat(bound(writes, AUDIT)).isEmpty();
    assertThat(writes.binding(AUDIT).atNanos()).isEqualTo(Moments.NEVER);
  }

  @Test
  void aWriteMayConcernSeveralEntities() {
    Writes writes = Writes.NONE.and(gtid(1), 10, List.of(ORDER_42, AUDIT));

    assertThat(bound(writes, ORDER_42)).isEqualTo("1");
    assertThat(bound(writes, AUDIT)).isEqualTo("1");
    assertThat(bound(writes, ORDER_43)).isEmpty();
  }

  @Test
  void aWriteCanBeNarrowedAfterwards() {
    Writes writes = Writes.NONE.and(gtid(1), 10).and(gtid(5), 20).narrow(gtid(5), AUDIT);

    assertThat(bound(writes, ORDERS)).isEqualTo("1");
    assertThat(bound(writes, AUDIT)).isEqualTo("1:5");

    Writes wider = writes.narrow(gtid(5), ORDER_42);
    assertThat(bound(wider, ORDER_42)).isEqualTo("1:5");
    assertThat(bound(wider, ORDER_43)).isEqualTo("1");
  }

  @Test
  void whatIsNotKnownIsNotNarrowed() {
    Writes writes = Writes.NONE.and(gtid(1), 10);

    assertThat(writes.narrow(gtid(9), AUDIT)).isSameAs(writes);
    assertThat(writes.narrow(GtidSet.EMPTY, AUDIT)).isSameAs(writes);
  }

  @Test
  void moreEntitiesThanAreKeptBindEveryRead() {
    Writes writes = Writes.NONE;
    for (int i = 0; i <= Writes.MAX_ENTITIES; i++) {
      writes = writes.and(gtid(1 + 2 * i), i, List.of(EntityKey.of("order", i)));
    }

    assertThat(writes.narrowed()).hasSize(Writes.MAX_ENTITIES);
    assertThat(bound(writes, AUDIT)).isEqualTo("33");
    assertThat(bound(writes, EntityKey.of("order", 0))).isEqualTo("1:33");
  }

  /** Against a slow twin that keeps every write with its keys. Seeded. */
  @Test
  void aReadIsBoundByWhatConcernsItAndByNothingElse() {
    EntityKey[] keys = {
      ORDERS, ORDER_42, ORDER_43, AUDIT, EntityKey.of("audit", 1), EntityKey.of("user", "ann")
    };
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      Writes writes = Writes.NONE;
      Map<Integer, Set<EntityKey>> twin = new HashMap<>();
      for (int number = 1; number < 40; number += 2) {
        List<EntityKey> concerned = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
          EntityKey key = keys[random.nextInt(keys.length)];
          if (!concerned.contains(key)) {
            concerned.add(key);
          }
        }
        if (random.nextBoolean()) {
          writes = writes.and(gtid(number), number, concerned);
        } else {
          writes = writes.and(gtid(number), number);
          for (EntityKey key : concerned) {
            writes = writes.narrow(gtid(number), key);
          }
        }
        twin.put(number, new HashSet<>(concerned));
      }
      for (EntityKey key : keys) {
        GtidSet expected = GtidSet.EMPTY;
        for (Map.Entry<Integer, Set<EntityKey>> write : twin.entrySet()) {
          if (concerns(write.getValue(), key)) {
            expected = expected.union(gtid(write.getKey()));
          }
        }
        assertThat(writes.binding(key).gtids())
            .as("seed %s, key %s", seed, key)
            .isEqualTo(expected);
      }
    }
  }

  private static boolean concerns(Set<EntityKey> written, EntityKey read) {
    return written.isEmpty()
        || written.stream()
            .anyMatch(
                key ->
                    key.kind() == read.kind()
                        && (key.id() == read.id()
                            || key.id() == EntityKey.ALL
                            || read.id() == EntityKey.ALL));
  }
}
