package dev.leeway.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StackedValueTest {
  private final List<Integer> applied = new ArrayList<>();
  private final StackedValue<Integer> value = new StackedValue<>(() -> 0, applied::add);

  @Test
  void theLatestOpenWishCountsInWhateverOrderTheyAreTakenBack() throws Exception {
    FaultLedger.Undo first = value.set(1);
    FaultLedger.Undo second = value.set(2);
    FaultLedger.Undo third = value.set(3);

    second.run();
    third.run();
    first.run();

    assertThat(applied).containsExactly(1, 2, 3, 3, 1, 0);
  }

  @Test
  void equalWishesAreTakenBackOneByOne() throws Exception {
    FaultLedger.Undo first = value.set(5);
    FaultLedger.Undo second = value.set(5);

    first.run();
    first.run();
    assertThat(applied).containsExactly(5, 5, 5);
    second.run();
    assertThat(applied).endsWith(0);
  }

  @Test
  void aWishThatCouldNotBeAppliedIsNotKept() throws Exception {
    List<Integer> heard = new ArrayList<>();
    StackedValue<Integer> picky =
        new StackedValue<>(
            () -> 0,
            number -> {
              if (number < 0) {
                throw new ClusterException("no");
              }
              heard.add(number);
            });
    FaultLedger.Undo good = picky.set(1);

    assertThatThrownBy(() -> picky.set(-1)).isInstanceOf(ClusterException.class);
    good.run();

    assertThat(heard).containsExactly(1, 0);
  }
}
