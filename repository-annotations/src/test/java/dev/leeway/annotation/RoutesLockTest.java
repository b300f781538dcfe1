package dev.leeway.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoutesLockTest {
  private static final RoutedMethod FIND = primary("find(long)", "shows the order just placed");
  private static final RoutedMethod FIND_FOR_ANOTHER_REASON = primary("find(long)", "no idea");
  private static final RoutedMethod STOCK = primary("stock()", "the last one must not sell twice");
  private static final RoutedMethod OTHER = RoutedMethod.undeclared("com.acme.Orders", "other()");
  private static final RoutedMethod LIST =
      RoutedMethod.readReplica("com.acme.Orders", "list()", "", Fallback.PRIMARY, "");
  private static final RoutedMethod INSERT = RoutedMethod.write("com.acme.Orders", "insert()");

  @TempDir Path folder;

  private static RoutedMethod primary(String signature, String because) {
    return RoutedMethod.readPrimary("com.acme.Orders", signature, because);
  }

  private static RoutesLock lock(RoutedMethod... routes) {
    return RoutesLock.of(Inventory.of(List.of(routes)));
  }

  @Test
  void aLockHoldsThePrimaryReadsSortedAndIsReadBack() throws IOException {
    Path file = folder.resolve("routes.lock");

    lock(STOCK, LIST, OTHER, INSERT, FIND).write(file);

    assertThat(Files.readString(file))
        .isEqualTo(
            """
            # Reads that go to the primary, and why. Each line was acknowledged in a review.
            # Checked by: leeway inventory --check; rewritten by: leeway inventory --write.
            com.acme.Orders#find(long) primary because="shows the order just placed"
            com.acme.Orders#other() undeclared
            com.acme.Orders#stock() primary because="the last one must not sell twice"
            """);
    assertThat(RoutesLock.read(file).acknowledged()).containsExactly(FIND, OTHER, STOCK);
  }

  @Test
  void codeThatDoesWhatWasAcknowledgedPasses() {
    LockCheck check = lock(FIND, OTHER).check(Inventory.of(List.of(OTHER, LIST, FIND, INSERT)));

    assertThat(check.isAcknowledged()).isTrue();
    assertThat(check.isUpToDate()).isTrue();
    assertThat(check.toDiff()).isEmpty();
  }

  @Test
  void anAddedPrimaryReadIsOneLineOfTheDiff() {
    LockCheck check = lock(FIND).check(Inventory.of(List.of(FIND, STOCK, LIST)));

    assertThat(check.isAcknowledged()).isFalse();
    assertThat(check.added()).containsExactly(STOCK);
    assertThat(check.toDiff())
        .isEqualTo(
            """
            --- acknowledged
            +++ in the code
            +com.acme.Orders#stock() primary because="the last one must not sell twice"
            """);
  }

  @Test
  void anotherReasonHasToBeAcknowledgedAnew() {
    LockCheck check =
        lock(FIND, STOCK).check(Inventory.of(List.of(FIND_FOR_ANOTHER_REASON, OTHER)));

    assertThat(check.isAcknowledged()).isFalse();
    assertThat(check.changed())
        .containsExactly(new LockCheck.Change(FIND, FIND_FOR_ANOTHER_REASON));
    assertThat(check.toDiff())
        .isEqualTo(
            """
            --- acknowledged
            +++ in the code
            -com.acme.Orders#find(long) primary because="shows the order just placed"
            +com.acme.Orders#find(long) primary because="no idea"
            +com.acme.Orders#other() undeclared
            -com.acme.Orders#stock() primary because="the last one must not sell twice"
            """);
  }

  @Test
  void aReadThatLeftThePrimaryNeedsNoAcknowledgementButShows() {
    LockCheck check = lock(FIND, STOCK).check(Inventory.of(List.of(FIND)));

    assertThat(check.isAcknowledged()).isTrue();
    assertThat(check.isUpToDate()).isFalse();
    assertThat(check.removed()).containsExactly(STOCK);
  }

  @Test
  void aMissingLockIsNotAnEmptyOne() {
    assertThatThrownBy(() -> RoutesLock.read(folder.resolve("routes.lock")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void aLineThatAcknowledgesNothingIsRefusedByName() throws IOException {
    Path file = folder.resolve("routes.lock");

    Files.writeString(file, "# reads\n\n" + INSERT + "\n");
    assertThatThrownBy(() -> RoutesLock.read(file))
        .isInstanceOf(IOException.class)
        .hasMessage(
            file + " line 3: WRITE is not a primary read (expected: primary or undeclared)");

    Files.writeString(file, FIND + "\n" + FIND_FOR_ANOTHER_REASON + "\n");
    assertThatThrownBy(() -> RoutesLock.read(file))
        .isInstanceOf(IOException.class)
        .hasMessage(file + " line 2: repeats a method (expected: each method once)");
  }
}
