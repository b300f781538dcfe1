package dev.leeway.routing.connection;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What is bound to the parameters after the first one. */
final class MoreBindings {
  private static final int FIRST_INDEX = 2;

  /** What a server-side prepared statement can have at most. */
  private static final int MAX_PARAMETERS = 65_535;

  private byte[] kinds = new byte[7];
  private long[] bits = new long[7];
  private @Nullable Object[] values = new @Nullable Object[7];
  private int count;
  private boolean bindsOnce;

  /** Binds; the index is 2 or more. */
  void set(int index, int kind, long newBits, @Nullable Object value) throws SQLException {
    if (index > MAX_PARAMETERS) {
      throw new SQLException(
          "parameter " + index + " (expected: 1 to " + MAX_PARAMETERS + ")", "07009");
    }
    int place = index - FIRST_INDEX;
    if (place >= kinds.length) {
      int length = Math.max(place + 1, kinds.length * 2);
      kinds = Arrays.copyOf(kinds, length);
      bits = Arrays.copyOf(bits, length);
      values = Arrays.copyOf(values, length);
    }
    kinds[place] = (byte) kind;
    bits[place] = newBits;
    values[place] = value;
    count = Math.max(count, place + 1);
    bindsOnce |= kind == Binding.BINDER_ONCE;
  }

  void applyTo(PreparedStatement statement) throws SQLException {
    for (int place = 0; place < count; place++) {
      Binding.apply(statement, place + FIRST_INDEX, kinds[place], bits[place], values[place]);
    }
  }

  boolean bindsOnce() {
    return bindsOnce;
  }

  void clear() {
    Arrays.fill(kinds, 0, count, (byte) Binding.NOTHING);
    Arrays.fill(values, 0, count, null);
    count = 0;
    bindsOnce = false;
  }

  MoreBindings copy() {
    MoreBindings copy = new MoreBindings();
    copy.kinds = Arrays.copyOf(kinds, Math.max(count, 1));
    copy.bits = Arrays.copyOf(bits, Math.max(count, 1));
    copy.values = Arrays.copyOf(values, Math.max(count, 1));
    copy.count = count;
    copy.bindsOnce = bindsOnce;
    return copy;
  }
}
