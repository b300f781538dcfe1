package dev.leeway.routing.connection;

import dev.leeway.routing.decide.Moments;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What only some borrows of a {@link RoutedConnection} need, so that the others do not pay for it.
 */
final class BorrowDetails {
  @Nullable PrimaryHold primary;
  @Nullable Transaction transaction;
  @Nullable SessionSettings settings;

  /** Those from which rows are still read; each has an open statement. */
  @Nullable List<SetAside> setAside;

  /** When this borrow last saw data outside the replica it holds. */
  long seenAtNanos = Moments.NEVER;
}
