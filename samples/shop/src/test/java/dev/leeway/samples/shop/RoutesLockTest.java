package dev.leeway.samples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.annotation.Inventory;
import dev.leeway.annotation.RoutedMethod;
import dev.leeway.annotation.RoutesLock;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class RoutesLockTest {
  private final Path classes = Path.of("target", "classes");
  private final Path lock = Path.of("routes.lock");

  /** A new read of the primary is a line of a reviewed change: leeway inventory --write. */
  @Test
  void everyReadOfThePrimaryIsAcknowledgedInTheCommittedLock() throws IOException {
    assertThat(RoutesLock.read(lock).check(Inventory.read(classes)).toDiff()).isEmpty();
  }

  @Test
  void onlyTwoReadsOfTheShopNeedThePrimary() throws IOException {
    assertThat(Inventory.read(classes).primaryReads())
        .extracting(RoutedMethod::signature)
        .containsExactly("orderOf(java.lang.String)", "available(long)");
  }
}
