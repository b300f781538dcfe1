package dev.leeway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CleanupTest {
  private final List<String> closed = new ArrayList<>();
  private final Cleanup cleanup = new Cleanup();

  @Test
  void whatWasOpenedLastIsClosedFirstAndOnlyOnce() {
    cleanup.register(() -> closed.add("servers"));
    cleanup.register(() -> closed.add("pools"));

    cleanup.close();
    cleanup.close();

    assertThat(closed).containsExactly("pools", "servers");
  }

  @Test
  void whatIsOpenedAfterTheEndIsClosedAtOnce() {
    cleanup.close();

    cleanup.register(() -> closed.add("late"));

    assertThat(closed).containsExactly("late");
  }

  @Test
  void oneThatCannotBeClosedDoesNotKeepTheOthersOpen() {
    cleanup.register(() -> closed.add("servers"));
    cleanup.register(
        () -> {
          throw new IllegalStateException("stuck");
        });

    cleanup.close();

    assertThat(closed).containsExactly("servers");
    assertThat(cleanup.failures()).containsExactly("stuck");
  }
}
